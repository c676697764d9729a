import type { Task } from '../../shared/task.ts'

/** How long the page may be kept from painting and answering at a stretch, in milliseconds. */
const SLICE_MS = 12

/** Longer than this a person wonders whether anything happens, in milliseconds. */
export const LONG_MS = 150

/** Takes as many of `steps` as fit one slice; their result when that was the end, else null. */
export function runSlice<T>(steps: Task<T>): { readonly value: T } | null {
  const end = performance.now() + SLICE_MS
  do {
    const step = steps.next()
    if (step.done === true) return { value: step.value }
  } while (performance.now() < end)
  return null
}

/**
 * Runs `steps` to their end without keeping the page waiting: after every few milliseconds it gets its turn, and
 * `onTurn` is called. Null when `isGivenUp` said so before the end.
 */
export async function runInSlices<T>(
  steps: Task<T>,
  isGivenUp: () => boolean,
  onTurn: () => void = () => undefined,
): Promise<{ readonly value: T } | null> {
  for (;;) {
    const done = runSlice(steps)
    if (done !== null) return done
    onTurn()
    await yieldToEventLoop()
    if (isGivenUp()) return null
  }
}

/** Lets the page do what waits; a message comes sooner than a timer, which browsers hold back. */
export function yieldToEventLoop(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}
