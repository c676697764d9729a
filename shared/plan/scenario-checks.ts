import type { Lab } from '../lab/lab.ts'
import type { Problem } from '../problem.ts'
import type { RolePlan } from './types.ts'
import type { Scenario } from '../scenario/scenario.ts'

/**
 * Assumptions about nodes and roles that the lab does not have: a saved scenario outlives the lab it was made for.
 * (Forced nodes are told by the cross-checks.)
 */
export function scenarioChecks(lab: Lab, scenario: Scenario, roles: readonly RolePlan[]): Problem[] {
  const nodes = new Set(lab.nodes.map(({ nodeId }) => nodeId))
  const names = new Set(roles.map(({ role }) => role))
  const problems: Problem[] = []
  const tell = (code: string, message: string): void => {
    problems.push({ severity: 'warning', code, message, file: null, range: null })
  }
  const ofNodes: readonly [Iterable<string>, string][] = [
    [scenario.freeSpace.keys(), 'free space'],
    [scenario.memory.keys(), 'memory'],
    [scenario.awayNodes, 'absence'],
  ]
  for (const [ids, what] of ofNodes) {
    for (const nodeId of ids) {
      if (nodes.has(nodeId)) continue
      tell(
        'scenario-unknown-node',
        `the scenario assumes the ${what} of ${nodeId}, but the lab has no node of that id; it has no effect`,
      )
    }
  }
  for (const role of scenario.offRoles) {
    if (!names.has(role)) tell('scenario-unknown-role', `the scenario switches ${role} off, which ${NO_ROLE}`)
  }
  for (const [role, nodeId] of scenario.pinned) {
    if (!names.has(role)) tell('scenario-unknown-role', `the scenario pins ${role}, which ${NO_ROLE}`)
    else if (!nodes.has(nodeId)) {
      tell(
        'scenario-unknown-node',
        `the scenario pins ${role} to ${nodeId}, but the lab has no node of that id; the role cannot be placed`,
      )
    }
  }
  return problems
}

const NO_ROLE = 'is no role of the roster; it has no effect'
