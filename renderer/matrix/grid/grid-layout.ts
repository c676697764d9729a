import type { Density } from './density.ts'

/**
 * Where the parts of a grid lie. All lengths are CSS pixels. From left to right: a head that stays in view,
 * cells of one width, then tail columns of their own widths; above all of them a head row that stays in view.
 */
export interface GridShape {
  readonly density: Density
  readonly rows: number
  readonly cols: number
  readonly rowHeight: number
  readonly colWidth: number
  readonly headHeight: number
  readonly headWidth: number
  readonly tailWidths: readonly number[]
  /** The tail columns stay in view at the right; on a narrow screen they scroll with the cells. */
  readonly tailsStay: boolean
}

/**
 * A place in the grid. Columns count as they are read: 0 is the row head, then the cells, then the tail
 * columns; rows do not count the head row.
 */
export interface GridPlace {
  readonly row: number
  readonly col: number
}

/** What of the grid is looked at: the scroll position and the visible size. */
export interface Viewport {
  readonly left: number
  readonly top: number
  readonly width: number
  readonly height: number
}

/** Rows and cells from `from` up to, not including, `to`. */
export interface GridWindow {
  readonly rowFrom: number
  readonly rowTo: number
  readonly colFrom: number
  readonly colTo: number
}

/**
 * Rows and cells drawn beyond each edge, so that a scroll by the compositor shows them before the page has
 * run.
 */
const OVERSCAN_ROWS = 2
const OVERSCAN_COLS = 2

function tailsWidth(shape: GridShape): number {
  return shape.tailWidths.reduce((sum, width) => sum + width, 0)
}

/** The size of everything; at least as wide as what is looked at, so that rows fill it. */
export function contentSize(
  shape: GridShape,
  viewportWidth: number,
): { readonly width: number; readonly height: number } {
  const width = shape.headWidth + shape.cols * shape.colWidth + tailsWidth(shape)
  return { width: Math.max(width, viewportWidth), height: shape.headHeight + shape.rows * shape.rowHeight }
}

/** How many columns a reader counts: the head, the cells and the tails. */
export function columnCount(shape: GridShape): number {
  return 1 + shape.cols + shape.tailWidths.length
}

function clamp(value: number, low: number, high: number): number {
  return Math.max(low, Math.min(high, value))
}

/** The size of the part of the viewport where cells scroll, between the heads and the tails that stay. */
function openArea(shape: GridShape, viewport: Viewport): { readonly width: number; readonly height: number } {
  const kept = shape.headWidth + (shape.tailsStay ? tailsWidth(shape) : 0)
  return {
    width: Math.max(0, viewport.width - kept),
    height: Math.max(0, viewport.height - shape.headHeight),
  }
}

/**
 * The rows and cells to draw: those in view and a few beyond. For one viewport size the window has one size
 * wherever it is scrolled to, as long as the grid is large enough: a canvas for it need not be resized.
 */
export function visibleWindow(shape: GridShape, viewport: Viewport): GridWindow {
  const area = openArea(shape, viewport)
  const along = (
    scrolled: number,
    length: number,
    pitch: number,
    count: number,
    overscan: number,
  ): [number, number] => {
    // A length that is no multiple of the pitch can touch one more than it holds.
    const span = Math.min(count, Math.ceil(length / pitch) + 1 + 2 * overscan)
    const from = clamp(Math.floor(scrolled / pitch) - overscan, 0, count - span)
    return [from, from + span]
  }
  const [rowFrom, rowTo] = along(viewport.top, area.height, shape.rowHeight, shape.rows, OVERSCAN_ROWS)
  const [colFrom, colTo] = along(viewport.left, area.width, shape.colWidth, shape.cols, OVERSCAN_COLS)
  return { rowFrom, rowTo, colFrom, colTo }
}

export function sameWindow(a: GridWindow, b: GridWindow): boolean {
  return a.rowFrom === b.rowFrom && a.rowTo === b.rowTo && a.colFrom === b.colFrom && a.colTo === b.colTo
}

/** Where a point of the viewport is in the grid; a null row is the head row. Null where there is nothing. */
export function placeAt(
  shape: GridShape,
  viewport: Viewport,
  x: number,
  y: number,
): { readonly row: number | null; readonly col: number } | null {
  if (x < 0 || y < 0 || x >= viewport.width || y >= viewport.height) return null
  const row =
    y < shape.headHeight ? null : Math.floor((y - shape.headHeight + viewport.top) / shape.rowHeight)
  if (row !== null && row >= shape.rows) return null
  const col = columnAt(shape, viewport, x)
  return col === null ? null : { row, col }
}

function columnAt(shape: GridShape, viewport: Viewport, x: number): number | null {
  if (x < shape.headWidth) return 0
  // Tails end where the viewport ends when they stay, else where the content ends.
  const end = shape.tailsStay ? viewport.width : contentSize(shape, viewport.width).width - viewport.left
  let tailStart = end - tailsWidth(shape)
  if (x < tailStart) {
    const cell = Math.floor((x - shape.headWidth + viewport.left) / shape.colWidth)
    return cell < shape.cols ? 1 + cell : null
  }
  for (const [i, width] of shape.tailWidths.entries()) {
    tailStart += width
    if (x < tailStart) return 1 + shape.cols + i
  }
  return null
}

/** The scroll position that brings `place` wholly into view, moving as little as possible. */
export function scrollToPlace(
  shape: GridShape,
  viewport: Viewport,
  place: GridPlace,
): { readonly left: number; readonly top: number } {
  const area = openArea(shape, viewport)
  const into = (scrolled: number, length: number, start: number, size: number): number => {
    if (start < scrolled || size > length) return start
    return Math.max(scrolled, start + size - length)
  }
  const top = into(viewport.top, area.height, place.row * shape.rowHeight, shape.rowHeight)
  if (place.col === 0) return { left: viewport.left, top }
  if (place.col <= shape.cols) {
    return { left: into(viewport.left, area.width, (place.col - 1) * shape.colWidth, shape.colWidth), top }
  }
  // They are in view already; the cells go to their end, as at the end of any row.
  if (shape.tailsStay) return { left: contentSize(shape, viewport.width).width - viewport.width, top }
  const tail = place.col - 1 - shape.cols
  const before = shape.tailWidths.slice(0, tail).reduce((sum, width) => sum + width, 0)
  const content = contentSize(shape, viewport.width).width
  const start = content - tailsWidth(shape) - shape.headWidth + before
  return { left: into(viewport.left, area.width, start, shape.tailWidths[tail] ?? 0), top }
}

/** How many rows a Page key moves: as many as are wholly in view, less one to keep the place. */
export function pageRows(shape: GridShape, viewport: Viewport): number {
  return Math.max(1, Math.floor(openArea(shape, viewport).height / shape.rowHeight) - 1)
}
