import { useCallback, useEffect, useState } from 'react'
import { revealItem, type BoardLists } from './board-lists.ts'
import type { DragItem } from './drop.ts'

interface FocusRequest {
  /** The first of them that is on the board has the focus. */
  readonly items: readonly DragItem[]
  /** A card that is scrolled to besides. */
  readonly card: string | null
}

/**
 * Lets an edit say where the focus goes once the board shows it, and scrolls there. What had the focus may have moved
 * to another column or be gone by then.
 */
export function useFocusRequest(lists: BoardLists): (items: readonly DragItem[], card?: string) => void {
  const [request, setRequest] = useState<FocusRequest | null>(null)
  useEffect(() => {
    if (request === null) return
    let replaced = false
    // Behind the effects: what is out of view has to be drawn at once, which React does not do within one.
    queueMicrotask(() => {
      if (!replaced) answer(lists, request)
    })
    return () => {
      replaced = true
    }
  }, [lists, request])
  return useCallback((items, card) => setRequest({ items, card: card ?? null }), [])
}

function answer(lists: BoardLists, { items, card }: FocusRequest): void {
  if (card !== null) lists.cards.current?.reveal(card)
  for (const item of items) {
    const found = revealItem(lists, item)
    if (found === null) continue
    found.focus()
    return
  }
}
