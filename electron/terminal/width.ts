/**
 * How texts look on a terminal: how many cells they take, and what is left of them in fewer. Cells are
 * counted by grapheme: East Asian wide characters and emoji take two, marks and format characters none.
 */

export { printable } from '../../shared/printable.ts'

const WIDE = new RegExp(
  [
    String.raw`\p{Emoji_Presentation}`,
    // Asks for the emoji form of a character that has a plain one too.
    String.raw`\uFE0F`,
    String.raw`\p{Script=Han}|\p{Script=Hiragana}|\p{Script=Katakana}|\p{Script=Hangul}`,
    // Wide punctuation, full-width Latin and signs.
    String.raw`[\u{3000}-\u{303E}\u{FF01}-\u{FF60}\u{FFE0}-\u{FFE6}]`,
  ].join('|'),
  'u',
)
/** Half-width kana and jamo: a voicing mark joins its kana to one grapheme, but takes a cell of its own. */
const HALF_WIDTH = /[\u{FF61}-\u{FFDC}]/gu
const INVISIBLE = /^[\p{Mn}\p{Me}\p{Cf}]+$/u
const PLAIN_ASCII = /^[\x20-\x7e]*$/

/** Made when the first text asks for it that is not plain ASCII: making it takes longer than most tables. */
let segmenter: Intl.Segmenter | null = null

/** Units that are segmented at once: the time that segmenting takes grows with the square of a text's length. */
const WINDOW = 256

function* graphemes(text: string): Generator<string> {
  let at = 0
  while (at < text.length) {
    const end = at + WINDOW
    const whole = end >= text.length
    segmenter ??= new Intl.Segmenter(undefined, { granularity: 'grapheme' })
    const segments = Array.from(segmenter.segment(text.slice(at, end)), ({ segment }) => segment)
    // The window may end within its last grapheme, which then begins the next one.
    if (!whole && segments.length > 1) segments.pop()
    for (const segment of segments) {
      yield segment
      at += segment.length
    }
  }
}

function graphemeWidth(grapheme: string): number {
  if (INVISIBLE.test(grapheme)) return 0
  const halves = grapheme.match(HALF_WIDTH)
  if (halves) return halves.length
  return WIDE.test(grapheme) ? 2 : 1
}

/** The cells `text` takes; it must be {@link printable} and without colours. */
export function displayWidth(text: string): number {
  if (PLAIN_ASCII.test(text)) return text.length
  let width = 0
  for (const grapheme of graphemes(text)) width += graphemeWidth(grapheme)
  return width
}

/** `text` in at most `width` cells, with an ellipsis in place of what is cut off. */
export function truncate(text: string, width: number): string {
  if (PLAIN_ASCII.test(text)) {
    if (text.length <= width) return text
    return width < 1 ? '' : `${text.slice(0, width - 1)}…`
  }
  let used = 0
  let kept = 0
  let length = 0
  for (const grapheme of graphemes(text)) {
    used += graphemeWidth(grapheme)
    if (used > width) return width < 1 ? '' : `${text.slice(0, kept)}…`
    length += grapheme.length
    if (used <= width - 1) kept = length
  }
  return text
}

/** Cells that one word may take: the longest path does, and nothing that a person reads takes more. */
const MAX_WORD = 4096

/** `text` without the rest of words that no screen has room for. */
export function cutWords(text: string): string {
  if (text.length <= MAX_WORD) return text
  return text
    .split(' ')
    .map((word) => (word.length <= MAX_WORD ? word : truncate(word, MAX_NAME)))
    .join(' ')
}

/** Cells of a name that is longer than any path. */
const MAX_NAME = 200

/** `text` with blanks to `width` cells. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return align === 'left' ? text + blanks : blanks + text
}

/**
 * `text` broken at blanks into lines of at most `width` cells; a longer word stands on a line of its own, uncut
 * unless no path could be so long.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  let used = 0
  for (const word of cutWords(text).split(' ')) {
    const own = displayWidth(word)
    if (line !== '' && used + 1 + own > width) {
      lines.push(line)
      line = word
      used = own
    } else {
      used = line === '' ? own : used + 1 + own
      line = line === '' ? word : `${line} ${word}`
    }
  }
  return [...lines, line]
}

/**
 * `text` wrapped to `width` after `lead`, further lines below the first word. `paintLead` colours the lead.
 */
export function hang(
  lead: string,
  text: string,
  width: number,
  paintLead = (lead: string) => lead,
): string[] {
  const indent = displayWidth(lead)
  const [first = '', ...more] = wrap(text, Math.max(20, width - indent))
  return [`${paintLead(lead)}${first}`, ...more.map((line) => `${' '.repeat(indent)}${line}`)]
}
