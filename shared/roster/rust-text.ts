/** Text as Rust's standard library sees and prints it, where JavaScript's own functions differ. */

const WHITE_SPACE = /^\p{White_Space}$/u
const WORD = /[^\p{White_Space}]+/u
const ESCAPED_IN_DEBUG = /["\\\p{C}\p{Z}\p{Grapheme_Extend}]/gu

/**
 * `text` without Unicode White_Space at its ends (Rust: `str::trim`; U+0085 is a space there, U+FEFF is not).
 */
export function trimWhiteSpace(text: string): string {
  let start = 0
  let end = text.length
  while (start < end && WHITE_SPACE.test(text.charAt(start))) start++
  while (end > start && WHITE_SPACE.test(text.charAt(end - 1))) end--
  return text.slice(start, end)
}

/** The first stretch of `text` that is no White_Space, or null (Rust: `split_whitespace().next()`). */
export function firstWord(text: string): string | null {
  return WORD.exec(text)?.[0] ?? null
}

/** `text` with A to Z in lower case and nothing else changed (Rust: `to_ascii_lowercase`). */
export function asciiLowercase(text: string): string {
  return text.replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
}

/**
 * `text` in double quotes as Rust's `{:?}` prints it: control characters, unassigned and private code points,
 * spaces other than U+0020, and marks that extend the character before them are escaped.
 */
export function debugQuoted(text: string): string {
  return `"${text.replace(ESCAPED_IN_DEBUG, escapeInDebug)}"`
}

function escapeInDebug(char: string): string {
  switch (char) {
    case ' ':
      return char
    case '"':
    case '\\':
      return `\\${char}`
    case '\0':
      return '\\0'
    case '\t':
      return '\\t'
    case '\n':
      return '\\n'
    case '\r':
      return '\\r'
    default:
      return `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`
  }
}
