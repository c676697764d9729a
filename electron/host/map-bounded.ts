/**
 * Runs `work` on every item with at most `limit` of them under way, and returns the results in the items'
 * order. A failure of one ends the whole.
 */
export async function mapBounded<T, R>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<R>,
): Promise<R[]> {
  const results: R[] = []
  // One iterator shared by all workers: each takes the next item when it has finished its last.
  const queue = items.entries()
  const worker = async (): Promise<void> => {
    for (const [i, item] of queue) results[i] = await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
  return results
}
