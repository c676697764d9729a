import type { Lab } from '../lab/lab.ts'
import type { Problem } from '../problem.ts'
import { fieldsOf } from '../scenario/scenario-fields.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { RolePlan } from './types.ts'

/**
 * Warnings about assumptions on nodes and roles that the lab does not have: a saved scenario outlives the lab it was
 * made for.
 */
export function scenarioChecks(lab: Lab, scenario: Scenario, roles: readonly RolePlan[]): Problem[] {
  const nodes = new Set(lab.nodes.map(({ nodeId }) => nodeId))
  const names = new Set(roles.map(({ role }) => role))
  const mentions = fieldsOf(scenario).flatMap(({ field, value }) => field.mentions(value))
  return mentions.flatMap(({ role, node, clause }): Problem[] => {
    if (role !== undefined && !names.has(role))
      return [
        warning(
          'scenario-unknown-role',
          `the scenario ${clause}, but the roster has no role ${role}; it has no effect`,
        ),
      ]
    if (node === undefined || nodes.has(node)) return []
    const effect = role === undefined ? 'it has no effect' : 'the role cannot be placed'
    const message = `the scenario ${clause}, but the lab has no node of that id; ${effect}`
    const problem = warning('scenario-unknown-node', message)
    return [role === undefined ? problem : { ...problem, role }]
  })
}

function warning(code: string, message: string): Problem {
  return { severity: 'warning', code, message, file: null, range: null }
}
