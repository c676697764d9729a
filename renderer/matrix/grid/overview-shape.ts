import { GUTTER, overviewColumn, overviewRow } from './density.ts'
import type { GridShape } from './grid-layout.ts'

/** The overview of so many cells in a viewport of so many CSS pixels: no heads and no tails but a gutter. */
export function overviewShape(
  rows: number,
  cols: number,
  { width, height }: { readonly width: number; readonly height: number },
): GridShape {
  return {
    density: 'overview',
    rows,
    cols,
    rowHeight: overviewRow(rows, height),
    colWidth: overviewColumn(cols, width),
    headHeight: 0,
    headWidth: GUTTER,
    tailWidths: [],
    tailsStay: true,
  }
}
