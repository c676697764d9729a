import { floatToU64 } from '../bytes.ts'
import type { ModelShards } from '../model-manifest/types.ts'
import type { Capability } from '../node/types.ts'
import { hasBit, setBit, ShardIndex } from './shard-index.ts'
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

/** Holdings by their places: an array, or what makes each one when it is come to (few are, where the first ones do). */
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

/** Reads `model.present` for the model of `index` (docs/reference.md H1 to H5). */
export function presenceFromCapabilities(
  index: ShardIndex,
  packageId: string,
  capabilities: readonly Capability[],
): Presence {
  const marker = MODEL_MARKER_PREFIX + packageId
  let bits: Uint32Array | null = null
  let heldShards = 0
  let complete = false
  let detached = false
  for (const capability of capabilities) {
    if (capability.id !== 'model.present') continue
    const list = capability.attrs.get('shards')
    if (typeof list !== 'object') continue
    if (list.includes(marker)) {
      if (capability.state === 'available' || capability.state === 'busy') complete = true
      else detached = true
      continue
    }
    bits ??= index.emptyBits()
    for (const item of list) {
      if (typeof item !== 'string') continue
      const slot = index.slotOf(item)
      if (slot !== undefined && setBit(bits, slot)) heldShards++
    }
  }
  if (complete) return { bits: index.allBits(), heldShards: index.slots, complete, detached: false }
  return { bits: bits ?? index.emptyBits(), heldShards, complete, detached }
}

/**
 * Free bytes of the roomiest available storage tier, or null when none tells (docs/reference.md H6; a
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

/** A node's holding of `model`, read from its capabilities (docs/reference.md H1 to H6). */
export function holdingFromCapabilities(
  nodeId: string,
  packageId: string,
  model: ModelShards,
  capabilities: readonly Capability[],
  eligible: boolean,
): NodeHolding {
  const index = new ShardIndex(model)
  const presence = presenceFromCapabilities(index, packageId, capabilities)
  const shards = new Set<string>()
  model.shards.forEach((shard, i) => {
    if (hasBit(presence.bits, index.slotOfShard(i))) shards.add(shard.blake3)
  })
  return {
    nodeId,
    eligible,
    shards,
    complete: presence.complete,
    freeBytes: freeBytesFromCapabilities(capabilities),
  }
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
