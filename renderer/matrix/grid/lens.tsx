import type { ReactNode } from 'react'
import type { Mark } from '../marks/mark.ts'
import { MarkIcon } from '../marks/mark-icon.tsx'
import type { GridShape, Viewport } from './grid-layout.ts'
import type { RowContent } from './grid-row.tsx'
import type { PointedPlace } from './matrix-grid.tsx'
import styles from './grid.module.css'

interface LensProps {
  readonly shape: GridShape
  readonly viewport: Viewport
  readonly place: PointedPlace | null
  readonly cells: RowContent['cells']
  readonly markAt: (row: number, col: number) => Mark
}

const GAP = 10
/** What the lens takes at most. */
const WIDTH = 280
const HEIGHT = 56

/** Reads the cell of the overview that is pointed at or has the focus: its mark as large as elsewhere, and its words. */
export function Lens({ shape, viewport, place, cells, markAt }: LensProps): ReactNode {
  if (place === null || place.row === null || place.col === 0 || place.col > shape.cols) return null
  if (cells.kind !== 'painted') return null
  const col = place.col - 1
  const x = shape.headWidth + col * shape.colWidth
  const y = shape.headHeight + place.row * shape.rowHeight
  // On the side of the cell that has more room.
  const isRight = x - viewport.left < viewport.width - WIDTH
  const isBelow = y - viewport.top < viewport.height - HEIGHT - GAP
  return (
    <div
      className={styles.lens}
      aria-hidden="true"
      style={{
        maxWidth: WIDTH,
        left: isRight ? x + shape.colWidth + GAP : Math.max(viewport.left, x - WIDTH - GAP),
        top: isBelow ? y + shape.rowHeight + GAP : y - HEIGHT,
      }}
    >
      <MarkIcon mark={markAt(place.row, col)} />
      <span>{cells.spoken(place.row, col)}</span>
    </div>
  )
}
