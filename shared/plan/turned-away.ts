import { ownNode } from './outcome.ts'
import type { LabPlan, PlacementObstacle, RolePlan } from './types.ts'

/** A role that would run on a node by itself, and that the other roles keep from it. */
export interface TurnedAway {
  readonly role: RolePlan
  readonly obstacle: PlacementObstacle
}

/**
 * The roles each node turned away, by node id and in roster order. Only the node the role
 * would run on by itself counts: its placement says what became of it at others.
 */
export function turnedAway(plan: LabPlan): ReadonlyMap<string, readonly TurnedAway[]> {
  const byNode = new Map<string, TurnedAway[]>()
  for (const role of plan.roles) {
    const first = ownNode(role.outcome)
    if (first === null) continue
    const known = byNode.get(first.nodeId)
    const entry = { role, obstacle: first.obstacle }
    if (known === undefined) byNode.set(first.nodeId, [entry])
    else known.push(entry)
  }
  return byNode
}
