import { useEffect } from 'react'

/** Long enough to skip what is only passed over, short enough to seem at once. */
const REST_MS = 40

/**
 * Tells `tell` of `value` once it has rested: what the pointer or a scroll passes over would make every other pane
 * redraw at each frame. What was told last is taken back when the caller goes.
 */
export function useRested<T>(value: T | null, tell: (value: T | null) => void): void {
  useEffect(() => {
    const timer = window.setTimeout(() => tell(value), REST_MS)
    return () => window.clearTimeout(timer)
  }, [value, tell])
  useEffect(() => () => tell(null), [tell])
}
