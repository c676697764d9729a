import type { LabSnapshot } from '../../shared/host-api.ts'
import { editOverlay, type OverlayDraft, type OverlayEdit } from '../../shared/overlay/edit-overlay.ts'
import { parseOverlay } from '../../shared/overlay/parse-overlay.ts'
import { readsTheSame } from '../../shared/overlay/same-reading.ts'
import type { OverlayDocument } from '../../shared/overlay/types.ts'
import type { Problem } from '../../shared/problem.ts'
import type { Span } from '../../shared/text-lines.ts'
import { pushStep, redoStep, startHistory, undoStep, type History } from './history.ts'

type OnDisk = LabSnapshot['overlay']

/** The overlay being edited. Its text is the truth; everything else here is read from it. */
export interface OverlayState {
  readonly file: string
  readonly history: History
  /** The version on disk that the text was loaded from or last saved as; null when there is no file yet. */
  readonly base: OnDisk
  /** The version on disk when it is neither `base` nor what is being edited: another program wrote or removed it. */
  readonly outside: { readonly disk: OnDisk } | null
  /** What the last text that could be read says, which is what the plan shows; of an earlier text that says the same. */
  readonly document: OverlayDocument
  /** What the last edit parsed, for the next one; null before the first. */
  readonly draft: OverlayDraft | null
  /** Problems of the present text; when there is an error the plan is of an earlier text. */
  readonly problems: readonly Problem[]
  readonly stale: boolean
  /** What a drag changed last, for the editor to select; `step` sets two equal spans apart. */
  readonly changed: { readonly span: Span; readonly step: number } | null
}

export function overlayText(overlay: OverlayState): string {
  return overlay.history.present.text
}

export function isUnsaved(overlay: OverlayState): boolean {
  return overlayText(overlay) !== (overlay.base?.text ?? '')
}

function emptyDocument(file: string): OverlayDocument {
  const read = parseOverlay('', file)
  // An empty text is the default overlay by definition of the format, so this cannot fail.
  if (!read.ok) throw new Error('the empty overlay does not parse')
  return read.value
}

/**
 * `overlay` with its reading brought up to its text; an unreadable text keeps the last good document, stale. A text that
 * reads the same keeps the document as well, so that the plan, its advice and all that shows them stay as they are.
 */
function reread(overlay: OverlayState): OverlayState {
  const read = parseOverlay(overlayText(overlay), overlay.file)
  if (!read.ok) return { ...overlay, problems: read.problems, stale: true }
  const document = readsTheSame(overlay.document, read.value) ? overlay.document : read.value
  return { ...overlay, document, problems: read.problems, stale: false }
}

/** The overlay of a lab that was just opened. */
export function openOverlay(file: string, disk: OnDisk): OverlayState {
  return reread({
    file,
    history: startHistory(disk?.text ?? ''),
    base: disk,
    outside: null,
    document: emptyDocument(file),
    draft: null,
    problems: [],
    stale: false,
    changed: null,
  })
}

/**
 * The overlay after the lab changed on disk. With nothing unsaved a new text is taken over silently (as one undo
 * step, so that nothing is lost); otherwise, and when the file is gone, the text on screen stays and the outside version
 * is kept for the conflict.
 */
export function overlayChangedOnDisk(
  overlay: OverlayState,
  file: string,
  disk: OnDisk,
  at: number,
): OverlayState {
  if (disk?.hash === overlay.base?.hash) return overlay.file === file ? overlay : { ...overlay, file }
  if (disk?.text === overlayText(overlay)) return { ...overlay, file, base: disk, outside: null }
  if (isUnsaved(overlay)) return { ...overlay, file, outside: { disk } }
  // A file that is gone takes nothing from the screen: its text is unsaved from here on.
  if (disk === null && overlayText(overlay) !== '') return { ...overlay, file, base: null, outside: { disk } }
  const history = pushStep(overlay.history, { text: disk?.text ?? '', by: 'edit', at })
  return reread({ ...overlay, file, history, base: disk, outside: null })
}

/** The operator types: `text` is the whole new text. */
export function typeOverlay(overlay: OverlayState, text: string, at: number): OverlayState {
  const history = pushStep(overlay.history, { text, by: 'typing', at })
  return history === overlay.history ? overlay : reread({ ...overlay, history })
}

export type EditResult =
  { readonly ok: true; readonly overlay: OverlayState } | { readonly ok: false; readonly reason: string }

/** A drag, a switch or a menu edits the text as one undo step; refused when the text cannot be edited safely. */
export function applyEdit(overlay: OverlayState, edits: readonly OverlayEdit[], at: number): EditResult {
  let text = overlayText(overlay)
  let { document, draft } = overlay
  let span: Span | null = null
  for (const edit of edits) {
    const outcome = editOverlay(text, edit, overlay.file, draft)
    if (!outcome.ok) return { ok: false, reason: outcome.reason }
    text = outcome.text
    ;({ document, draft } = outcome)
    span = outcome.changed ?? span
  }
  const history = pushStep(overlay.history, { text, by: 'edit', at })
  if (history === overlay.history) return { ok: true, overlay }
  const changed = span === null ? overlay.changed : { span, step: (overlay.changed?.step ?? 0) + 1 }
  return { ok: true, overlay: { ...overlay, history, changed, document, draft, problems: [], stale: false } }
}

export function undoOverlay(overlay: OverlayState): OverlayState {
  const history = undoStep(overlay.history)
  return history === overlay.history ? overlay : reread({ ...overlay, history })
}

export function redoOverlay(overlay: OverlayState): OverlayState {
  const history = redoStep(overlay.history)
  return history === overlay.history ? overlay : reread({ ...overlay, history })
}

/** The text was saved with this content hash. Typing that went on meanwhile stays unsaved. */
export function overlaySaved(overlay: OverlayState, text: string, hash: string): OverlayState {
  return { ...overlay, base: { text, hash }, outside: null }
}

/** The operator settles a conflict by taking the version on disk (the edit stays one undo away). */
export function takeDiskVersion(overlay: OverlayState, disk: OnDisk, at: number): OverlayState {
  const history = pushStep(overlay.history, { text: disk?.text ?? '', by: 'edit', at })
  return reread({ ...overlay, history, base: disk, outside: null })
}

/** The operator keeps the edit: it is from now on based on the version on disk, and saving replaces that. */
export function keepMine(overlay: OverlayState, disk: OnDisk): OverlayState {
  return { ...overlay, base: disk, outside: null }
}
