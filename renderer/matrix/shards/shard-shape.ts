import type { Density } from '../grid/density.ts'
import type { GridShape } from '../grid/grid-layout.ts'
import { overviewShape } from '../grid/overview-shape.ts'

/** The columns behind the cells: what the node holds, and its free space. Widths in CSS pixels. */
export const SHARD_TAILS = {
  holds: { head: 'Holds', width: 128 },
  free: { head: 'Free', width: 86 },
} as const
const TAIL_WIDTHS = Object.values(SHARD_TAILS).map(({ width }) => width)
/** Cells must keep this much width, or the columns behind them scroll along with them. */
const LEAST_CELLS = 180
const SIZES = { comfortable: { cell: 26, row: 44 }, compact: { cell: 16, row: 24 } } as const

/** The node × shard grid in a viewport of so many CSS pixels. */
export function shardShape(
  rows: number,
  shards: number,
  density: Density,
  room: { readonly width: number; readonly height: number },
): GridShape {
  if (density === 'overview') return overviewShape(rows, shards, room)
  const { width } = room
  const { cell, row } = SIZES[density]
  const tails = TAIL_WIDTHS.reduce((sum, tail) => sum + tail, 0)
  // Few shards leave room for what a node's head has to say.
  const least = Math.max(150, Math.min(240, width * 0.3))
  const headWidth = Math.round(Math.max(least, Math.min(340, width - tails - shards * cell)))
  return {
    density,
    rows,
    cols: shards,
    rowHeight: row,
    colWidth: cell,
    headHeight: 48,
    headWidth,
    tailWidths: TAIL_WIDTHS,
    tailsStay: width - headWidth - tails >= Math.min(LEAST_CELLS, shards * cell),
  }
}
