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
  /** The place given out last, from which the columns of its line are counted on. */
  #lastPlace: Place = { offset: 0, line: 1, column: 1 }

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
    // Places are mostly asked for in text order, and a file without line breaks is one line of megabytes.
    const last = this.#lastPlace
    const inPair = (this.text.charCodeAt(last.offset) & 0xfc00) === 0xdc00
    const resumed = last.line === low + 1 && last.offset <= at && !inPair
    let column = resumed ? last.column : 1
    for (const char of this.text.slice(resumed ? last.offset : start, at)) {
      if (char !== '\uFEFF' || start !== 0 || column !== 1) column++
    }
    this.#lastPlace = { offset: at, line: low + 1, column }
    return this.#lastPlace
  }

  /** The lines and columns of `span`. */
  range(span: Span): TextRange {
    return { start: this.placeAt(span.start), end: this.placeAt(Math.max(span.start, span.end)) }
  }

  /** The text of 1-based `line`, without its line break; empty when there is no such line. */
  line(line: number): string {
    const start = this.#starts[line - 1]
    if (start === undefined) return ''
    return this.text.slice(start, this.#starts[line] ?? this.text.length).replace(/[\r\n]+$/, '')
  }
}
