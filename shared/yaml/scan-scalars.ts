import {
  breakLength,
  HASH,
  isBlank,
  isBlankOrEnd,
  isBreak,
  isBreakOrEnd,
  isDocumentMarker,
  SPACE,
  TAB,
} from './characters.ts'
import { readEscape } from './scalar-text.ts'
import { fault, TAB_MESSAGE, type ScanFault } from './scan-fault.ts'
import type { Chomping, ScalarSource, ScalarStyle } from './tokens.ts'

/**
 * How far single tokens of YAML 1.1 reach (as libyaml reads it, docs/reference.md Y1). Each rule is a
 * function of the text and an offset; none remembers anything.
 */

/** A token's reach: its content ends at `end`; what is read with it, white space included, at `resume`. */
export interface Reach {
  readonly end: number
  readonly resume: number
  /** The start of the line that `resume` is on, and how many lines below the token's first it is. */
  readonly lineStart: number
  readonly breaks: number
  /** Whether a line break was read behind the content. */
  readonly endsLine: boolean
  /** Whether the content means what it says: no line break in it is folded and no escape resolved. */
  readonly isVerbatim: boolean
  readonly faults: readonly ScanFault[]
}

const COLON = 0x3a
const FLOW_INDICATORS = new Set(Array.from(',[]{}', (char) => char.charCodeAt(0)))
const REFUSED_AFTER_COLON = new Set(Array.from(',?[]{}', (char) => char.charCodeAt(0)))

/**
 * A plain scalar from `start`. `indent` is the column it must keep to on its further lines, which in a flow
 * collection binds only tabs.
 */
export function scanPlain(
  text: string,
  start: number,
  lineStart: number,
  indent: number,
  inFlow: boolean,
): Reach {
  const faults: ScanFault[] = []
  let at = start
  let end = start
  let line = lineStart
  let breaks = 0
  let atLineStart = false
  let isVerbatim = true
  for (;;) {
    if (at === line && isDocumentMarker(text, at)) break
    if (text.charCodeAt(at) === HASH) break
    const wordStart = at
    for (;;) {
      const code = text.charCodeAt(at)
      if (isBlankOrEnd(code)) break
      if (code === COLON) {
        const next = text.charCodeAt(at + 1)
        if (inFlow && REFUSED_AFTER_COLON.has(next)) {
          faults.push(fault(at, 'a `:` in a flow collection needs a space behind it', 'token'))
        }
        if (isBlankOrEnd(next)) break
      } else if (inFlow && FLOW_INDICATORS.has(code)) break
      at++
    }
    if (at > wordStart) {
      if (atLineStart) isVerbatim = false
      end = at
      atLineStart = false
    }
    const code = text.charCodeAt(at)
    if (!isBlank(code) && !isBreak(code)) break
    for (;;) {
      const blank = text.charCodeAt(at)
      if (isBreak(blank)) {
        at += breakLength(text, at)
        line = at
        breaks++
        atLineStart = true
      } else if (isBlank(blank)) {
        if (blank === TAB && atLineStart && at - line < indent) faults.push(fault(at, TAB_MESSAGE, 'nearby'))
        at++
      } else break
    }
    if (!inFlow && at - line < indent) break
  }
  return {
    end,
    resume: at,
    lineStart: line,
    breaks,
    endsLine: atLineStart,
    isVerbatim,
    faults,
  }
}

/** A quoted scalar from its opening quote at `start`. */
export function scanQuoted(text: string, start: number, lineStart: number): Reach {
  const faults: ScanFault[] = []
  const quote = text.charAt(start)
  const isDouble = quote === '"'
  let at = start + 1
  let line = lineStart
  let breaks = 0
  let isVerbatim = true
  const skipBreak = (): void => {
    at += breakLength(text, at)
    line = at
    breaks++
    isVerbatim = false
  }
  const quotedTo = (end: number, found: readonly ScanFault[]): Reach => {
    return { end, resume: end, lineStart: line, breaks, endsLine: false, isVerbatim, faults: found }
  }
  for (;;) {
    const code = text.charCodeAt(at)
    if (at === line && isDocumentMarker(text, at)) {
      const message = `${text.slice(at, at + 3)} would end the document inside quotes: indent its line`
      return quotedTo(at, [...faults, fault(at, message)])
    }
    if (Number.isNaN(code)) {
      const message = `the ${isDouble ? 'double' : 'single'} quote has no end: close it with ${quote}`
      return quotedTo(at, [...faults, fault(start, message)])
    }
    if (isBreak(code)) skipBreak()
    else if (text.charAt(at) === quote) {
      if (isDouble || text.charAt(at + 1) !== quote) {
        return quotedTo(at + 1, faults)
      }
      at += 2
      isVerbatim = false
    } else if (isDouble && text.charAt(at) === '\\') {
      isVerbatim = false
      if (isBreak(text.charCodeAt(at + 1))) {
        at++
        skipBreak()
      } else {
        const escape = scanEscape(text, at, start)
        if (escape.fault && faults.length === 0) faults.push(escape.fault)
        at = escape.end
      }
    } else at++
  }
}

const WINDOWS_PATH = /^"(?:[A-Za-z]:|\\\\)/

function scanEscape(text: string, at: number, quote: number): { end: number; fault: ScanFault | null } {
  const kind = text.charAt(at + 1)
  const escape = readEscape(text, at)
  if (escape && escape.text !== null) return { end: at + 2 + escape.digits, fault: null }
  if (WINDOWS_PATH.test(text.slice(quote, quote + 3))) {
    const message =
      `\\${kind} does not stand for itself in double quotes, as in this Windows path: ` +
      'put it in single quotes, or write / for each backslash'
    return { end: at + 1, fault: fault(at, message, 'token') }
  }
  if (!escape) {
    const message = `\\${kind} is no escape in double quotes: write \\\\ for a backslash, or use single quotes`
    return { end: at + 1, fault: fault(at, message, 'token') }
  }
  const hex = text.slice(at + 2, at + 2 + escape.digits)
  const message =
    /^[0-9A-Fa-f]+$/.test(hex) && hex.length === escape.digits
      ? `\\${kind}${hex} is no character: write the character itself`
      : `\\${kind} needs ${escape.digits} hexadecimal digits behind it`
  return { end: at + 2, fault: fault(at, message, 'token') }
}

/** The parts of a block scalar from its `|` or `>`. */
export interface BlockScalar {
  /** The end of the header with the white space behind it, and of the comment there. */
  readonly blankEnd: number
  readonly commentEnd: number
  /** The scalar's lines, from the one below the header; they end where a line starts, or with the text. */
  readonly content: number
  readonly end: number
  readonly breaks: number
  /** The column of the scalar's lines, and what its header says of the last line breaks. */
  readonly indent: number
  readonly chomping: Chomping
  readonly fault: ScanFault | null
}

const BLOCK_HEADER = /[|>](?:[+-][0-9]?|[0-9][+-]?)?/y

/** A block scalar from its `|` or `>` at `start`, within a collection at column `indent` (-1 at the top). */
export function scanBlockScalar(text: string, start: number, indent: number): BlockScalar {
  BLOCK_HEADER.lastIndex = start
  const header = BLOCK_HEADER.exec(text)?.[0] ?? ''
  const headerEnd = start + header.length
  const increment = Number(/[0-9]/.exec(header)?.[0] ?? NaN)
  const chomping = header.includes('-') ? 'strip' : header.includes('+') ? 'keep' : 'clip'
  let blankEnd = headerEnd
  while (isBlank(text.charCodeAt(blankEnd))) blankEnd++
  let commentEnd = blankEnd
  if (text.charCodeAt(blankEnd) === HASH) while (!isBreakOrEnd(text.charCodeAt(commentEnd))) commentEnd++
  const stop = (found: ScanFault): BlockScalar => {
    const end = commentEnd
    return { blankEnd, commentEnd, content: end, end, breaks: 0, indent: 0, chomping, fault: found }
  }
  if (increment === 0)
    return stop(fault(start, 'a block scalar cannot be indented by 0: give 1 to 9, or nothing'))
  if (!isBreakOrEnd(text.charCodeAt(commentEnd))) {
    const message = `the text begins on the line below ${text.charAt(start)}: put it there, indented`
    return stop(fault(commentEnd, message))
  }
  const lines = scanBlockLines(text, commentEnd, indent, Number.isNaN(increment) ? null : increment)
  return { blankEnd, commentEnd, chomping, ...lines }
}

function scanBlockLines(
  text: string,
  headerEnd: number,
  parent: number,
  increment: number | null,
): Pick<BlockScalar, 'content' | 'end' | 'breaks' | 'indent' | 'fault'> {
  let at = headerEnd
  let line = at
  let breaks = 0
  const skipBreak = (): void => {
    if (!isBreak(text.charCodeAt(at))) return
    at += breakLength(text, at)
    line = at
    breaks++
  }
  let indent = increment === null ? 0 : Math.max(parent, 0) + increment
  /** Reads blank lines up to the next line's content; false where a tab stands in the indentation. */
  const skipBlankLines = (): boolean => {
    let deepest = 0
    for (;;) {
      while ((indent === 0 || at - line < indent) && text.charCodeAt(at) === SPACE) at++
      deepest = Math.max(deepest, at - line)
      if ((indent === 0 || at - line < indent) && text.charCodeAt(at) === TAB) return false
      if (!isBreak(text.charCodeAt(at))) break
      skipBreak()
    }
    if (indent === 0) indent = Math.max(deepest, parent + 1, 1)
    return true
  }

  skipBreak()
  const content = at
  let clean = skipBlankLines()
  while (clean && at - line === indent && at < text.length) {
    while (!isBreakOrEnd(text.charCodeAt(at))) at++
    if (at === text.length) break
    skipBreak()
    clean = skipBlankLines()
  }
  const end = at === text.length ? at : line
  return { content, end, breaks, indent, fault: clean ? null : fault(at, TAB_MESSAGE) }
}

/** A plain or quoted scalar. */
export function onLine(style: ScalarStyle, isVerbatim: boolean, from: number, to: number): ScalarSource {
  return { kind: 'scalar', style, isVerbatim, from, to, indent: 0, chomping: 'clip' }
}

/** Where a block scalar at `start` ends without the blank lines behind its text. */
export function writtenEnd(text: string, start: number, scalar: BlockScalar): number {
  let end = scalar.end
  while (end > start && isBlankOrEnd(text.charCodeAt(end - 1))) end--
  return end <= scalar.content ? Math.min(end, scalar.blankEnd) : end
}
