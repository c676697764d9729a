import type { Span } from '../text-lines.ts'

/** `column`: a leading byte order mark takes the first column, as in the reference; `skip`: it takes no room. */
export type ByteOrderMark = 'column' | 'skip'

/** Every character that YAML 1.1 does not print; an unpaired surrogate is one too, as it is no character at all. */
const FORBIDDEN = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/u

const ODD_BREAK = /[\x85\u2028\u2029]|\r(?!\n)/
const ODD_BREAKS = new RegExp(ODD_BREAK, 'g')
const BYTE_ORDER_MARK = '\uFEFF'

/** The first character that may stand nowhere in a YAML text, not even in a comment. */
export function findForbiddenCharacter(text: string): { message: string; span: Span } | null {
  const match = FORBIDDEN.exec(text)
  if (!match) return null
  const code = match[0].codePointAt(0) ?? 0
  const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  const advice = code < 0x100 ? `write "\\x${code.toString(16).padStart(2, '0')}" in double quotes` : 'remove it'
  const message = `the control character ${name} is not allowed in YAML: ${advice}`
  return { message, span: { start: match.index, end: match.index + match[0].length } }
}

/**
 * The text with the line breaks of YAML 1.1 that the `yaml` library does not know (a lone CR, U+0085, U+2028, U+2029)
 * as LF, and a leading byte order mark as the space that it is to the reference. Offsets stay what they are.
 */
export function normalizeBreaks(text: string, byteOrderMark: ByteOrderMark): string {
  const marked = byteOrderMark === 'column' && text.startsWith(BYTE_ORDER_MARK) ? ` ${text.slice(1)}` : text
  return ODD_BREAK.test(marked) ? marked.replace(ODD_BREAKS, '\n') : marked
}
