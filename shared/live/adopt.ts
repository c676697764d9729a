import type { Scenario } from '../scenario/types.ts'
import type { LiveComparison } from './compare-live.ts'

/**
 * `scenario` with every role that was seen running pinned to the node where it runs, and free to run again if it was
 * switched off: what runs now as a plan, to be compared with the one before. Roles that were not seen stay as they are.
 */
export function adoptWhatRuns(scenario: Scenario, { roles }: LiveComparison): Scenario {
  const pinned = new Map(scenario.pinned)
  const offRoles = new Set(scenario.offRoles)
  for (const { role, seen } of roles) {
    if (seen === null || !RUNS.has(seen.model.state)) continue
    pinned.set(role, seen.nodeId)
    offRoles.delete(role)
  }
  return { ...scenario, pinned, offRoles }
}

const RUNS: ReadonlySet<string> = new Set(['loaded', 'loading', 'listed'])
