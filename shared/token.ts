const TOKEN = /^[A-Za-z0-9][A-Za-z0-9._+:-]*$/

/**
 * Whether `text` is a plain token of at most `maxBytes` bytes (docs/formats.md, "Roster"). Tokens are ASCII, so bytes
 * are characters.
 */
export function isToken(text: string, maxBytes: number): boolean {
  return text.length <= maxBytes && TOKEN.test(text)
}

/** Longest role id and exclude entry, in bytes. */
export const MAX_ROLE_BYTES = 64
/** Longest model name in an inference spec, in bytes. */
export const MAX_MODEL_BYTES = 128

/** Whether `text` is 64 lower-case hex digits, the form of a BLAKE3 hash and of a package id. */
export function isHash(text: string): boolean {
  return text.length === 64 && /^[0-9a-f]{64}$/.test(text)
}

/** Compares texts by code points, which is the order of their UTF-8 bytes (UTF-16 order differs beyond U+FFFF). */
export function compareCodePoints(a: string, b: string): number {
  const length = Math.min(a.length, b.length)
  for (let i = 0; i < length; i++) {
    const x = a.charCodeAt(i)
    const y = b.charCodeAt(i)
    if (x === y) continue
    // A surrogate stands for a code point above every other UTF-16 unit, whatever its own number.
    const xHigh = x >= 0xd800 && x <= 0xdfff
    const yHigh = y >= 0xd800 && y <= 0xdfff
    if (xHigh !== yHigh) return xHigh ? 1 : -1
    return x - y
  }
  return a.length - b.length
}
