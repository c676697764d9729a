import type { LabPlan, PlacementObstacle, RolePlan } from './types.ts'

/** A role that a node was decided for, and that found no room there beside the others. */
export interface TurnedAway {
  readonly role: RolePlan
  readonly obstacle: PlacementObstacle
}

/**
 * The roles each node turned away, by node id and in roster order. Only the node that a role's decision named
 * counts: what became of the role at other nodes is told by its placement.
 */
export function turnedAway(plan: LabPlan): ReadonlyMap<string, readonly TurnedAway[]> {
  const byNode = new Map<string, TurnedAway[]>()
  for (const role of plan.roles) {
    const { placement } = role
    const first = placement.kind === 'off' ? undefined : placement.tried[0]
    if (first === undefined) continue
    const known = byNode.get(first.nodeId)
    const entry = { role, obstacle: first.obstacle }
    if (known === undefined) byNode.set(first.nodeId, [entry])
    else known.push(entry)
  }
  return byNode
}
