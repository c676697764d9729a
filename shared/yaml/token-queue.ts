import type { Token } from './tokens.ts'

/** Tokens that are taken stay in the queue until there are so many. */
const FORGET_AFTER = 4096

/** The tokens that were scanned and not yet taken, in the order of the text; each has a number for ever. */
export class TokenQueue {
  #tokens: Token[] = []
  #head = 0
  /** How many tokens were taken: the number of the first in the queue. */
  #taken = 0
  #isClosed = false

  get first(): Token | undefined {
    return this.#tokens[this.#head]
  }

  get firstNumber(): number {
    return this.#taken
  }

  /** The number of the token that is added next. */
  get nextNumber(): number {
    return this.#taken + this.#tokens.length - this.#head
  }

  add(token: Token): void {
    if (!this.#isClosed) this.#tokens.push(token)
  }

  /** Puts `token` before the one of this number. */
  insert(number: number, token: Token): void {
    if (!this.#isClosed) this.#tokens.splice(number - this.#taken + this.#head, 0, token)
  }

  /** Takes the first token. */
  take(): void {
    this.#head++
    this.#taken++
    if (this.#head < FORGET_AFTER && this.#head < this.#tokens.length) return
    this.#tokens = this.#tokens.slice(this.#head)
    this.#head = 0
  }

  /** Drops what it holds and takes no more. */
  close(): void {
    this.#isClosed = true
    this.#tokens = []
    this.#head = 0
  }
}
