import { utf8Length } from '../utf8.ts'

/** Where a token begins. Columns count from 0. */
export interface TokenPlace {
  readonly at: number
  readonly line: number
  readonly column: number
}

/** A token that turns out to be a key if a `:` follows in time. */
interface PossibleKey extends TokenPlace {
  /** How many tokens came before it. */
  readonly token: number
  /** Nothing but a key can stand there. */
  readonly isRequired: boolean
}

/** Most bytes of UTF-8 from the start of a key to its `:`. */
const MAX_KEY_BYTES = 1024

/**
 * The tokens that may turn out to be keys: at most one for the block level and for each flow collection that
 * is open. Outer ones are older, so they pass out of reach first; every question costs the same however deep
 * the collections are.
 */
export class PossibleKeys {
  readonly #text: string
  readonly #levels: (PossibleKey | null)[] = [null]
  /** Levels below this one have none. */
  #lowest = 1

  constructor(text: string) {
    this.#text = text
  }

  /** Whether the innermost level's key begins at `at`. */
  beginsAt(at: number): boolean {
    return this.#levels.at(-1)?.at === at
  }

  /** The number of the earliest token that may still turn out to be a key; null when there is none. */
  get earliestToken(): number | null {
    return this.#levels[this.#lowest]?.token ?? null
  }

  openLevel(): void {
    this.#levels.push(null)
  }

  closeLevel(): void {
    if (this.#levels.length === 1) return
    this.#levels.pop()
    this.#lowest = Math.min(this.#lowest, this.#levels.length)
  }

  save(key: PossibleKey): void {
    const level = this.#levels.length - 1
    this.#levels[level] = key
    this.#lowest = Math.min(this.#lowest, level)
  }

  /** Takes the innermost level's key, of which a key is made. */
  take(): PossibleKey | null {
    const level = this.#levels.length - 1
    const key = this.#levels[level] ?? null
    this.#levels[level] = null
    if (this.#lowest === level) this.#lowest = level + 1
    return key
  }

  /** Gives up the innermost level's key; answers where it stands if nothing but a key can stand there. */
  drop(): number | null {
    const key = this.take()
    return key?.isRequired === true ? key.at : null
  }

  /**
   * Gives up the keys that a `:` at `at` on `line` is too late for: on a later line, or too far away. Answers where
   * one of them stands if nothing but a key can stand there.
   */
  dropStale(at: number, line: number): number | null {
    let required: number | null = null
    while (this.#lowest < this.#levels.length) {
      const key = this.#levels[this.#lowest] ?? null
      if (key) {
        if (!this.#isStale(key, at, line)) break
        if (key.isRequired) required = key.at
        this.#levels[this.#lowest] = null
      }
      this.#lowest++
    }
    return required
  }

  #isStale(key: PossibleKey, at: number, line: number): boolean {
    if (key.line !== line) return true
    const units = at - key.at
    if (units > MAX_KEY_BYTES) return true
    // No UTF-16 unit takes more than three bytes.
    return units * 3 > MAX_KEY_BYTES && utf8Length(this.#text.slice(key.at, at)) > MAX_KEY_BYTES
  }
}
