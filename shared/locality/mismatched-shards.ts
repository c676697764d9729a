import { MODEL_MARKER_PREFIX } from './holding.ts'
import type { NodeFacts } from '../node/types.ts'

/**
 * The capability by which a node says that files of a model are there under their names but with other bytes.
 * Its `shards` are as those of `model.present`: the marker of the model, then the manifest's hashes of those
 * files. It is a capability of its own, so that who does not know it sees shards that are missing, which they
 * are.
 */
export const MODEL_MISMATCH = 'model.mismatch'

/**
 * The hashes of the shards of model `packageId` that `facts` say were found with other bytes; none without
 * facts.
 */
export function mismatchedShards(facts: NodeFacts | null, packageId: string): ReadonlySet<string> {
  const marker = MODEL_MARKER_PREFIX + packageId
  const hashes = new Set<string>()
  for (const { id, attrs } of facts?.capabilities ?? []) {
    const list = id === MODEL_MISMATCH ? attrs.get('shards') : undefined
    if (typeof list !== 'object' || !list.includes(marker)) continue
    for (const item of list) if (typeof item === 'string' && item !== marker) hashes.add(item)
  }
  return hashes
}
