import {
  useEffect,
  useEffectEvent,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type PointerEvent,
  type ReactNode,
  type SyntheticEvent,
} from 'react'
import { isMenuKey } from '../../ui/context-menu.ts'
import { flushSync } from 'react-dom'
import { classes } from '../../ui/classes.ts'
import { CellCanvas, type CellMarks } from './cell-canvas.tsx'
import { densityAfter, densityStep, type Density } from './density.ts'
import { GridHead } from './grid-head.tsx'
import { clampPlace, placeAfterKey } from './grid-keys.ts'
import {
  columnCount,
  contentSize,
  pageRows,
  placeAt,
  scrollToPlace,
  visibleWindow,
  type GridPlace,
  type GridShape,
  type Viewport,
} from './grid-layout.ts'
import { GridRow, type RowContent } from './grid-row.tsx'
import { Lens } from './lens.tsx'
import { useGridViewport, viewportOf, type ShapeFor } from './use-grid-viewport.ts'
import { useRested } from './use-rested.ts'
import styles from './grid.module.css'

/** A place that is pointed at; a null row is the head row. */
export interface PointedPlace {
  readonly row: number | null
  readonly col: number
}

interface MatrixGridProps {
  /** The grid's accessible name. */
  readonly label: string
  /** Must stay the same function. */
  readonly shapeFor: ShapeFor
  readonly corner: ReactNode
  readonly columnHead: (col: number) => ReactNode
  readonly tailHeads: readonly ReactNode[]
  readonly content: RowContent
  /** Null when the cells are elements. */
  readonly marks: CellMarks | null
  /** The row and the cell column that another pane lights. */
  readonly litRow: number | null
  readonly litCol: number | null
  /** The line below the grid that describes what is pointed at, else of what has the focus. */
  readonly detail: (place: PointedPlace | null) => ReactNode
  /**
   * Called when a place is pointed at, or has the focus, for more than a moment. Must stay the same function.
   */
  readonly onPoint: (place: PointedPlace | null) => void
  /** A row to go to, once; null when there is none. */
  readonly goToRow?: number | null
  /** Called when the grid has gone there. Must stay the same function. */
  readonly onWentToRow?: (() => void) | undefined
  /** Ctrl or Cmd with + or −: larger or smaller cells. */
  readonly onDensity?: ((density: Density) => void) | undefined
  /** A click on a row, or Enter or Space on it. */
  readonly onOpen?: ((place: GridPlace) => void) | undefined
}

function samePlace(a: PointedPlace | null, b: PointedPlace | null): boolean {
  return a === b || (a !== null && b !== null && a.row === b.row && a.col === b.col)
}

/**
 * A grid of any size: heads and tails are elements, cells are painted, and only what is in view exists.
 * Arrow, Home, End and Page keys move its one focus; the cell that has it is a real element, so that it is
 * spoken.
 */
export function MatrixGrid(props: MatrixGridProps): ReactNode {
  const {
    label,
    shapeFor,
    corner,
    columnHead,
    tailHeads,
    content,
    marks,
    litRow,
    litCol,
    detail,
    onPoint,
    onOpen,
    onDensity,
    goToRow = null,
    onWentToRow,
  } = props
  const scroller = useRef<HTMLDivElement>(null)
  const pointer = useRef<{ readonly x: number; readonly y: number } | null>(null)
  const { shape, viewport, onScroll } = useGridViewport(scroller, shapeFor)
  const [hover, setHover] = useState<PointedPlace | null>(null)
  const [wanted, setActive] = useState<GridPlace>({ row: 0, col: 0 })
  const [focused, setFocused] = useState(false)
  // Whether the keyboard moved last: a focus left behind by a click lights nothing once the pointer is gone.
  const [byKeys, setByKeys] = useState(false)

  const extent = { rows: shape.rows, cols: columnCount(shape) }
  const active = clampPlace(wanted, extent)
  const pointed = hover ?? (focused ? active : null)
  const takeBack = useRested(hover ?? (focused && byKeys ? active : null), onPoint)

  const shown = visibleWindow(shape, viewport)
  const size = contentSize(shape, viewport.width)
  const measured = viewport.width > 0
  const isOverview = shape.density === 'overview'
  const inView = rowsToShow(shown.rowFrom, shown.rowTo, active.row, shape.rows)
  // Rows of a few pixels have nothing to say but their tone.
  const rows = isOverview
    ? inView.filter((row) => row === active.row || row === litRow || content.rowTone(row) !== null)
    : inView

  const follow = (at: Viewport, of: GridShape): void => {
    const point = pointer.current
    const place = point === null ? null : placeAt(of, at, point.x, point.y)
    if (!samePlace(place, hover)) setHover(place)
  }

  const goTo = (place: GridPlace): void => {
    const element = scroller.current
    if (element === null) return
    flushSync(() => setActive(place))
    element.querySelector<HTMLElement>('[tabindex="0"]')?.focus({ preventScroll: true })
    element.scrollTo(scrollToPlace(shape, viewportOf(element), place))
  }

  const goToGiven = useEffectEvent((row: number): void => {
    goTo({ row, col: 0 })
    onWentToRow?.()
  })
  useEffect(() => {
    // Behind the effects: the row has to be drawn at once, which React does not do within one.
    if (goToRow !== null && measured) queueMicrotask(() => goToGiven(goToRow))
  }, [goToRow, measured])

  const onPointerMove = (event: PointerEvent<HTMLDivElement>): void => {
    if (!event.currentTarget.contains(event.target as Node)) return
    pointer.current = pointIn(event)
    setByKeys(false)
    follow(viewportOf(event.currentTarget), shape)
  }

  const onClick = (event: MouseEvent<HTMLDivElement>): void => {
    const target = event.target as HTMLElement
    // What a menu of the row does with a click is its own business; it may even be drawn outside the grid.
    if (!event.currentTarget.contains(target) || target.closest('button') !== null) return
    const { x, y } = pointIn(event)
    const place = placeAt(shape, viewportOf(event.currentTarget), x, y)
    if (place === null || place.row === null) return
    const { row, col } = place
    goTo({ row, col })
    onOpen?.({ row, col })
  }

  const onKeyDown = (event: KeyboardEvent<HTMLDivElement>): void => {
    const target = event.target as HTMLElement
    const inRows = event.currentTarget.contains(target) && target.closest('[data-row]') !== null
    if (!inRows || event.altKey || shape.rows === 0) return
    const command = event.ctrlKey || event.metaKey
    const step = command ? densityStep(event.key) : null
    if (step !== null && onDensity !== undefined) {
      event.preventDefault()
      event.stopPropagation()
      onDensity(densityAfter(shape.density, step))
      return
    }
    if (isMenuKey(event)) openMenuOfRow(event)
    if (event.shiftKey) return
    const page = pageRows(shape, viewportOf(event.currentTarget))
    const next = placeAfterKey({ key: event.key, command }, active, { ...extent, page })
    if (next !== null) {
      event.preventDefault()
      event.stopPropagation()
      goTo(next)
    } else if (event.key === 'Enter' && !command) {
      openFromKey(event)
    }
  }

  const openFromKey = (event: KeyboardEvent<HTMLDivElement>): void => {
    if ((event.target as HTMLElement).closest('button') !== null) return
    event.preventDefault()
    const button = active.col === 0 ? (event.target as HTMLElement).querySelector('button') : null
    if (button !== null) openMenu(button)
    else onOpen?.(active)
  }

  return (
    <div className={styles.frame} data-density={shape.density}>
      <div
        ref={scroller}
        role="grid"
        aria-label={label}
        aria-rowcount={shape.rows + 1}
        aria-colcount={columnCount(shape)}
        className={classes(styles.scroller, !shape.tailsStay && styles.looseTails)}
        onScroll={(event) => onScroll(event.currentTarget, follow)}
        onPointerMove={onPointerMove}
        onPointerLeave={() => {
          pointer.current = null
          setHover(null)
          takeBack()
        }}
        onClick={onClick}
        onContextMenu={openMenuOfRow}
        onKeyDownCapture={onKeyDown}
        onFocus={(event) => {
          setFocused(true)
          setByKeys(event.target.matches(':focus-visible'))
        }}
        onBlur={(event) => setFocused(event.currentTarget.contains(event.relatedTarget))}
      >
        <div role="presentation" className={styles.content} style={size}>
          {measured ? (
            <>
              {isOverview ? null : (
                <GridHead
                  shape={shape}
                  colFrom={shown.colFrom}
                  colTo={shown.colTo}
                  corner={corner}
                  columnHead={columnHead}
                  tailHeads={tailHeads}
                  hot={pointed === null || pointed.col === 0 ? null : pointed.col - 1}
                  lit={litCol}
                />
              )}
              {rows.map((row) => (
                <GridRow
                  key={row}
                  row={row}
                  shape={shape}
                  content={content}
                  activeCol={row === active.row ? active.col : null}
                  hot={!isOverview && (row === hover?.row || (focused && row === active.row))}
                  lit={row === litRow}
                />
              ))}
              {litCol === null ? null : (
                <div
                  role="presentation"
                  className={styles.litColumn}
                  style={{
                    left: shape.headWidth + litCol * shape.colWidth,
                    width: shape.colWidth,
                    top: shape.headHeight,
                    height: shape.rows * shape.rowHeight,
                  }}
                />
              )}
              {marks === null ? null : <CellCanvas shape={shape} {...shown} marks={marks} />}
              {marks === null ? null : <PointedCell shape={shape} place={hover} />}
              {isOverview && marks !== null ? (
                <Lens
                  shape={shape}
                  viewport={viewport}
                  place={pointed}
                  cells={content.cells}
                  markAt={marks.markAt}
                />
              ) : null}
            </>
          ) : null}
        </div>
      </div>
      <div className={styles.detail}>{detail(pointed)}</div>
    </div>
  )
}

/** Where in the grid's viewport a pointer is; on a zoomed page its pixels are not the grid's. */
function pointIn(event: MouseEvent<HTMLDivElement>): { readonly x: number; readonly y: number } {
  const box = event.currentTarget.getBoundingClientRect()
  const scale = box.width / event.currentTarget.offsetWidth
  return { x: (event.clientX - box.left) / scale, y: (event.clientY - box.top) / scale }
}

/** By the right button, the menu key or Shift+F10: the row's own menu instead of the browser's. */
function openMenuOfRow(event: SyntheticEvent): void {
  const button = (event.target as HTMLElement).closest('[data-row]')?.querySelector('button') ?? null
  if (button === null) return
  event.preventDefault()
  openMenu(button)
}

/** Opens the menu of a row's button, which knows keys and not clicks made by script. */
function openMenu(button: HTMLElement): void {
  button.focus()
  button.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true }))
}

/** The rows in view, and the one that has the focus wherever it is: removing it would lose the focus. */
function rowsToShow(from: number, to: number, active: number, rows: number): number[] {
  const shown = Array.from({ length: to - from }, (_, i) => from + i)
  if (active >= rows) return shown
  if (active < from) return [active, ...shown]
  return active >= to ? [...shown, active] : shown
}

function PointedCell({
  shape,
  place,
}: {
  readonly shape: GridShape
  readonly place: PointedPlace | null
}): ReactNode {
  if (place === null || place.row === null || place.col === 0 || place.col > shape.cols) return null
  return (
    <div
      role="presentation"
      className={styles.pointed}
      style={{
        left: shape.headWidth + (place.col - 1) * shape.colWidth,
        top: shape.headHeight + place.row * shape.rowHeight,
        width: shape.colWidth,
        height: shape.rowHeight,
      }}
    />
  )
}
