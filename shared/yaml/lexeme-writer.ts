import { CST } from 'yaml'
import { breakLength } from './characters.ts'

/**
 * Flow collections within flow collections that are handed on. A deeper one is handed on as a scalar of one
 * character and white space, since the library's parser would exhaust the stack, and no reader looks as deep.
 */
const MAX_FLOW_DEPTH = 160

/** Hands stretches of a text to the `yaml` library's parser in the form that it takes. */
export class LexemeWriter {
  readonly #text: string
  readonly #handOn: (lexeme: string) => void
  readonly #hasOddBreaks: boolean
  #flowDepth = 0

  constructor(text: string, handOn: (lexeme: string) => void) {
    this.#text = text
    this.#handOn = handOn
    this.#hasOddBreaks = /\x85|\r(?!\n)/.test(text)
  }

  /** Hands on a control character of the parser. */
  control(character: typeof CST.BOM | typeof CST.DOCUMENT | typeof CST.SCALAR): void {
    if (character !== CST.SCALAR || this.#flowDepth <= MAX_FLOW_DEPTH) this.#handOn(character)
  }

  /** Hands on a stretch of the text as one lexeme. */
  stretch(from: number, to: number): void {
    this.#emit(this.#slice(from, to))
  }

  /** The white space of one line; a byte order mark is a space. */
  blanks(from: number, to: number): void {
    if (to > from) this.#emit(this.#slice(from, to).replace('\uFEFF', ' '))
  }

  /** White space in place of a stretch that is refused. */
  asBlanks(from: number, to: number): void {
    this.#emit(' '.repeat(to - from))
  }

  /**
   * A quoted scalar of the same length in place of one that is refused: the parser would find its faults
   * again.
   */
  asQuoted(from: number, to: number): void {
    const quote = this.#text.charAt(from)
    this.#emit(`${quote}${'x'.repeat(Math.max(0, to - from - 2))}${quote}`)
  }

  /** The lines of a block scalar, where the library knows no other line breaks than LF and CRLF. */
  blockLines(from: number, to: number): void {
    this.#emit(this.#slice(from, to).replace(/[\u2028\u2029]/g, '\n'))
  }

  /** The line break at `at`; answers how long it is. */
  lineBreak(at: number): number {
    const length = breakLength(this.#text, at)
    this.#emit(length === 2 ? '\r\n' : '\n')
    return length
  }

  openFlow(bracket: string): void {
    this.#flowDepth++
    if (this.#flowDepth === MAX_FLOW_DEPTH + 1) {
      this.#handOn(CST.SCALAR)
      this.#handOn('~')
    } else this.#emit(bracket)
  }

  closeFlow(bracket: string): void {
    this.#emit(bracket)
    this.#flowDepth--
  }

  /** A stretch of the text; line breaks that the library does not know become LF. */
  #slice(from: number, to: number): string {
    const slice = this.#text.slice(from, to)
    return this.#hasOddBreaks ? slice.replace(/\x85|\r(?!\n)/g, '\n') : slice
  }

  #emit(lexeme: string): void {
    this.#handOn(this.#flowDepth <= MAX_FLOW_DEPTH ? lexeme : ' '.repeat(lexeme.length))
  }
}
