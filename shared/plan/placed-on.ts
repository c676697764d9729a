import { saturatingAdd } from '../bytes.ts'
import { specMemoryBytes } from '../inference-spec.ts'
import { decidedNode } from './words.ts'
import type { LabPlan, RolePlan } from './types.ts'

/** The roles that the decisions put on one node, in roster order, and the memory they ask for together. */
export interface PlacedRoles {
  readonly roles: readonly RolePlan[]
  /** Bytes: weights and KV cache of all of them. */
  readonly memoryBytes: bigint
}

export const NOBODY_PLACED: PlacedRoles = { roles: [], memoryBytes: 0n }

/**
 * Who would be where by node id, going by each role's own decision alone; nodes that get nobody are left out. The
 * decisions are made role by role, so together they may ask for more memory than a node has.
 */
export function placedOn(plan: LabPlan): ReadonlyMap<string, PlacedRoles> {
  const placed = new Map<string, PlacedRoles>()
  for (const role of plan.roles) {
    const nodeId = decidedNode(role.decision)
    if (nodeId === null) continue
    const { roles, memoryBytes } = placed.get(nodeId) ?? NOBODY_PLACED
    placed.set(nodeId, {
      roles: [...roles, role],
      memoryBytes: saturatingAdd(memoryBytes, specMemoryBytes(role.imported.spec)),
    })
  }
  return placed
}
