import { createRef, type RefObject } from 'react'
import { itemId, type DragItem } from './drop.ts'
import type { LongListHandle } from './long-list.tsx'

/** The three lists of the board; a list without rows is not there. */
export interface BoardLists {
  /** Of roles, by their ids. */
  readonly interactive: RefObject<LongListHandle | null>
  readonly batch: RefObject<LongListHandle | null>
  /** Of cards, by the roles they are of. */
  readonly cards: RefObject<LongListHandle | null>
}

export function createBoardLists(): BoardLists {
  return { interactive: createRef(), batch: createRef(), cards: createRef() }
}

/** Scrolls to what can be dragged and gives what the keyboard drags it by; null when it is not on the board. */
export function revealItem({ interactive, batch, cards }: BoardLists, item: DragItem): HTMLElement | null {
  const row =
    item.kind === 'role'
      ? (interactive.current?.reveal(item.role) ?? batch.current?.reveal(item.role))
      : cards.current?.reveal(item.card)
  return row?.querySelector<HTMLElement>(`[data-item="${CSS.escape(itemId(item))}"]`) ?? null
}
