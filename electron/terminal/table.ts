import { displayWidth, pad, truncate } from './width.ts'

/** One column; a narrow terminal takes its cells from the columns that have a `min`. */
export interface Column {
  readonly title: string
  readonly align?: 'left' | 'right'
  /** The fewest cells it may be cut down to; absent: it is never cut. */
  readonly min?: number
}

/** One cell: printable text, and how it is coloured once its width is settled. */
export interface Cell {
  readonly text: string
  readonly paint?: (text: string) => string
}

const GAP = '  '

/** A table as lines of at most `width` cells, titles first; what is too long ends in an ellipsis. */
export function renderTable(
  columns: readonly Column[],
  rows: readonly (readonly Cell[])[],
  width: number,
  paintTitle: (text: string) => string,
): string[] {
  const titles = columns.map(({ title }): Cell => ({ text: title, paint: paintTitle }))
  const widths = fitColumns(columns, [titles, ...rows], width)
  return [titles, ...rows].map((row) =>
    columns
      .map(({ align = 'left' }, i) => {
        const cell = row[i] ?? { text: '' }
        const columnWidth = widths[i] ?? 0
        const text = truncate(cell.text, columnWidth)
        const padded = pad(text, columnWidth, align)
        const isLast = i === columns.length - 1
        const shown = isLast && align === 'left' ? text : padded
        return cell.paint ? paintWord(shown, cell.paint) : shown
      })
      .join(GAP)
      .trimEnd(),
  )
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
