import type { Span } from '../text-lines.ts'

/** Spaces that look like the one of the keyboard and are letters to YAML, and marks that cannot be seen at all. */
export const ODD_SPACE = /[\xa0\u1680\u2000-\u200b\u202f\u205f\u2060\u3000\ufeff]/

/** What such a character is called, with its number. */
export function oddSpaceName(character: string): string {
  const code = character.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')
  const name =
    character === '\ufeff'
      ? 'byte order mark'
      : /[\u200b\u2060]/.test(character)
        ? 'invisible mark'
        : 'no-break space'
  return `${name} (U+${code})`
}

/** Where one decides what a line means: before its first word, or beside the colon of a key. */
const DECIDES = /^[ \t]*(?:- *)*[^\S \t\r\n\x85]|^[ \t]*(?:- *)*[\u200b\u2060\ufeff]/
const BESIDE_COLON = /^[^"'#:]*(?::[^\S \t\r\n]|[^\S \t\r\n] *:(?: |$))/

/**
 * The first of `text` that decides what its line means, where YAML takes it for a letter; null without one. The mark that a
 * file begins with is not looked at.
 */
export function decidingOddSpace(text: string): { readonly character: string; readonly span: Span } | null {
  let start = 0
  for (const line of text.split('\n')) {
    const found = DECIDES.exec(line) ?? BESIDE_COLON.exec(line)
    const at = found === null ? -1 : found.index + found[0].search(ODD_SPACE)
    if (found !== null && at >= found.index && start + at > 0) {
      return { character: line.charAt(at), span: { start: start + at, end: start + at + 1 } }
    }
    start += line.length + 1
  }
  return null
}
