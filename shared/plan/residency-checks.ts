import { formatBytesApart, saturatingAdd } from '../bytes.ts'
import type { Lab } from '../lab/lab.ts'
import type { Problem } from '../problem.ts'
import { rosterProblem } from './cross-checks.ts'
import type { NodeResidency, RolePlan } from './types.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** What is worth a warning once every role is placed: each role alone is fine, the ones on one node together are not. */
export function residencyChecks(
  lab: Lab,
  scenario: Scenario,
  roles: readonly RolePlan[],
  residency: readonly NodeResidency[],
): Problem[] {
  return [...portClashes(lab, roles, residency), ...overfullStorage(scenario, residency)]
}

function portClashes(lab: Lab, roles: readonly RolePlan[], residency: readonly NodeResidency[]): Problem[] {
  return residency.flatMap(({ nodeId, portClashes: clashes }) =>
    clashes.flatMap(({ port, roles: names }): Problem[] => {
      const second = roles.find(
        ({ role, imported }) => role === names[1] && imported.spec.serve.port === port,
      )
      if (second === undefined) return []
      const message =
        `${names.join(' and ')} are both placed on ${nodeId} and serve on port ${port}; ` +
        'give one of them another port'
      return [rosterProblem(lab, second, 'port', 'warning', 'port-clash', message)]
    }),
  )
}

/** The reference asks for each fetch whether it fits the node's free space; two that fit singly may not together. */
function overfullStorage({ policy }: Scenario, residency: readonly NodeResidency[]): Problem[] {
  return residency.flatMap(({ nodeId, incomingBytes, freeBytes }): Problem[] => {
    if (incomingBytes === 0n || freeBytes === null) return []
    const needed = saturatingAdd(incomingBytes, policy.freeHeadroomBytes)
    if (needed <= freeBytes) return []
    const [wanted, there] = formatBytesApart(needed, freeBytes)
    const message =
      `the fetches to ${nodeId} need ${wanted} free together, headroom included, and it has ${there}; ` +
      'free space there or fetch one of them elsewhere'
    return [{ severity: 'warning', code: 'storage-overfull', message, file: null, range: null }]
  })
}
