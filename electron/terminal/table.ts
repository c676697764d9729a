import { displayWidth, hang, pad, truncate } from './width.ts'

/** One column; a narrow terminal takes its cells from the columns that have a `min`. */
export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** The fewest cells it may be cut down to; absent: it is never cut. */
  readonly min?: number
  /** Of a last column on the left: what is too long goes on in lines below instead of being cut off. */
  readonly wraps?: true
}

/** One cell: printable text, and how it is coloured once its width is settled. */
export interface Cell {
  readonly text: string
  readonly paint?: (text: string) => string
}

const GAP = '  '

/** A table as lines of at most `width` cells, titles first; what is too long ends in an ellipsis, or wraps. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  paintTitle: (text: string) => string,
): string[] {
  const titles = columns.map(({ title }): Cell => ({ text: title, paint: paintTitle }))
  const widths = fitColumns(columns, [titles, ...rows], width)
  const last = columns.length - 1
  const indent = widths.slice(0, last).reduce((sum, each) => sum + each + GAP.length, 0)
  return [titles, ...rows].flatMap((row) => {
    const before = columns.slice(0, last).map((column, i) => cellText(column, row[i], widths[i] ?? 0))
    const { align, wraps } = columns[last] ?? {}
    const cell = row[last] ?? { text: '' }
    const lead = before.map((text) => `${text}${GAP}`).join('')
    const { paint } = cell
    const painted = (text: string): string => (paint ? paintWord(text, paint) : text)
    if (wraps === true) {
      return hang('', cell.text, width - indent).map((line, i) =>
        `${i === 0 ? lead : ' '.repeat(indent)}${painted(line)}`.trimEnd(),
      )
    }
    const own = widths[last] ?? 0
    const text = truncate(cell.text, own)
    const shown = align === 'right' ? pad(text, own, align) : text
    return [`${lead}${painted(shown)}`.trimEnd()]
  })
}

function cellText({ align = 'left' }: Column, cell: Cell = { text: '' }, width: number): string {
  const padded = pad(truncate(cell.text, width), width, align)
  return cell.paint ? paintWord(padded, cell.paint) : padded
}

/**
 * Colours the text and not the blanks around it, so that an underline or background never runs across a gap.
 */
function paintWord(padded: string, paint: (text: string) => string): string {
  const text = padded.trim()
  return text === '' ? padded : padded.replace(text, () => paint(text))
}

/** Natural widths, then one cell at a time from the widest column that may still give one. */
function fitColumns(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
): readonly number[] {
  const widths = columns.map((_, i) => Math.max(...rows.map((row) => displayWidth(row[i]?.text ?? ''))))
  let excess = widths.reduce((sum, each) => sum + each, 0) + GAP.length * (columns.length - 1) - width
  while (excess > 0) {
    let widest = -1
    columns.forEach(({ min }, i) => {
      const own = widths[i] ?? 0
      if (min !== undefined && own > min && own > (widths[widest] ?? 0)) widest = i
    })
    if (widest < 0) break
    widths[widest] = (widths[widest] ?? 0) - 1
    excess--
  }
  return widths
}
