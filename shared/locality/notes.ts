import type { Consideration, LocalityDecision, Unplaceable } from './types.ts'

/** The reference's sentence for why a model cannot be placed (docs/reference.md N4). */
export function unplaceableMessage(unplaceable: Unplaceable): string {
  switch (unplaceable.reason) {
    case 'no_holder':
      return 'no node holds these weights; adopt them on a node first'
    case 'no_eligible_node':
      return 'no node passes the other placement constraints'
    case 'transfer_disabled':
      return 'weights are held elsewhere and allow_weight_transfer is off'
    case 'not_redistributable':
      return 'weights are held elsewhere and the manifest is not marked redistributable'
    case 'over_ceiling':
      return `transfer of ${unplaceable.bytes} bytes exceeds the ${unplaceable.max} byte ceiling`
    case 'no_space':
      return unplaceable.free === null
        ? `target needs ${unplaceable.needed} bytes free and its free space is unknown`
        : `target needs ${unplaceable.needed} bytes free, has ${unplaceable.free}`
  }
}

function verdictNote(decision: LocalityDecision): string {
  switch (decision.kind) {
    case 'place_at_holder':
      return `relocate: ${decision.nodeId} already holds every shard, nothing is copied`
    case 'fetch_then_place':
      return (
        `fetch: ${decision.target} gets ${decision.missingShards} shard(s), ${decision.bytes} bytes, ` +
        `from ${decision.sources.join(',')}`
      )
    case 'unplaceable':
      return `unplaceable: ${unplaceableMessage(decision.unplaceable)}`
  }
}

/** The reference's note for one consideration, to the letter (docs/reference.md N1 to N3). */
export function renderNote(consideration: Consideration): string {
  switch (consideration.kind) {
    case 'model':
      return `model ${consideration.name} (${consideration.shards} shards, ${consideration.bytes} bytes)`
    case 'node':
      return (
        `node ${consideration.nodeId}: eligible=${consideration.eligible} complete=${consideration.complete} ` +
        `holds ${consideration.heldShards}/${consideration.shards} shards`
      )
    case 'rejected_target':
      return `target ${consideration.nodeId} rejected: ${unplaceableMessage(consideration.unplaceable)}`
    case 'verdict':
      return verdictNote(consideration.decision)
  }
}
