import { whyNotTarget } from './decide.ts'
import type { HoldingList, IndexedHolding } from './holding.ts'
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
 * Every eligible node in the order in which the reference would turn to it: complete holders by id, then the others
 * by missing bytes and id (docs/reference.md D2 and D6). `nodes` are sorted by id; the answer is their places in it.
 * The first whose {@link targetAt} has no obstacle is where the reference places the model.
 */
export function rankTargets(index: ShardIndex, nodes: HoldingList): Uint32Array {
  const holders: number[] = []
  const others: number[] = []
  // Most nodes hold nothing of a model; they miss the most there is, so they come last as they are, unsorted.
  const without: number[] = []
  const missing = new Map<number, bigint>()
  for (let node = 0; node < nodes.length; node++) {
    const holding = nodes.at(node)
    if (holding === undefined || !holding.eligible) continue
    const { complete, bits, heldShards } = holding
    const bytes = complete || heldShards === 0 ? index.totalBytes : index.missingBytes(bits)
    if (complete) holders.push(node)
    else if (bytes === index.totalBytes) without.push(node)
    else {
      others.push(node)
      missing.set(node, bytes)
    }
  }
  others.sort((a, b) => {
    const difference = (missing.get(a) ?? 0n) - (missing.get(b) ?? 0n)
    return difference < 0n ? -1 : difference > 0n ? 1 : 0
  })
  return Uint32Array.from([...holders, ...others, ...without])
}

/**
 * An eligible node as a target, with the reference's reason against a fetch to it; `forbidden`: {@link whyNoTransfer}.
 */
export function targetAt(
  index: ShardIndex,
  { nodeId, complete, bits, freeBytes }: IndexedHolding,
  policy: TransferPolicy,
  forbidden: Unplaceable | null,
): RankedTarget {
  if (complete) return { nodeId, bytes: 0n, shards: 0, obstacle: null }
  const { bytes, shards } = index.missing(bits)
  return { nodeId, bytes, shards, obstacle: forbidden ?? whyNotTarget(bytes, freeBytes, policy) }
}

/** Why nothing of the model may move anywhere, or null when it may. */
export function whyNoTransfer(
  nodes: readonly { readonly complete: boolean }[],
  policy: TransferPolicy,
  sharing: Sharing,
): Unplaceable | null {
  if (!nodes.some((node) => node.complete)) return { reason: 'no_holder' }
  if (!policy.allowWeightTransfer) return { reason: 'transfer_disabled' }
  return sharing === 'allowed' ? null : { reason: 'not_redistributable' }
}
