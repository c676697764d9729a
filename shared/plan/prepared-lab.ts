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
  const { freeSpace, memory, awayNodes, installed, heldModels } = scenario
  const sizes = [freeSpace.size, memory.size, awayNodes.size, installed.size, heldModels.size]
  if (sizes.every((size) => size === 0)) return facts
  return {
    ...facts,
    profiles: facts.profiles.map((profile) => {
      const { nodeId } = profile.node
      const free = freeSpace.get(nodeId)
      const pool = memory.get(nodeId)
      const there = installed.get(nodeId)
      if (free === undefined && pool === undefined && there === undefined) return profile
      return {
        ...profile,
        finding:
          there === undefined ? profile.finding : (id) => (there.has(id) ? 'usable' : profile.finding(id)),
        freeBytes: free ?? profile.freeBytes,
        pools: pool === undefined ? profile.pools : withFreeMemory(profile.pools, pool),
      }
    }),
    indexed:
      awayNodes.size === 0 && heldModels.size === 0
        ? facts.indexed
        : memoizeByManifest((manifest) => holdingsUnder(facts, manifest, scenario)),
  }
}

function withFreeMemory(pools: MemoryPools, freeBytes: bigint): MemoryPools {
  const name: MemoryPool['name'] = pools.roles?.name ?? (pools.kind === 'unified' ? 'unified' : 'accelerator')
  const reported = pools.roles?.totalBytes ?? freeBytes
  return {
    ...pools,
    roles: { name, freeBytes, totalBytes: reported < freeBytes ? freeBytes : reported, own: [] },
  }
}

/** A node that is away holds nothing, whatever it is taken to hold. */
function holdingsUnder(
  facts: PreparedLab,
  manifest: ModelManifest,
  { awayNodes, heldModels }: Scenario,
): IndexedManifest {
  const { index, presences } = facts.indexed(manifest)
  const nothing: Presence = { bits: index.emptyBits(), heldShards: 0, complete: false, detached: false }
  const whole: Presence = {
    bits: index.allBits(),
    heldShards: index.slots,
    complete: true,
    detached: false,
  }
  return {
    manifest,
    index,
    presences: presences.map((presence, i) => {
      const nodeId = facts.profiles[i]?.node.nodeId ?? ''
      if (awayNodes.has(nodeId)) return nothing
      return heldModels.get(nodeId)?.has(manifest.body.name) === true ? whole : presence
    }),
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
