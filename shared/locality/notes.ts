import type { Consideration, LocalityDecision } from './types.ts'
import { unplaceableMessage } from './unplaceable-words.ts'

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
