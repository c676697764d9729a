import type { Scenario } from '../scenario/types.ts'
import type { LiveComparison } from './compare-live.ts'

/**
 * `scenario` with every role that was seen running pinned to the node where it runs, and free to run again if it was
 * switched off: what runs now as a plan, to be compared with the one before. Roles that were not seen stay as they are.
 */
export function adoptWhatRuns(scenario: Scenario, comparison: LiveComparison): Scenario {
  const pinned = new Map(scenario.pinned)
  const offRoles = new Set(scenario.offRoles)
  for (const { role, node } of rolesRunning(comparison)) {
    pinned.set(role, node)
    offRoles.delete(role)
  }
  return { ...scenario, pinned, offRoles }
}

/** Where roles run now, by their ids: those that were seen in memory, wherever that is. */
export function rolesRunning({
  roles,
}: LiveComparison): readonly { readonly role: string; readonly node: string }[] {
  return roles.flatMap(({ role, state, seen }) =>
    seen !== null && RUNS.has(seen.model.state) && state !== 'other_model'
      ? [{ role, node: seen.nodeId }]
      : [],
  )
}

const RUNS: ReadonlySet<string> = new Set(['loaded', 'loading', 'listed'])
