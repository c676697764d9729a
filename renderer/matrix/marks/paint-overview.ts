import type { Mark } from './mark.ts'
import type { MarkPalette } from './mark-palette.ts'
import type { MarkArea } from './paint-marks.ts'

/** What a mark is painted in where it is a few pixels; null leaves the background. */
const COLOURS: Readonly<Record<Mark, keyof MarkPalette | null>> = {
  held: 'held',
  source: 'held',
  fetch: 'moves',
  detached: 'detached',
  mismatch: 'no',
  missing: null,
  runs: 'held',
  target: 'moves',
  instead: 'held',
  turned_away: 'no',
  holds: 'held',
  eligible: 'eligible',
  no: null,
}

/** So many cells have these that they would drown the others. */
const FAINT: ReadonlySet<Mark> = new Set(['eligible'])

/** Marks that the others of their colour must be told from: half as high. */
const HALF: ReadonlySet<Mark> = new Set(['source', 'holds'])
/** Cells smaller than this have no gap beside them, nor halves. */
const LEAST_DETAIL = 4

/** Paints each cell as a block of its colour; neighbours of one mark in a row are one block. */
export function paintOverview(
  context: Pick<CanvasRenderingContext2D, 'fillRect' | 'globalAlpha'> & { fillStyle: unknown },
  palette: MarkPalette,
  area: MarkArea,
  markAt: (row: number, col: number) => Mark,
): void {
  const { rowFrom, rowTo, colFrom, colTo, rowHeight, colWidth } = area
  const gapX = colWidth >= LEAST_DETAIL ? 1 : 0
  const gapY = rowHeight >= LEAST_DETAIL ? 1 : 0
  for (let row = rowFrom; row < rowTo; row++) {
    let from = colFrom
    while (from < colTo) {
      const mark = markAt(row, from)
      let to = from + 1
      while (gapX === 0 && to < colTo && markAt(row, to) === mark) to++
      const colour = COLOURS[mark]
      if (colour !== null) {
        const height = rowHeight - gapY
        const shown = gapY > 0 && HALF.has(mark) ? Math.ceil(height / 2) : height
        context.fillStyle = palette[colour]
        context.globalAlpha = FAINT.has(mark) ? 0.3 : 1
        context.fillRect(
          (from - colFrom) * colWidth,
          (row - rowFrom) * rowHeight + (height - shown),
          (to - from) * colWidth - gapX,
          shown,
        )
      }
      from = to
    }
  }
  // The canvas is painted on again in other densities.
  context.globalAlpha = 1
}
