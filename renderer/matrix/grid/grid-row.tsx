import { memo, type ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import type { GridShape } from './grid-layout.ts'
import styles from './grid.module.css'

/** What one row shows. The functions must stay the same for as long as what they tell does. */
export interface RowContent {
  /** `hot`: the row is pointed at or has the focus. */
  readonly rowHead: (row: number, hot: boolean) => ReactNode
  readonly rowTails: (row: number) => readonly ReactNode[]
  /** A tone for the whole row; null for none. */
  readonly rowTone: (row: number) => 'place' | 'fetch' | 'selected' | null
  readonly cells: CellContent
}

/**
 * Cells are either painted, and described in words when they have the focus, or one element that fills their
 * place.
 */
type CellContent =
  | { readonly kind: 'painted'; readonly spoken: (row: number, col: number) => string }
  | { readonly kind: 'element'; readonly cell: (row: number) => ReactNode }

interface GridRowProps {
  readonly row: number
  readonly shape: GridShape
  readonly content: RowContent
  /**
   * The column that has the grid's focus when it is in this row, else null. Columns count as in `GridPlace`.
   */
  readonly activeCol: number | null
  /** Pointed at, or with the focus. */
  readonly hot: boolean
  readonly lit: boolean
}

/** One row of the grid: its head and tails, and of painted cells the one that has the focus. */
export const GridRow = memo(function GridRow({
  row,
  shape,
  content,
  activeCol,
  hot,
  lit,
}: GridRowProps): ReactNode {
  const { rowHead, rowTails, rowTone, cells } = content
  const tone = rowTone(row)
  const focus = (col: number): { readonly tabIndex: number; readonly 'data-col': number } => ({
    tabIndex: col === activeCol ? 0 : -1,
    'data-col': col,
  })
  return (
    <div
      role="row"
      aria-rowindex={row + 2}
      aria-selected={tone === 'selected' || undefined}
      className={classes(styles.row, tone !== null && styles[tone], hot && styles.hot, lit && styles.lit)}
      data-row={row}
      style={{ top: shape.headHeight + row * shape.rowHeight, height: shape.rowHeight }}
    >
      <div
        role="rowheader"
        aria-colindex={1}
        className={styles.rowHead}
        style={{ width: shape.headWidth }}
        {...focus(0)}
      >
        {rowHead(row, hot)}
      </div>
      {cells.kind === 'element' ? (
        <div
          role="gridcell"
          aria-colindex={2}
          className={styles.element}
          style={{ width: shape.colWidth }}
          {...focus(1)}
        >
          {cells.cell(row)}
        </div>
      ) : activeCol !== null && activeCol > 0 && activeCol <= shape.cols ? (
        <div
          key={activeCol}
          role="gridcell"
          aria-colindex={activeCol + 1}
          className={styles.activeCell}
          style={{ left: shape.headWidth + (activeCol - 1) * shape.colWidth, width: shape.colWidth }}
          {...focus(activeCol)}
        >
          <span className="sr-only">{cells.spoken(row, activeCol - 1)}</span>
        </div>
      ) : null}
      <div role="presentation" className={styles.tails}>
        {rowTails(row)
          .slice(0, shape.tailWidths.length)
          .map((tail, i) => (
            <div
              key={i}
              role="gridcell"
              aria-colindex={2 + shape.cols + i}
              className={styles.tail}
              style={{ width: shape.tailWidths[i] }}
              {...focus(1 + shape.cols + i)}
            >
              {tail}
            </div>
          ))}
      </div>
    </div>
  )
})
