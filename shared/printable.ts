/**
 * What a terminal, a page or a reader would act on instead of showing it: controls (ESC, BEL and the C1 set among
 * them), separators of lines, lone surrogates, marks and overrides of direction, characters without a shape, and tag
 * characters.
 */
const UNPRINTABLE =
  /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u{61C}\u{180E}\u{200B}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2060}-\u{206F}\u{FEFF}\u{FFF9}-\u{FFFB}\u{E0000}-\u{E007F}]/gu

/** `text` with what would be acted on written out (`\u{1b}`), so that a file's contents steer nothing. */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}

/** The same for a text of several lines: line ends and tabs stay. A CR alone is none: a terminal writes over its line. */
export function printableText(text: string): string {
  return isPlain(text) ? text : text.replace(/[^\n\r\t]+|\r(?!\n)/g, printable)
}

function isPlain(text: string): boolean {
  return /^[\n\t\x20-\x7e\xa0-\u{5ff}\u{2010}-\u{2027}]*$/u.test(text)
}

/** JSON text with the same characters as JSON's own escapes; what is read of it stays the same. */
export function printableJson(json: string): string {
  return json.replace(UNPRINTABLE, (char) =>
    Array.from({ length: char.length }, (_, i) => {
      return `\\u${char.charCodeAt(i).toString(16).padStart(4, '0')}`
    }).join(''),
  )
}
