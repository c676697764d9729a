/** One state of the overlay's text. */
export interface HistoryStep {
  readonly text: string
  /** How the step that led to `text` was made; typing runs together, an edit stands alone. */
  readonly by: 'load' | 'typing' | 'edit'
  /** When the step was last extended, in milliseconds. */
  readonly at: number
}

/** The one undo stack that dragging and typing share: texts before, now and after. */
export interface History {
  readonly past: readonly HistoryStep[]
  readonly present: HistoryStep
  readonly future: readonly HistoryStep[]
}

/** Pauses longer than this end a run of typing, so that undo takes back what felt like one thing. */
const TYPING_PAUSE_MS = 1_000
/** Task kept; an overlay is small, so this is minutes of work and at most a few MB. */
const MAX_STEPS = 500

export function startHistory(text: string): History {
  return { past: [], present: { text, by: 'load', at: 0 }, future: [] }
}

/** `history` after its text became `text`; the same history when nothing changed. */
export function pushStep(history: History, step: HistoryStep): History {
  const { present, past } = history
  if (present.text === step.text) return history
  const runsOn =
    step.by === 'typing' &&
    present.by === 'typing' &&
    history.future.length === 0 &&
    step.at - present.at < TYPING_PAUSE_MS &&
    isSmallChange(present.text, step.text)
  if (runsOn) return { past, present: step, future: [] }
  return { past: [...past, present].slice(-MAX_STEPS), present: step, future: [] }
}

/** Typing runs together letter by letter within a line; a new line or a paste starts a step of its own. */
function isSmallChange(before: string, after: string): boolean {
  const delta = after.length - before.length
  if (Math.abs(delta) > 2) return false
  return countBreaks(before) === countBreaks(after)
}

function countBreaks(text: string): number {
  let count = 0
  for (let i = text.indexOf('\n'); i !== -1; i = text.indexOf('\n', i + 1)) count++
  return count
}

export function undoStep(history: History): History {
  const previous = history.past.at(-1)
  if (previous === undefined) return history
  return { past: history.past.slice(0, -1), present: previous, future: [history.present, ...history.future] }
}

export function redoStep(history: History): History {
  const [next, ...rest] = history.future
  if (next === undefined) return history
  return { past: [...history.past, history.present], present: next, future: rest }
}

export function canUndo(history: History): boolean {
  return history.past.length > 0
}

export function canRedo(history: History): boolean {
  return history.future.length > 0
}
