import type { Problem, Read } from '../../shared/problem.ts'

/**
 * A problem without its offsets and file, as tests compare it: `12:9 code message`, `- code message` without
 * place.
 */
function brief({ code, message, range }: Problem): string {
  return `${range === null ? '-' : `${range.start.line}:${range.start.column}`} ${code} ${message}`
}

/** The problems of `read` in {@link brief} form, in their order. */
export function briefs(read: { readonly problems: readonly Problem[] }): string[] {
  return read.problems.map(brief)
}

/** The value of a read that must have worked; the assertion reports the problems when it did not. */
export function valueOf<T>(read: Read<T>): T {
  if (!read.ok) throw new Error(`could not be read: ${briefs(read).join('\n')}`)
  return read.value
}

/** The text that the first problem of `read` marks. */
export function markedText(text: string, read: { readonly problems: readonly Problem[] }): string {
  const range = read.problems[0]?.range
  return range ? text.slice(range.start.offset, range.end.offset) : ''
}
