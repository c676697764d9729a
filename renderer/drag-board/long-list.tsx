import { useVirtualizer, type Range } from '@tanstack/react-virtual'
import { useCallback, useImperativeHandle, useMemo, useRef, useState, type ReactNode, type Ref } from 'react'
import { flushSync } from 'react-dom'
import { drawnRows } from './drawn-rows.ts'
import type { Box } from './next-target.ts'
import styles from './long-list.module.css'

/** A row by its key and where it lies in the window, in pixels, seen or not. */
interface RowBox {
  readonly key: string
  readonly box: Box
}

/** What can be asked of a list about rows that may not be drawn. */
export interface LongListHandle {
  readonly boxes: () => readonly RowBox[]
  readonly keys: readonly string[]
  /** Whether an element is of this list. */
  readonly has: (element: Node) => boolean
  /** Draws the row at once, scrolls to it and gives its element; null when there is no such row. */
  readonly reveal: (key: string) => HTMLElement | null
}

interface LongListProps {
  readonly label: string
  /** What distinguishes the rows, in their order. */
  readonly keys: readonly string[]
  /** A row that stays drawn wherever it is scrolled to, since it is being dragged. */
  readonly kept: string | null
  /** How high a row is until it is measured, with the space that it leaves below itself. */
  readonly rowPx: number
  readonly rowLabel?: (key: string) => string
  readonly handle: Ref<LongListHandle>
  readonly children: (index: number) => ReactNode
}

const START_PX = 2

/**
 * A list that scrolls, of which only the rows in view are drawn, so that hundreds cost what the visible ones cost; and
 * the row that has the focus, or was asked for last.
 */
export function LongList({ label, keys, kept, rowPx, rowLabel, handle, children }: LongListProps): ReactNode {
  const scroll = useRef<HTMLDivElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const [asked, setAsked] = useState<string | null>(null)
  const held = useMemo(
    () => [kept, asked].map((key) => (key === null ? -1 : keys.indexOf(key))),
    [keys, kept, asked],
  )
  const rows = useVirtualizer({
    count: keys.length,
    getScrollElement: () => scroll.current,
    getItemKey: useCallback((index: number) => keys[index] ?? index, [keys]),
    estimateSize: () => rowPx,
    rangeExtractor: useCallback((range: Range) => drawnRows(range, held), [held]),
    overscan: 5,
    paddingStart: START_PX,
    scrollPaddingStart: START_PX,
  })

  useImperativeHandle(
    handle,
    () => ({
      keys,
      has: (element) => list.current?.contains(element) ?? false,
      boxes: () => {
        if (list.current === null) return []
        const { left, right, top, height } = list.current.getBoundingClientRect()
        // The window's pixels are not the list's own when it is zoomed.
        const scale = height / rows.getTotalSize()
        return keys.flatMap((key, index) => {
          const row = rows.measurementsCache[index]
          if (row === undefined) return []
          return [{ key, box: { left, right, top: top + row.start * scale, bottom: top + row.end * scale } }]
        })
      },
      reveal: (key) => {
        const index = keys.indexOf(key)
        if (index === -1) return null
        flushSync(() => setAsked(key))
        rows.scrollToIndex(index)
        // The list itself may be out of view, in a board that is narrower than its columns.
        scroll.current?.scrollIntoView({ block: 'nearest', inline: 'nearest' })
        return list.current?.querySelector<HTMLElement>(`:scope > [data-index="${index}"]`) ?? null
      },
    }),
    [keys, rows],
  )

  return (
    // Else Chromium makes a list that scrolls a stop of Tab, since nothing in it is one.
    <div ref={scroll} className={styles.scroll} tabIndex={-1}>
      <ul ref={list} className={styles.rows} style={{ height: rows.getTotalSize() }} aria-label={label}>
        {rows.getVirtualItems().map(({ index, start }) => {
          const key = keys[index]
          if (key === undefined) return null
          return (
            <li
              key={key}
              ref={rows.measureElement}
              className={styles.row}
              // Not by a transform, which a drag that begins here would leave out when it measures.
              style={{ top: start }}
              data-index={index}
              aria-label={rowLabel?.(key)}
              aria-setsize={keys.length}
              aria-posinset={index + 1}
              onFocus={() => setAsked(key)}
            >
              {children(index)}
            </li>
          )
        })}
      </ul>
    </div>
  )
}
