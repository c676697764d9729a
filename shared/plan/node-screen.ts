import { eligibilityOf, type Need, type NodeProfile } from '../eligibility/eligibility.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { Task } from '../task.ts'

/** What a node is to every role of one runtime and format. */
const OUT = 0
const IF_IT_FITS = 1
const FORCED_IN = 2

/**
 * `eligibilityOf`'s answers, without its reasons, for many roles: what runtime and format make of each node is
 * remembered, so that a role adds only its memory and its pin.
 */
export function nodeScreen(
  profiles: readonly NodeProfile[],
  scenario: Scenario,
): (need: Need) => Task<Uint8Array> {
  const byKind = new Map<string, Uint8Array>()
  const free = profiles.map(({ pools }) => pools.roles?.freeBytes ?? null)
  function* standingsFor({ runtime, format }: Need): Task<Uint8Array> {
    const kind = `${runtime} ${format ?? ''}`
    const before = byKind.get(kind)
    if (before !== undefined) return before
    const need: Need = { runtime, format, memoryBytes: 0n, pinnedTo: null }
    const standings = new Uint8Array(profiles.length)
    for (const [node, profile] of profiles.entries()) {
      const { forced, failures } = eligibilityOf(profile, need, scenario)
      if (forced === 'in') standings[node] = FORCED_IN
      else standings[node] = failures.every(({ constraint }) => constraint === 'memory') ? IF_IT_FITS : OUT
      yield
    }
    byKind.set(kind, standings)
    return standings
  }
  return function* (need) {
    const { memoryBytes, pinnedTo } = need
    return (yield* standingsFor(need)).map((standing, node) => {
      if (pinnedTo !== null && profiles[node]?.node.nodeId !== pinnedTo) return 0
      const room = free[node] ?? null
      return standing === FORCED_IN || (standing === IF_IT_FITS && room !== null && room >= memoryBytes)
        ? 1
        : 0
    })
  }
}
