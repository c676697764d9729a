import type { RoleDecision, RolePlan } from './types.ts'

/** The node the role would run on, or null when it is not placed. */
export function decidedNode(decision: RoleDecision): string | null {
  switch (decision.kind) {
    case 'place_at_holder':
      return decision.nodeId
    case 'fetch_then_place':
      return decision.target
    case 'unplaceable':
    case 'no_manifest':
      return null
  }
}

/** Whether the role has a node to run on, at once or after a fetch. */
export function isPlaced(decision: RoleDecision): boolean {
  return decidedNode(decision) !== null
}

/** Bytes that move for the role: 0 when it runs in place or not at all. */
export function bytesToMove(decision: RoleDecision): bigint {
  return decision.kind === 'fetch_then_place' ? decision.bytes : 0n
}

/** Whether the role should run and has no node to: nobody decided one, or no eligible node has room. */
export function isUnplaced({ placement }: RolePlan): boolean {
  return placement.kind === 'none'
}

/** The node the role runs on beside the others; null when it has none or is switched off. */
export function placedNode({ placement }: RolePlan): string | null {
  return placement.kind === 'placed' ? placement.nodeId : null
}

/** Bytes that move for the role as it is placed; 0 when it is not. */
export function placedBytes({ placement }: RolePlan): bigint {
  return placement.kind === 'placed' ? placement.bytes : 0n
}

/** Whether co-residency or the scenario makes something else of the role than its decision says. */
export function isDisplaced({ placement }: RolePlan): boolean {
  switch (placement.kind) {
    case 'placed':
      return placement.at === 'alternative'
    case 'none':
      return placement.tried.length > 0
    case 'off':
      return true
  }
}
