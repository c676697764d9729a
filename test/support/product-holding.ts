import { freeBytesFromCapabilities, type Presence } from '../../shared/locality/holding.ts'
import { ShardCatalog } from '../../shared/locality/shard-catalog.ts'
import { hasBit, ShardIndex } from '../../shared/locality/shard-index.ts'
import type { NodeHolding } from '../../shared/locality/types.ts'
import type { ModelShards } from '../../shared/model-manifest/types.ts'
import type { Capability } from '../../shared/node/types.ts'

/** What the planner reads of one model in `model.present`, by the catalog that it asks for all models. */
export function presenceOf(
  index: ShardIndex,
  packageId: string,
  capabilities: readonly Capability[],
): Presence {
  const manifest = { packageId }
  const catalog = new ShardCatalog([manifest], () => index)
  const model = catalog.model(manifest)
  if (model === undefined) throw new Error('the catalog does not know its own model')
  return catalog.presences(capabilities).get(model) ?? model.nothing
}

/** The same as a holding by hashes, as the reference gives it. */
export function holdingOf(
  nodeId: string,
  packageId: string,
  model: ModelShards,
  capabilities: readonly Capability[],
  eligible: boolean,
): NodeHolding {
  const index = new ShardIndex(model)
  const { bits, complete } = presenceOf(index, packageId, capabilities)
  const held = model.shards.filter((_, shard) => hasBit(bits, index.slotOfShard(shard)))
  return {
    nodeId,
    eligible,
    shards: new Set(held.map(({ blake3 }) => blake3)),
    complete,
    freeBytes: freeBytesFromCapabilities(capabilities),
  }
}
