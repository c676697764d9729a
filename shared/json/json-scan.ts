/** What one pass over the characters of a JSON text shows; exact for texts that are JSON. */
export interface JsonScan {
  /** The deepest nesting of lists and objects. Of a text that is no JSON: at least that of its part before the fault. */
  readonly depth: number
  /** Members of all objects, a repeated key counted as often as it is there. */
  readonly members: number
  /** Whether some number is an integer by value but not as written (`1.0`, `1e3`, `-0`). */
  readonly hasIntegralFloats: boolean
}

const QUOTE = 0x22
const BACKSLASH = 0x5c
const COLON = 0x3a
const MINUS = 0x2d
const OPEN_BRACKET = 0x5b
const CLOSE_BRACKET = 0x5d
const OPEN_BRACE = 0x7b
const CLOSE_BRACE = 0x7d

const NUMBER = /-?[\d.eE+-]*/y

/**
 * Whether a number is written as a float: with a fraction, an exponent, or as the minus zero only floats
 * have.
 */
export function isFloatLexeme(lexeme: string): boolean {
  return /[.eE]/.test(lexeme) || lexeme === '-0'
}

/** Looks over `text` once, without tokens: thousands of files are read when a lab is opened. */
export function scanJson(text: string): JsonScan {
  let depth = 0
  let deepest = 0
  let members = 0
  let hasIntegralFloats = false
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code === QUOTE) i = endOfString(text, i)
    else if (code === COLON) members++
    else if (code === OPEN_BRACE || code === OPEN_BRACKET) deepest = Math.max(deepest, ++depth)
    else if (code === CLOSE_BRACE || code === CLOSE_BRACKET) depth--
    else if (code === MINUS || (code >= 0x30 && code <= 0x39)) {
      NUMBER.lastIndex = i
      const lexeme = NUMBER.exec(text)?.[0] ?? ''
      hasIntegralFloats ||= isFloatLexeme(lexeme) && Number.isInteger(Number(lexeme))
      i += Math.max(lexeme.length - 1, 0)
    }
  }
  return { depth: deepest, members, hasIntegralFloats }
}

/** The offset of the quote that ends the string begun at `start`; the text's end when none does. */
export function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let escapes = 0
    while (text.charCodeAt(end - 1 - escapes) === BACKSLASH) escapes++
    if (escapes % 2 === 0) return end
  }
  return text.length
}

/** The members of all objects of `value`, as `JSON.parse` gave it: of a repeated key only the last is there. */
export function countMembers(value: unknown): number {
  if (typeof value !== 'object' || value === null) return 0
  if (Array.isArray(value)) {
    let inItems = 0
    for (const item of value) if (typeof item === 'object') inItems += countMembers(item)
    return inItems
  }
  let count = 0
  for (const inner of Object.values(value)) count += 1 + countMembers(inner)
  return count
}
