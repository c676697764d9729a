/**
 * Lets Escape and then Tab (or Shift+Tab) leave an editor in which Tab indents, and says so to screen readers.
 *
 * @returns a function that takes it back.
 */
export function leaveByTab(editor: HTMLElement): () => void {
  let leaving = false
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') leaving = true
    // The editor must not see the key; what the browser does with it is what is wanted.
    else if (event.key === 'Tab' && leaving) event.stopImmediatePropagation()
    else if (event.key !== 'Shift') leaving = false
  }
  const onLeave = (): void => {
    leaving = false
  }
  editor.addEventListener('keydown', onKey, true)
  editor.addEventListener('focusout', onLeave)
  editor
    .querySelector('textarea')
    ?.setAttribute('aria-description', 'Tab indents; Escape, then Tab leaves; F6 goes to the next pane')
  return () => {
    editor.removeEventListener('keydown', onKey, true)
    editor.removeEventListener('focusout', onLeave)
  }
}
