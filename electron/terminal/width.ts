/**
 * How texts look on a terminal: how many cells they take, and what is left of them in fewer. Cells are
 * counted by grapheme: East Asian wide characters and emoji take two, marks and format characters none.
 */

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

/**
 * What would move the cursor, change colours or reorder the line: controls, separators and direction marks.
 */
const UNPRINTABLE = /[\p{Cc}\p{Zl}\p{Zp}\p{Cs}\u{200E}\u{200F}\u{202A}-\u{202E}\u{2066}-\u{2069}\u{FEFF}]/gu

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' })

function graphemes(text: string): string[] {
  return Array.from(segmenter.segment(text), ({ segment }) => segment)
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
  return graphemes(text).reduce((width, grapheme) => width + graphemeWidth(grapheme), 0)
}

/**
 * `text` with what a terminal would act on written out (`\u{1b}`): file contents never steer the terminal.
 */
export function printable(text: string): string {
  return text.replace(UNPRINTABLE, (char) => `\\u{${(char.codePointAt(0) ?? 0).toString(16)}}`)
}

/** `text` in at most `width` cells, with an ellipsis in place of what is cut off. */
export function truncate(text: string, width: number): string {
  if (displayWidth(text) <= width) return text
  if (width < 1) return ''
  let used = 0
  let kept = ''
  for (const grapheme of graphemes(text)) {
    const next = used + graphemeWidth(grapheme)
    if (next > width - 1) break
    used = next
    kept += grapheme
  }
  return `${kept}…`
}

/** `text` with blanks to `width` cells. */
export function pad(text: string, width: number, align: 'left' | 'right' = 'left'): string {
  const blanks = ' '.repeat(Math.max(0, width - displayWidth(text)))
  return align === 'left' ? text + blanks : blanks + text
}

/**
 * `text` broken at blanks into lines of at most `width` cells; a longer word stands on a line of its own,
 * uncut.
 */
export function wrap(text: string, width: number): string[] {
  const lines: string[] = []
  let line = ''
  for (const word of text.split(' ')) {
    const longer = line === '' ? word : `${line} ${word}`
    if (line !== '' && displayWidth(longer) > width) {
      lines.push(line)
      line = word
    } else {
      line = longer
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
