import { useCallback, useEffect, useState, type RefObject } from 'react'

/**
 * Lets an edit say where the focus goes once it is drawn: the first of the wanted keys that is on the board
 * (`data-focus`). What had the focus may have moved to another column or be gone by then.
 */
export function useFocusRequest(root: RefObject<HTMLElement | null>): (...keys: readonly string[]) => void {
  const [wanted, setWanted] = useState<readonly string[]>([])
  useEffect(() => {
    for (const key of wanted) {
      const found = root.current?.querySelector<HTMLElement>(`[data-focus="${CSS.escape(key)}"]`)
      if (!found) continue
      found.focus()
      return
    }
  }, [root, wanted])
  return useCallback((...keys) => setWanted(keys), [])
}

export function roleFocus(role: string): string {
  return `role ${role}`
}

export function excludeFocus(card: string, role: string): string {
  return `exclude ${card} ${role}`
}
