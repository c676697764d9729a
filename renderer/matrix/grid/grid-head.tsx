import { memo, type ReactNode } from 'react'
import type { GridShape } from './grid-layout.ts'
import styles from './grid.module.css'

interface GridHeadProps {
  readonly shape: GridShape
  readonly colFrom: number
  readonly colTo: number
  readonly corner: ReactNode
  readonly columnHead: (col: number) => ReactNode
  readonly tailHeads: readonly ReactNode[]
  /** The cell column that is pointed at, and the one that another pane lights; from 0. */
  readonly hot: number | null
  readonly lit: number | null
}

/** The head row: it stays at the top, and its ends stay at the sides, while the column heads scroll. */
export function GridHead(props: GridHeadProps): ReactNode {
  const { shape, colFrom, colTo, corner, columnHead, tailHeads, hot, lit } = props
  const cols = Array.from({ length: colTo - colFrom }, (_, i) => colFrom + i)
  return (
    <div role="row" aria-rowindex={1} className={styles.head} style={{ height: shape.headHeight }}>
      <div role="columnheader" aria-colindex={1} className={styles.corner} style={{ width: shape.headWidth }}>
        {corner}
      </div>
      {cols.map((col) => (
        <ColumnHead
          key={col}
          col={col}
          left={shape.headWidth + col * shape.colWidth}
          width={shape.colWidth}
          hot={hot === col}
          lit={lit === col}
          columnHead={columnHead}
        />
      ))}
      <div role="presentation" className={styles.tails}>
        {tailHeads.map((head, i) => (
          <div
            key={i}
            role="columnheader"
            aria-colindex={2 + shape.cols + i}
            className={styles.tailHead}
            style={{ width: shape.tailWidths[i] }}
          >
            {head}
          </div>
        ))}
      </div>
    </div>
  )
}

interface ColumnHeadProps {
  readonly col: number
  readonly left: number
  readonly width: number
  readonly hot: boolean
  readonly lit: boolean
  readonly columnHead: (col: number) => ReactNode
}

const ColumnHead = memo(function ColumnHead({
  col,
  left,
  width,
  hot,
  lit,
  columnHead,
}: ColumnHeadProps): ReactNode {
  return (
    <div
      role="columnheader"
      aria-colindex={2 + col}
      className={styles.columnHead}
      data-hot={hot || undefined}
      data-lit={lit || undefined}
      style={{ left, width }}
    >
      {columnHead(col)}
    </div>
  )
})
