import { createRef, type RefObject } from 'react'
import { byLatencyClass, type LatencyClass } from '../../shared/inference-spec.ts'
import { itemId, type DragItem } from './drop.ts'
import type { LongListHandle } from './long-list.tsx'

/** The lists of the board; one without rows is null. */
export interface BoardLists {
  /** Of the roles of each latency class, by their ids. */
  readonly columns: Readonly<Record<LatencyClass, RefObject<LongListHandle | null>>>
  /** Of cards, by the roles they are of. */
  readonly cards: RefObject<LongListHandle | null>
}

export function createBoardLists(): BoardLists {
  return { columns: byLatencyClass(() => createRef()), cards: createRef() }
}

/** Scrolls to what can be dragged and gives what the keyboard drags it by; null when it is not on the board. */
export function revealItem({ columns, cards }: BoardLists, item: DragItem): HTMLElement | null {
  const row =
    item.kind === 'role' ? firstRow(Object.values(columns), item.role) : cards.current?.reveal(item.card)
  return row?.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId(item))}"]`) ?? null
}

function firstRow(lists: readonly RefObject<LongListHandle | null>[], role: string): HTMLElement | null {
  for (const list of lists) {
    const row = list.current?.reveal(role) ?? null
    if (row !== null) return row
  }
  return null
}
