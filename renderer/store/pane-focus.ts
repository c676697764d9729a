import { flushSync } from 'react-dom'
import type { ViewActions } from './view-actions.ts'
import { PANE_NAMES } from './view-state.ts'

/** Gives the focus to the pane after (1) or before (-1) the one that has it, round the window. */
export function moveBetweenPanes(step: 1 | -1, view: Pick<ViewActions, 'showPane'>): void {
  const panes = [...document.querySelectorAll<HTMLElement>('main section[data-pane]')]
  const at = panes.findIndex((pane) => pane.contains(document.activeElement))
  const from = at >= 0 ? at : step === 1 ? -1 : 0
  const next = panes[(from + step + panes.length) % panes.length]
  const name = PANE_NAMES.find((pane) => pane === next?.dataset['pane'])
  // Where panes are tabs, one that is behind another cannot have the focus.
  if (name !== undefined) flushSync(() => view.showPane(name))
  next?.focus()
}
