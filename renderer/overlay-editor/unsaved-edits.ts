import { overlayText, type OverlayState } from '../store/overlay-state.ts'

/**
 * How many undo steps the text is away from the file, whichever way; null when the file's text is no longer
 * among the steps.
 */
export function countUnsavedEdits(overlay: OverlayState): number | null {
  const saved = overlay.base?.text ?? ''
  if (overlayText(overlay) === saved) return 0
  const { past, future } = overlay.history
  const undo = past.findLastIndex((step) => step.text === saved)
  const redo = future.findIndex((step) => step.text === saved)
  const distances = [...(undo === -1 ? [] : [past.length - undo]), ...(redo === -1 ? [] : [redo + 1])]
  return distances.length === 0 ? null : Math.min(...distances)
}

/** `saved`, `1 unsaved edit`, `3 unsaved edits`; a file that is not there yet is said. */
export function savedText(overlay: OverlayState): string {
  const edits = countUnsavedEdits(overlay)
  if (edits === 0) return overlay.base === null ? 'not there yet' : 'saved'
  if (edits === null) return 'unsaved edits'
  return `${edits} unsaved ${edits === 1 ? 'edit' : 'edits'}`
}
