/** Gives the focus to the pane after (1) or before (-1) the one that has it, round the window. */
export function moveBetweenPanes(step: 1 | -1): void {
  const panes = [...document.querySelectorAll<HTMLElement>('main section[data-pane]')]
  const at = panes.findIndex((pane) => pane.contains(document.activeElement))
  const from = at >= 0 ? at : step === 1 ? -1 : 0
  panes[(from + step + panes.length) % panes.length]?.focus()
}
