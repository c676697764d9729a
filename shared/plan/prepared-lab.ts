import type { NodeProfile } from '../eligibility/eligibility.ts'
import type { Presence } from '../locality/holding.ts'
import type { ShardIndex } from '../locality/shard-index.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { MemoryPool, MemoryPools } from '../node/types.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** A manifest with its shards numbered and every node's presence of it, in the lab's node order. */
export interface IndexedManifest {
  readonly manifest: ModelManifest
  readonly index: ShardIndex
  readonly presences: readonly Presence[]
}

/** What planning a lab needs again and again whatever the overlay says. */
export interface PreparedLab {
  /** By node id in code point order. */
  readonly profiles: readonly NodeProfile[]
  /** By model name; of two manifests of one name the first package id in code point order. */
  readonly manifestByName: ReadonlyMap<string, ModelManifest>
  readonly indexed: (manifest: ModelManifest) => IndexedManifest
}

/** `facts` as `scenario` assumes them. Nodes keep their positions, so that what is shown by position stays right. */
export function underScenario(facts: PreparedLab, scenario: Scenario): PreparedLab {
  const { freeSpace, memory, awayNodes } = scenario
  if (freeSpace.size === 0 && memory.size === 0 && awayNodes.size === 0) return facts
  return {
    ...facts,
    profiles: facts.profiles.map((profile) => {
      const { nodeId } = profile.node
      const free = freeSpace.get(nodeId)
      const pool = memory.get(nodeId)
      if (free === undefined && pool === undefined) return profile
      return {
        ...profile,
        freeBytes: free ?? profile.freeBytes,
        pools: pool === undefined ? profile.pools : withFreeMemory(profile.pools, pool),
      }
    }),
    indexed:
      awayNodes.size === 0
        ? facts.indexed
        : memoizeByManifest((manifest) => withoutHoldings(facts, manifest, awayNodes)),
  }
}

function withFreeMemory(pools: MemoryPools, freeBytes: bigint): MemoryPools {
  const name: MemoryPool['name'] = pools.roles?.name ?? (pools.kind === 'unified' ? 'unified' : 'accelerator')
  const reported = pools.roles?.totalBytes ?? freeBytes
  return { ...pools, roles: { name, freeBytes, totalBytes: reported < freeBytes ? freeBytes : reported } }
}

function withoutHoldings(
  facts: PreparedLab,
  manifest: ModelManifest,
  awayNodes: ReadonlySet<string>,
): IndexedManifest {
  const { index, presences } = facts.indexed(manifest)
  const nothing: Presence = { bits: index.emptyBits(), heldShards: 0, complete: false, detached: false }
  return {
    manifest,
    index,
    presences: presences.map((presence, i) =>
      awayNodes.has(facts.profiles[i]?.node.nodeId ?? '') ? nothing : presence,
    ),
  }
}

/** `make`, remembering its result for every manifest. */
export function memoizeByManifest(
  make: (manifest: ModelManifest) => IndexedManifest,
): PreparedLab['indexed'] {
  const known = new Map<ModelManifest, IndexedManifest>()
  return (manifest) => {
    const found = known.get(manifest) ?? make(manifest)
    known.set(manifest, found)
    return found
  }
}
