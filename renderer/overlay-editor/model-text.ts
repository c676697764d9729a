import type { Span } from '../../shared/text-lines.ts'

/**
 * An editor holds a text with LF line ends and no byte order mark; the file keeps what it has. These are the
 * two ways between them, so that typing one letter changes one letter of the file.
 */

/** `text` as an editor holds it. */
export function toModelText(text: string): string {
  const start = text.startsWith('\uFEFF') ? 1 : 0
  return text.slice(start).replace(/\r\n?/g, '\n')
}

/** Where `offset` of `text` is in {@link toModelText} of it. */
export function toModelOffset(text: string, offset: number): number {
  return toModelText(text.slice(0, offset)).length
}

/** Where `modelOffset` of the editor's text is in `text`; the reverse of {@link toModelOffset}. */
function fromModelOffset(text: string, modelOffset: number): number {
  let at = text.startsWith('\uFEFF') ? 1 : 0
  for (let left = modelOffset; left > 0 && at < text.length; left--) {
    at += text.startsWith('\r\n', at) ? 2 : 1
  }
  return at
}

/** A replacement of one stretch of a text (UTF-16 offsets, `end` exclusive). */
export interface TextEdit {
  readonly start: number
  readonly end: number
  readonly text: string
}

/**
 * The shortest single replacement that makes `after` of `before`, never half a surrogate pair; null when
 * equal.
 */
export function minimalEdit(before: string, after: string): TextEdit | null {
  if (before === after) return null
  const shorter = Math.min(before.length, after.length)
  let prefix = 0
  while (prefix < shorter && before.charCodeAt(prefix) === after.charCodeAt(prefix)) prefix++
  if (prefix > 0 && isHighSurrogate(before.charCodeAt(prefix - 1))) prefix--
  let suffix = 0
  while (
    suffix < shorter - prefix &&
    before.charCodeAt(before.length - 1 - suffix) === after.charCodeAt(after.length - 1 - suffix)
  ) {
    suffix++
  }
  if (suffix > 0 && isLowSurrogate(before.charCodeAt(before.length - suffix))) suffix--
  return { start: prefix, end: before.length - suffix, text: after.slice(prefix, after.length - suffix) }
}

function isHighSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xd800
}

function isLowSurrogate(code: number): boolean {
  return (code & 0xfc00) === 0xdc00
}

/** `text` after its editor's text became `modelText`: all that was not edited keeps its line ends. */
export function fromModelText(text: string, modelText: string): string {
  const edit = minimalEdit(toModelText(text), modelText)
  if (edit === null) return text
  const lineBreak = usualBreak(text)
  const edited =
    text.slice(0, fromModelOffset(text, edit.start)) +
    edit.text.replaceAll('\n', lineBreak) +
    text.slice(fromModelOffset(text, edit.end))
  // Beside a lone CR a new LF would read as one break with it: such a text takes one kind throughout.
  if (toModelText(edited) === modelText) return edited
  return (text.startsWith('\uFEFF') ? '\uFEFF' : '') + modelText.replaceAll('\n', lineBreak)
}

/**
 * `span` of `text` without the line breaks at its ends, so that what is shown of it is its own lines alone.
 */
export function withoutBreaks(text: string, span: Span): Span {
  let { start, end } = span
  while (end > start && isBreak(text.charAt(end - 1))) end--
  while (start < end && isBreak(text.charAt(start))) start++
  return { start, end }
}

function isBreak(char: string): boolean {
  return char === '\n' || char === '\r'
}

/** The number of lines of an editor's text; an empty text is one line. */
export function countLines(modelText: string): number {
  return modelText.split('\n').length
}

/** Columns are counted in code points, as everywhere else. */
export function countCodePoints(text: string): number {
  return text.replace(/[\ud800-\udbff][\udc00-\udfff]/g, '_').length
}

/** The line end that `text` uses most; LF when it has none. */
function usualBreak(text: string): string {
  const counts = { '\n': 0, '\r\n': 0, '\r': 0 }
  for (const [found] of text.matchAll(/\r\n?|\n/g)) counts[found as keyof typeof counts]++
  if (counts['\r\n'] > counts['\n'] && counts['\r\n'] >= counts['\r']) return '\r\n'
  return counts['\r'] > counts['\n'] ? '\r' : '\n'
}
