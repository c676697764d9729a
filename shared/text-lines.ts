import type { Place, TextRange } from './problem.ts'

/** A stretch of a text in UTF-16 offsets, `end` exclusive: what is kept until a problem needs lines and columns. */
export interface Span {
  readonly start: number
  readonly end: number
}

/**
 * Turns UTF-16 offsets of one text into 1-based lines and columns. Lines end at LF, CRLF or CR; columns count code
 * points, as editors and compilers print them. A leading byte order mark takes no column.
 */
export class TextLines {
  readonly text: string
  /** Found when first asked for: most texts have no problem to place. */
  #lineStarts: readonly number[] | null = null
  /** For each long line that was asked about, how many code points stand before each of its marks. */
  readonly #marks = new Map<number, readonly number[]>()

  constructor(text: string) {
    this.text = text
  }

  get #starts(): readonly number[] {
    if (this.#lineStarts) return this.#lineStarts
    const starts = [0]
    for (let i = 0; i < this.text.length; i++) {
      const code = this.text.charCodeAt(i)
      if (code === 0x0a || (code === 0x0d && this.text.charCodeAt(i + 1) !== 0x0a)) starts.push(i + 1)
    }
    this.#lineStarts = starts
    return starts
  }

  /** The place of `offset`, which is clamped to the text. */
  placeAt(offset: number): Place {
    const at = Math.max(0, Math.min(offset, this.text.length))
    const starts = this.#starts
    let low = 0
    let high = starts.length - 1
    while (low < high) {
      const middle = (low + high + 1) >> 1
      if ((starts[middle] ?? 0) <= at) low = middle
      else high = middle - 1
    }
    const start = starts[low] ?? 0
    const hasMark = start === 0 && at > 0 && this.text.startsWith('\uFEFF')
    return { offset: at, line: low + 1, column: 1 + this.#codePoints(low, start, at) - (hasMark ? 1 : 0) }
  }

  /** The code points from `start`, where line number `line` (from 0) begins, to `at` in it. */
  #codePoints(line: number, start: number, at: number): number {
    if (at - start <= MARK_DISTANCE) return countCodePoints(this.text, start, at)
    // A file without line breaks is one line of megabytes: it is counted once, and then from its marks.
    const marks = this.#marks.get(line) ?? this.#markLine(start, this.#starts[line + 1] ?? this.text.length)
    this.#marks.set(line, marks)
    const mark = Math.floor((at - start) / MARK_DISTANCE)
    return (marks[mark] ?? 0) + countCodePoints(this.text, start + mark * MARK_DISTANCE, at)
  }

  #markLine(start: number, end: number): readonly number[] {
    const marks = [0]
    let count = 0
    for (let from = start; from + MARK_DISTANCE <= end; from += MARK_DISTANCE) {
      count += countCodePoints(this.text, from, from + MARK_DISTANCE)
      marks.push(count)
    }
    return marks
  }

  /** The lines and columns of `span`. */
  range(span: Span): TextRange {
    return { start: this.placeAt(span.start), end: this.placeAt(Math.max(span.start, span.end)) }
  }

  /** The text of 1-based `line`, without its line break; empty when there is no such line. */
  line(line: number): string {
    const { start, end } = this.lineSpan(line)
    return this.text.slice(start, end)
  }

  /** Where 1-based `line` stands, without its line break; nothing at the start when there is no such line. */
  lineSpan(line: number): Span {
    const start = this.#starts[line - 1]
    if (start === undefined) return { start: 0, end: 0 }
    let end = this.#starts[line] ?? this.text.length
    while (end > start && /[\r\n]/.test(this.text.charAt(end - 1))) end--
    return { start, end }
  }
}

/** UTF-16 units between the marks of a long line. */
const MARK_DISTANCE = 1024

/**
 * Code points of `text` from `start` to `end`: all units but the second ones of pairs. A pair that `end` cuts in two
 * counts as one, and what is left of it when counting goes on as none.
 */
function countCodePoints(text: string, start: number, end: number): number {
  let count = 0
  for (let i = start; i < end; i++) if (!isPairEnd(text, i)) count++
  return count
}

function isPairEnd(text: string, i: number): boolean {
  return (text.charCodeAt(i) & 0xfc00) === 0xdc00 && (text.charCodeAt(i - 1) & 0xfc00) === 0xd800
}
