import type { RolePlan } from '../plan/types.ts'
import { placedBytes, placedNode } from '../plan/outcome.ts'
import { unplacedReason } from '../report/placement-words.ts'

/** Where a role runs, or why it does not. */
export type Place =
  | { readonly kind: 'runs'; readonly nodeId: string; readonly bytes: bigint }
  | { readonly kind: 'off' }
  | { readonly kind: 'cannot_run'; readonly reason: string }

/** Where the plan runs a role beside the others. */
export function placeOf(role: RolePlan): Place {
  const nodeId = placedNode(role)
  if (nodeId !== null) return { kind: 'runs', nodeId, bytes: placedBytes(role) }
  if (role.placement.kind === 'off') return { kind: 'off' }
  return { kind: 'cannot_run', reason: unplacedReason(role) ?? 'no node has room for it' }
}
