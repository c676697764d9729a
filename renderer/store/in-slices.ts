/** How long the page may be kept from painting and answering at a stretch, in milliseconds. */
const SLICE_MS = 12

/**
 * Runs `steps` to their end without keeping the page waiting: after every few milliseconds it gets its turn, and
 * `onTurn` is told. Null when `isGivenUp` said so before the end.
 */
export async function inSlices<T>(
  steps: Generator<void, T>,
  isGivenUp: () => boolean,
  onTurn: () => void = () => undefined,
): Promise<{ readonly value: T } | null> {
  for (;;) {
    const end = performance.now() + SLICE_MS
    do {
      const step = steps.next()
      if (step.done === true) return { value: step.value }
    } while (performance.now() < end)
    onTurn()
    await turn()
    if (isGivenUp()) return null
  }
}

/** Lets the page do what waits; a message comes sooner than a timer, which browsers hold back. */
function turn(): Promise<void> {
  return new Promise((resolve) => {
    const { port1, port2 } = new MessageChannel()
    port1.onmessage = () => {
      port1.close()
      resolve()
    }
    port2.postMessage(null)
  })
}

/** Runs `steps` to their end at once. */
export function atOnce<T>(steps: Generator<void, T>): T {
  let step = steps.next()
  while (step.done !== true) step = steps.next()
  return step.value
}
