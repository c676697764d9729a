import type { GridShape } from '../grid/grid-layout.ts'

/** Widths of the columns behind the cells: what the node holds, and its free space. */
const TAILS = [128, 86] as const
/** Cells must keep this much width, or the columns behind them scroll along with them. */
const LEAST_CELLS = 180
const CELL = 26

/** The node × shard grid in a viewport of `width` CSS pixels. */
export function shardShape(rows: number, shards: number, width: number): GridShape {
  const tails = TAILS[0] + TAILS[1]
  // Few shards leave room for what a node's head has to say.
  const least = Math.max(150, Math.min(240, width * 0.3))
  const headWidth = Math.round(Math.max(least, Math.min(340, width - tails - shards * CELL)))
  return {
    rows,
    cols: shards,
    rowHeight: 44,
    colWidth: CELL,
    headHeight: 48,
    headWidth,
    tailWidths: TAILS,
    tailsStay: width - headWidth - tails >= Math.min(LEAST_CELLS, shards * CELL),
  }
}
