/** One transfer of a measurement: `to` reads from `from`. */
export interface LinkPair {
  readonly from: string
  readonly to: string
}

/** Bytes that one transfer moves: half a second at a gigabit a second. */
export const LINK_BYTES = 64_000_000

/**
 * Which machines measure with which: each reads from the next one, in a ring, so that each takes part twice. Two
 * machines read from each other.
 */
export function linkPairs(nodeIds: readonly string[]): readonly LinkPair[] {
  if (nodeIds.length < 2) return []
  return nodeIds.map((to, i) => ({ to, from: nodeIds[(i + 1) % nodeIds.length] ?? to }))
}

/** What a transfer came to. */
export interface LinkResult extends LinkPair {
  /** Megabits (1e6) a second; null when the two do not reach each other. */
  readonly mbps: number | null
  readonly reason: string | null
}

/**
 * The rate of each machine's link: a transfer is never faster than the slower of its two ends, so that the fastest one
 * that a machine took part in says most. Two figures count.
 */
export function linkRates(results: readonly LinkResult[]): ReadonlyMap<string, number> {
  const rates = new Map<string, number>()
  for (const { from, to, mbps } of results) {
    if (mbps === null || !(mbps > 0)) continue
    const rounded = Number(mbps.toPrecision(2))
    for (const node of [from, to]) rates.set(node, Math.max(rates.get(node) ?? 0, rounded))
  }
  return rates
}
