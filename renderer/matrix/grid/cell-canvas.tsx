import { useLayoutEffect, useRef, type ReactNode } from 'react'
import type { Mark } from '../marks/mark.ts'
import { useMarkPalette } from '../marks/mark-palette.ts'
import { gatherSpots, paintMarks } from '../marks/paint-marks.ts'
import { paintOverview } from '../marks/paint-overview.ts'
import { clearedContext } from '../marks/sized-canvas.ts'
import { usePixelRatio } from '../marks/use-pixel-ratio.ts'
import type { GridShape } from './grid-layout.ts'
import styles from './grid.module.css'

/** How a grid's cells are drawn. */
export interface CellMarks {
  readonly markAt: (row: number, col: number) => Mark
}

/** Side of a mark in CSS pixels; the rest of the cell stays free. */
const MARK_SIZES = { comfortable: 19, compact: 12 } as const

interface CellCanvasProps {
  readonly shape: GridShape
  readonly rowFrom: number
  readonly rowTo: number
  readonly colFrom: number
  readonly colTo: number
  readonly marks: CellMarks
}

/**
 * The cells in view and a few beyond on one canvas. It lies in the scrolled content at a whole cell's place,
 * so that it scrolls with the heads by itself and is painted again only when other cells come into view.
 */
export function CellCanvas({ shape, rowFrom, rowTo, colFrom, colTo, marks }: CellCanvasProps): ReactNode {
  const canvas = useRef<HTMLCanvasElement>(null)
  const palette = useMarkPalette()
  const ratio = usePixelRatio()
  const { density, rowHeight, colWidth } = shape
  const width = (colTo - colFrom) * colWidth
  const height = (rowTo - rowFrom) * rowHeight

  useLayoutEffect(() => {
    if (canvas.current === null || width === 0 || height === 0) return
    const context = clearedContext(canvas.current, width, height, ratio)
    if (context === null) return
    const area = { rowFrom, rowTo, colFrom, colTo, rowHeight, colWidth }
    if (density === 'overview') paintOverview(context, palette, area, marks.markAt)
    else paintMarks(context, palette, gatherSpots(area, marks.markAt), MARK_SIZES[density])
  }, [density, marks, palette, ratio, width, height, rowFrom, rowTo, colFrom, colTo, rowHeight, colWidth])

  return (
    <canvas
      ref={canvas}
      className={styles.canvas}
      aria-hidden="true"
      style={{
        left: shape.headWidth + colFrom * colWidth,
        top: shape.headHeight + rowFrom * rowHeight,
        width,
        height,
      }}
    />
  )
}
