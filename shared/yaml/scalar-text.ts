import { breakLength, isBlank, isBreak, isBreakOrEnd, LINE_SEPARATORS } from './characters.ts'
import type { ScalarSource } from './tokens.ts'

/** The texts that scalars stand for, with line breaks folded and escapes resolved (docs/reference.md Y3 and Y9). */

/** The text of `scalar`, which is written in `source`. */
export function scalarText(source: string, scalar: ScalarSource): string {
  if (scalar.isVerbatim) return source.slice(scalar.from, scalar.to)
  switch (scalar.style) {
    case 'plain':
    case 'single':
    case 'double':
      return foldedLines(source, scalar)
    case 'literal':
    case 'folded':
      return blockText(source, scalar)
  }
}

/** The break at `at` as it counts in a text: LF, except for the separators of lines and paragraphs. */
function breakText(source: string, at: number): string {
  return LINE_SEPARATORS.has(source.charCodeAt(at)) ? source.charAt(at) : '\n'
}

/** A plain or quoted scalar over several lines, or one with escapes. */
function foldedLines(source: string, { style, from, to }: ScalarSource): string {
  const parts: string[] = []
  let at = from
  while (at < to) {
    const start = at
    let isEscapedBreak = false
    while (at < to) {
      const code = source.charCodeAt(at)
      if (isBlank(code) || isBreak(code)) break
      if (style === 'double' && code === BACKSLASH) {
        parts.push(source.slice(start, at))
        if (isBreak(source.charCodeAt(at + 1))) isEscapedBreak = true
        break
      }
      at++
    }
    if (at < to && source.charCodeAt(at) === BACKSLASH && style === 'double') {
      if (!isEscapedBreak) {
        const { text, end } = resolveEscape(source, at, to)
        parts.push(text)
        at = end
        continue
      }
      at++
      at += breakLength(source, at)
    } else parts.push(source.slice(start, at))
    const { text, end } = readBlanks(source, at, to, isEscapedBreak)
    parts.push(text)
    at = end
  }
  const text = parts.join('')
  return style === 'single' ? text.replaceAll("''", "'") : text
}

/** White space between words: as it is within a line; line breaks are folded, of which an escaped one is none. */
function readBlanks(
  source: string,
  from: number,
  to: number,
  isBehindEscapedBreak: boolean,
): { text: string; end: number } {
  let at = from
  let blanksEnd = from
  let first: string | null = isBehindEscapedBreak ? '' : null
  let further = ''
  for (; at < to;) {
    const code = source.charCodeAt(at)
    if (isBreak(code)) {
      const text = breakText(source, at)
      if (first === null) first = text
      else further += text
      at += breakLength(source, at)
    } else if (isBlank(code)) {
      at++
      if (first === null) blanksEnd = at
    } else break
  }
  if (first === null) return { text: source.slice(from, blanksEnd), end: at }
  if (first === '\n') return { text: further === '' ? ' ' : further, end: at }
  return { text: first + further, end: at }
}

const BACKSLASH = 0x5c

const ESCAPED: ReadonlyMap<string, string> = new Map([
  ['0', '\0'],
  ['a', '\x07'],
  ['b', '\b'],
  ['t', '\t'],
  ['\t', '\t'],
  ['n', '\n'],
  ['v', '\v'],
  ['f', '\f'],
  ['r', '\r'],
  ['e', '\x1b'],
  [' ', ' '],
  ['"', '"'],
  ['/', '/'],
  ['\\', '\\'],
  ['N', '\x85'],
  ['_', '\xa0'],
  ['L', '\u2028'],
  ['P', '\u2029'],
])

/** The digits of an escape that gives the number of a character. */
const ESCAPE_DIGITS: ReadonlyMap<string, number> = new Map([
  ['x', 2],
  ['u', 4],
  ['U', 8],
])

/** An escape as it is written, or null where there is none behind the backslash at `at`. */
export function readEscape(source: string, at: number): { text: string | null; digits: number } | null {
  const kind = source.charAt(at + 1)
  const simple = ESCAPED.get(kind)
  if (simple !== undefined) return { text: simple, digits: 0 }
  const digits = ESCAPE_DIGITS.get(kind)
  if (digits === undefined) return null
  const hex = source.slice(at + 2, at + 2 + digits)
  if (hex.length < digits || !/^[0-9A-Fa-f]+$/.test(hex)) return { text: null, digits }
  const code = parseInt(hex, 16)
  const isCharacter = code <= 0x10ffff && !(code >= 0xd800 && code <= 0xdfff)
  return { text: isCharacter ? String.fromCodePoint(code) : null, digits }
}

function resolveEscape(source: string, at: number, to: number): { text: string; end: number } {
  const escape = readEscape(source, at)
  // What is refused stays as it is written.
  if (escape?.text === null || !escape) return { text: '\\', end: at + 1 }
  return { text: escape.text, end: Math.min(to, at + 2 + escape.digits) }
}

/** A block scalar's lines without their indentation; the folded style joins those that begin with a word. */
function blockText(source: string, { style, from, to, indent, chomping }: ScalarSource): string {
  const parts: string[] = []
  let leadingBreak = ''
  let trailingBreaks = ''
  let beganBlank = false
  let at = from
  const readBreaks = (): boolean => {
    for (;;) {
      const line = at
      while (at < to && at - line < indent && source.charCodeAt(at) === 0x20) at++
      if (at < to && isBreak(source.charCodeAt(at))) {
        trailingBreaks += breakText(source, at)
        at += breakLength(source, at)
      } else return at < to && at - line === indent
    }
  }
  while (readBreaks()) {
    const beginsBlank = isBlank(source.charCodeAt(at))
    if (style === 'folded' && leadingBreak === '\n' && !beganBlank && !beginsBlank) {
      if (trailingBreaks === '') parts.push(' ')
    } else parts.push(leadingBreak)
    parts.push(trailingBreaks)
    leadingBreak = ''
    trailingBreaks = ''
    beganBlank = beginsBlank
    const start = at
    while (at < to && !isBreakOrEnd(source.charCodeAt(at))) at++
    parts.push(source.slice(start, at))
    if (at < to) {
      leadingBreak = breakText(source, at)
      at += breakLength(source, at)
    }
  }
  if (chomping !== 'strip') parts.push(leadingBreak)
  if (chomping === 'keep') parts.push(trailingBreaks)
  return parts.join('')
}
