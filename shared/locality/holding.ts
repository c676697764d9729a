import { floatToU64 } from '../bytes.ts'
import type { Capability } from '../node/types.ts'
import { setBit, type ShardIndex } from './shard-index.ts'
import type { NodeHolding } from './types.ts'

/** Prefix of the `model.present` entry that marks a whole attested model. */
export const MODEL_MARKER_PREFIX = 'model:'

/** A holding over a {@link ShardIndex}: what {@link NodeHolding} says, as bits. */
export interface IndexedHolding {
  readonly nodeId: string
  readonly eligible: boolean
  readonly complete: boolean
  readonly freeBytes: bigint | null
  /** Slots of the index that are held. */
  readonly bits: Uint32Array
  /** Distinct hashes held; more than the bits when a holding names hashes the model does not have. */
  readonly heldShards: number
}

/** Indexed holdings, possibly built lazily: a decision often needs only the first few. */
export interface HoldingList {
  readonly length: number
  at(place: number): IndexedHolding | undefined
}

/** All of a list, in order. */
export function holdingsIn(list: HoldingList): IndexedHolding[] {
  return Array.from({ length: list.length }, (_, place) => list.at(place)).filter(
    (holding) => holding !== undefined,
  )
}

/** What a node's `model.present` capabilities say of one model, before eligibility is known. */
export interface Presence {
  readonly bits: Uint32Array
  readonly heldShards: number
  readonly complete: boolean
  /** The node has the whole model on storage that is away (marker, but neither available nor busy). */
  readonly detached: boolean
  /** Slots whose file is there with other bytes, so that it does not count as held; left out when there is none. */
  readonly mismatched?: Uint32Array
}

/**
 * Free bytes of the roomiest available storage tier, or null when none reports it (docs/reference.md H6; a
 * NaN cannot be there).
 */
export function freeBytesFromCapabilities(capabilities: readonly Capability[]): bigint | null {
  let most: number | null = null
  for (const capability of capabilities) {
    if (capability.state !== 'available' || !capability.id.startsWith('store.tier.')) continue
    const free = capability.attrs.get('free')
    if (typeof free === 'number' && free >= 0 && (most === null || free > most)) most = free
  }
  return most === null ? null : floatToU64(most)
}

/** `holding` as bits over `index`. */
export function indexHolding(index: ShardIndex, holding: NodeHolding): IndexedHolding {
  const bits = index.emptyBits()
  for (const hash of holding.shards) {
    const slot = index.slotOf(hash)
    if (slot !== undefined) setBit(bits, slot)
  }
  return {
    nodeId: holding.nodeId,
    eligible: holding.eligible,
    complete: holding.complete,
    freeBytes: holding.freeBytes,
    bits,
    heldShards: holding.shards.size,
  }
}
