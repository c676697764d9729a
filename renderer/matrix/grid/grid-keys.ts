import type { GridPlace } from './grid-layout.ts'

/** A key press, as far as moving in a grid is concerned. */
export interface GridKey {
  readonly key: string
  /** Ctrl, or Cmd on a Mac. */
  readonly command: boolean
}

export interface GridExtent {
  readonly rows: number
  readonly cols: number
  /** Rows a Page key moves. */
  readonly page: number
}

/** `place` held inside the grid; row and column 0 when there is nothing to hold it in. */
export function clampPlace(place: GridPlace, { rows, cols }: Pick<GridExtent, 'rows' | 'cols'>): GridPlace {
  const row = Math.max(0, Math.min(place.row, rows - 1))
  const col = Math.max(0, Math.min(place.col, cols - 1))
  return row === place.row && col === place.col ? place : { row, col }
}

/**
 * Where a key moves to from `place`, by the ARIA grid pattern: arrows one cell, Home and End in the row, with
 * Ctrl in the grid, Page keys a screen of rows. Null for keys that do not move.
 */
export function placeAfterKey(
  { key, command }: GridKey,
  place: GridPlace,
  extent: GridExtent,
): GridPlace | null {
  const to = (row: number, col: number): GridPlace => clampPlace({ row, col }, extent)
  const { row, col } = place
  switch (key) {
    case 'ArrowUp':
      return command ? to(0, col) : to(row - 1, col)
    case 'ArrowDown':
      return command ? to(extent.rows - 1, col) : to(row + 1, col)
    case 'ArrowLeft':
      return command ? to(row, 0) : to(row, col - 1)
    case 'ArrowRight':
      return command ? to(row, extent.cols - 1) : to(row, col + 1)
    case 'Home':
      return command ? to(0, 0) : to(row, 0)
    case 'End':
      return command ? to(extent.rows - 1, extent.cols - 1) : to(row, extent.cols - 1)
    case 'PageUp':
      return to(row - extent.page, col)
    case 'PageDown':
      return to(row + extent.page, col)
    default:
      return null
  }
}
