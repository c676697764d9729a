import { sortById, whyNotTarget } from './decide.ts'
import type { IndexedHolding } from './holding.ts'
import type { ShardIndex } from './shard-index.ts'
import type { Sharing, TransferPolicy, Unplaceable } from './types.ts'

/** An eligible node as a place to run a model, with what running there takes. */
export interface RankedTarget {
  readonly nodeId: string
  /** Bytes and shards that would have to move; none when the node holds the whole model. */
  readonly bytes: bigint
  readonly shards: number
  /** Why the missing bytes cannot move there; null when they can, or when there are none. */
  readonly obstacle: Unplaceable | null
}

/**
 * Every eligible node in the order in which the reference would turn to it: complete holders by id, then the others by
 * missing bytes and id, each with the reference's reason against a fetch to it (reference: locality.rs decide). The
 * first without an obstacle is where the reference places the model.
 */
export function rankTargets(
  index: ShardIndex,
  nodes: readonly IndexedHolding[],
  policy: TransferPolicy,
  sharing: Sharing,
): RankedTarget[] {
  const sorted = sortById(nodes)
  const forbidden = whyNoTransfer(sorted, policy, sharing)
  const holders: RankedTarget[] = []
  const others: RankedTarget[] = []
  for (const { nodeId, eligible, complete, bits, freeBytes } of sorted) {
    if (!eligible) continue
    if (complete) holders.push({ nodeId, bytes: 0n, shards: 0, obstacle: null })
    else {
      const { bytes, shards } = index.missing(bits)
      others.push({ nodeId, bytes, shards, obstacle: forbidden ?? whyNotTarget(bytes, freeBytes, policy) })
    }
  }
  others.sort((a, b) => (a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : 0))
  return [...holders, ...others]
}

/** Why nothing of the model may move anywhere, or null when it may. */
function whyNoTransfer(
  nodes: readonly IndexedHolding[],
  policy: TransferPolicy,
  sharing: Sharing,
): Unplaceable | null {
  if (!nodes.some((node) => node.complete)) return { reason: 'no_holder' }
  if (!policy.allowWeightTransfer) return { reason: 'transfer_disabled' }
  return sharing === 'allowed' ? null : { reason: 'not_redistributable' }
}
