import { largestContext, type LargestContext } from '../memory/largest-context.ts'
import type { MemorySetting } from '../memory/setting.ts'
import type { ModelShape } from '../memory/shape.ts'
import { release } from '../placement/ledger.ts'
import { instanceName } from '../placement/place.ts'
import type { LabPlan } from './types.ts'

/** What one node has left for a role beside the roles placed there. */
export interface ContextRoom {
  readonly nodeId: string
  /** Bytes of the node's budget that the other roles leave; null when the node reports no memory for roles. */
  readonly room: bigint | null
  readonly largest: LargestContext
}

/**
 * For each node that could run role number `role` if its memory were enough, the largest context that fits beside the
 * other roles that are placed there, in the plan's node order.
 */
export function contextRooms(
  plan: LabPlan,
  role: number,
  shape: ModelShape,
  setting: MemorySetting,
): readonly ContextRoom[] {
  const own = plan.roles[role]
  if (own === undefined) return []
  const name = instanceName(plan.roles, role)
  return plan.residency.flatMap(({ nodeId, ledger }, node): ContextRoom[] => {
    const verdict = own.verdictAt(node)
    if (!verdict?.failures.every(({ constraint }) => constraint === 'memory')) return []
    if (ledger.budget === null) return [{ nodeId, room: null, largest: { kind: 'unknown' } }]
    const { usedBytes } = release(ledger, name)
    const room = ledger.budget.bytes > usedBytes ? ledger.budget.bytes - usedBytes : 0n
    return [{ nodeId, room, largest: largestContext(shape, setting, room) }]
  })
}
