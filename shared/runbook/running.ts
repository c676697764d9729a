import type { Instance } from '../placement/ledger.ts'
import { instanceNames } from '../placement/place.ts'
import type { PlanOutline } from '../report/plan-diff.ts'

/** What runs on one node now, as far as the planner knows. */
export interface RunningNode {
  readonly nodeId: string
  readonly instances: readonly Instance[]
}

/** What runs where that plan is carried out. A plan file from before roles had outcomes says nothing. */
export function runningOf(plan: PlanOutline): readonly RunningNode[] {
  return byNode(plan, ({ outcome }) => outcome?.node_id ?? null)
}

/** What runs where roles of that plan were seen running, by role id. */
export function runningAt(plan: PlanOutline, seen: ReadonlyMap<string, string>): readonly RunningNode[] {
  return byNode(plan, ({ role }) => seen.get(role) ?? null)
}

function byNode(
  { roles }: PlanOutline,
  nodeOf: (role: PlanOutline['roles'][number]) => string | null,
): readonly RunningNode[] {
  const names = instanceNames(roles)
  const nodes = new Map<string, Instance[]>()
  roles.forEach((planned, i) => {
    const { role, spec } = planned
    const nodeId = nodeOf(planned)
    if (nodeId === null) return
    const { weights_bytes, kv_budget_bytes } = spec.memory
    const here = nodes.get(nodeId) ?? []
    here.push({
      name: names[i] ?? role,
      role,
      bytes: BigInt(weights_bytes) + BigInt(kv_budget_bytes),
      excludes: spec.excludes ?? [],
    })
    nodes.set(nodeId, here)
  })
  return [...nodes].map(([nodeId, instances]) => ({ nodeId, instances }))
}
