import { fault, type ScanFault } from './scan-fault.ts'

/**
 * Characters as YAML 1.1 sorts them, by UTF-16 code; NaN stands for the end of the text, as it does for
 * `charCodeAt`.
 */

export const TAB = 0x09
export const SPACE = 0x20
export const HASH = 0x23
export const BYTE_ORDER_MARK = 0xfeff

/** The line breaks that stay what they are within a scalar (U+2028 and U+2029); the others count as LF. */
export const LINE_SEPARATORS: ReadonlySet<number> = new Set([0x2028, 0x2029])

export function isBreak(code: number): boolean {
  return code === 0x0a || code === 0x0d || code === 0x85 || code === 0x2028 || code === 0x2029
}

export function isBlank(code: number): boolean {
  return code === SPACE || code === TAB
}

/** Whether `code` is white space or the end of the text. */
export function isBlankOrEnd(code: number): boolean {
  return isBlank(code) || isBreak(code) || Number.isNaN(code)
}

export function isBreakOrEnd(code: number): boolean {
  return isBreak(code) || Number.isNaN(code)
}

/** How many UTF-16 units the line break at `at` takes. */
export function breakLength(text: string, at: number): number {
  return text.charCodeAt(at) === 0x0d && text.charCodeAt(at + 1) === 0x0a ? 2 : 1
}

/** Whether `---` or `...` stands at `at` (which is a line's start) with white space behind it. */
export function isDocumentMarker(text: string, at: number): boolean {
  return (text.startsWith('---', at) || text.startsWith('...', at)) && isBlankOrEnd(text.charCodeAt(at + 3))
}

/** What YAML 1.1 does not print; an unpaired surrogate is among it, as it is no character at all. */
const FORBIDDEN = /[^\t\n\r\x20-\x7E\x85\xA0-\uD7FF\uE000-\uFFFD\u{10000}-\u{10FFFF}]/gu

/**
 * The characters of `text` that may stand nowhere in a YAML text, not even in a comment: the first `limit` of
 * them.
 */
export function forbiddenCharacters(text: string, limit: number): ScanFault[] {
  const faults: ScanFault[] = []
  for (const { 0: char, index: at } of text.matchAll(FORBIDDEN)) {
    const code = char.codePointAt(0) ?? 0
    const name = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
    const advice =
      code < 0x100 ? `write \\x${code.toString(16).padStart(2, '0')} in double quotes` : 'remove it'
    faults.push(fault(at, `the character ${name} is not allowed in YAML: ${advice}`, 'token'))
    if (faults.length === limit) break
  }
  return faults
}
