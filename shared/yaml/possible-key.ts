import { utf8Length } from '../utf8.ts'

/** Where a token begins. Columns count from 0. */
export interface TokenPlace {
  readonly at: number
  readonly line: number
  readonly column: number
}

/** A place where a key may have begun, until it is known whether a `:` follows. */
export interface PossibleKey extends TokenPlace {
  /** Nothing but a key can stand there. */
  readonly isRequired: boolean
}

/** Most bytes of UTF-8 from the start of a key to its `:`. */
const MAX_KEY_BYTES = 1024

/** Whether a `:` at `place` still makes a key of what began at `key`. */
export function canBeKey(text: string, key: PossibleKey, { at, line }: TokenPlace): boolean {
  const units = at - key.at
  if (key.line !== line || units > MAX_KEY_BYTES) return false
  // No UTF-16 unit takes more than three bytes.
  return units * 3 <= MAX_KEY_BYTES || utf8Length(text.slice(key.at, at)) <= MAX_KEY_BYTES
}
