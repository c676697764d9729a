/** The bytes `text` takes in UTF-8; a lone surrogate counts as the three bytes of its replacement. */
export function utf8Length(text: string): number {
  let bytes = text.length
  for (let i = 0; i < text.length; i++) {
    const code = text.charCodeAt(i)
    if (code < 0x80) continue
    bytes += code < 0x800 ? 1 : 2
    // A surrogate pair is two units and four bytes: the two more are counted at its first unit.
    if (code >= 0xd800 && code <= 0xdbff && isLowSurrogate(text.charCodeAt(i + 1))) i++
  }
  return bytes
}

function isLowSurrogate(code: number): boolean {
  return code >= 0xdc00 && code <= 0xdfff
}

/** Whether `text` takes more than `maxBytes` bytes in UTF-8; counts only when its length leaves it open. */
export function exceedsUtf8(text: string, maxBytes: number): boolean {
  if (text.length > maxBytes) return true
  if (text.length * 3 <= maxBytes) return false
  return utf8Length(text) > maxBytes
}
