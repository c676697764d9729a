import type { Span } from '../text-lines.ts'
import { breakLength, BYTE_ORDER_MARK, isBreakOrEnd, SPACE, TAB } from './characters.ts'
import type { TokenPlace } from './possible-keys.ts'

/** How far a text is read, and the comments that were passed. */
export class TextCursor {
  /** In the order of the text. */
  readonly comments: Span[] = []
  readonly text: string
  at: number
  line = 0
  lineStart: number

  constructor(text: string, start: number) {
    this.text = text
    this.at = start
    this.lineStart = start
  }

  get isAtLineStart(): boolean {
    return this.at === this.lineStart
  }

  get place(): TokenPlace {
    return { at: this.at, line: this.line, column: this.at - this.lineStart }
  }

  /**
   * Passes white space and a comment on one line, and the line break; answers whether a line break came.
   * `refuseTab` is null where tabs separate tokens.
   */
  skipLine(refuseTab: ((at: number) => void) | null): boolean {
    const { text } = this
    if (this.isAtLineStart && text.charCodeAt(this.at) === BYTE_ORDER_MARK) this.at++
    for (;;) {
      const code = text.charCodeAt(this.at)
      if (code === TAB) refuseTab?.(this.at)
      else if (code !== SPACE) break
      this.at++
    }
    if (text.charAt(this.at) === '#') {
      const start = this.at
      while (!isBreakOrEnd(text.charCodeAt(this.at))) this.at++
      this.comments.push({ start, end: this.at })
    }
    if (this.at >= text.length || !isBreakOrEnd(text.charCodeAt(this.at))) return false
    this.at += breakLength(text, this.at)
    this.lineStart = this.at
    this.line++
    return true
  }

  /** Goes on behind a scalar that took line breaks. */
  resume(at: number, lineStart: number, breaks: number): void {
    this.at = at
    this.lineStart = lineStart
    this.line += breaks
  }
}
