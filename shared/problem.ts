/**
 * Problems are data: they are collected while files are read and planned, and made pretty only at the edge
 * (a marker in the editor, a line in the terminal).
 */

/** One place in a text. `offset` is in UTF-16 code units; `line` and `column` are 1-based, columns in code points. */
export interface Place {
  readonly offset: number
  readonly line: number
  readonly column: number
}

/** A stretch of a text, `end` exclusive. */
export interface TextRange {
  readonly start: Place
  readonly end: Place
}

/** `error`: the file or entry cannot be used. `warning`: it can, but look. `info`: worth knowing, nothing to do. */
export type Severity = 'error' | 'warning' | 'info'

/** Something a person should know about an input: what is wrong, where, and (in `message`) what to do about it. */
export interface Problem {
  readonly severity: Severity
  /** Stable kebab-case name of the kind of problem, such as `roster-bad-port`. */
  readonly code: string
  /** One sentence for a person, without the place (that is in `file` and `range`). */
  readonly message: string
  /** The file as the host named it, or null when the problem belongs to no file. */
  readonly file: string | null
  /** Null when the whole file is meant. */
  readonly range: TextRange | null
  /** The roster role this concerns, when there is one. */
  readonly role?: string
}

/** The outcome of reading an input: a value where one could be had, and every problem found on the way. */
export type Read<T> =
  | { readonly ok: true; readonly value: T; readonly problems: readonly Problem[] }
  | { readonly ok: false; readonly problems: readonly Problem[] }

/** A successful {@link Read}. */
export function readOk<T>(value: T, problems: readonly Problem[] = []): Read<T> {
  return { ok: true, value, problems }
}

/** A failed {@link Read}; `problems` holds at least one error. */
export function readFailed<T>(problems: readonly Problem[]): Read<T> {
  return { ok: false, problems }
}

/** Whether any of `problems` is an error. */
export function hasErrors(problems: readonly Problem[]): boolean {
  return problems.some((problem) => problem.severity === 'error')
}
