import { useCallback, useEffect, useRef } from 'react'

/** Long enough to skip what is only passed over, short enough to seem at once. */
const REST_MS = 40

/**
 * Calls `tell` with `value` once it has rested: what the pointer or a scroll passes over would make every other
 * pane redraw at each frame. The last call is taken back when the caller goes, or at once by the function
 * that is returned; nothing is taken back twice, since another pane may have called meanwhile.
 */
export function useRested<T>(value: T | null, tell: (value: T | null) => void): () => void {
  const lastCalled = useRef<T | null>(null)
  const tellNext = useCallback(
    (next: T | null) => {
      if (next === null && lastCalled.current === null) return
      lastCalled.current = next
      tell(next)
    },
    [tell],
  )
  useEffect(() => {
    const timer = window.setTimeout(() => tellNext(value), REST_MS)
    return () => window.clearTimeout(timer)
  }, [value, tellNext])
  useEffect(() => () => tellNext(null), [tellNext])
  return useCallback(() => tellNext(null), [tellNext])
}
