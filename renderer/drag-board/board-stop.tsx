import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { BoardLists } from './board-lists.ts'
import { controlAfterKey, firstControl } from './board-keys.ts'
import styles from './drag-board.module.css'

interface BoardStopProps {
  readonly lists: BoardLists
  readonly children: ReactNode
}

/**
 * Makes everything on the board one stop of Tab: it gives the focus to what had it last, and the arrow keys move it. The
 * stop is the board itself, since the row that had the focus may not be drawn any more.
 */
export function BoardStop({ lists, children }: BoardStopProps): ReactNode {
  const last = useRef<HTMLElement | null>(null)
  const [within, setWithin] = useState(false)
  const onKeyDown = (event: KeyboardEvent<HTMLElement>): void => {
    const { target, currentTarget, key } = event
    if (event.defaultPrevented || event.altKey || event.ctrlKey || event.metaKey) return
    if (!(target instanceof HTMLElement) || currentTarget.closest('[data-dragging]') !== null) return
    const next = controlAfterKey(lists, target, key)
    if (next === null) return
    event.preventDefault()
    next.focus()
  }
  return (
    <div
      className={styles.stop}
      role="group"
      aria-label="Roles by latency class, and who cannot be beside whom"
      tabIndex={within ? -1 : 0}
      onKeyDown={onKeyDown}
      onFocus={(event) => {
        if (event.target !== event.currentTarget) {
          last.current = event.target
          setWithin(true)
        } else if (event.currentTarget.matches(':focus-visible')) {
          const known = last.current?.isConnected ? last.current : firstControl(lists)
          known?.focus()
        }
      }}
      onBlur={(event) => setWithin(event.currentTarget.contains(event.relatedTarget))}
    >
      {children}
    </div>
  )
}
