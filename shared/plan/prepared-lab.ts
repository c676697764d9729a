import type { Lab } from '../lab.ts'
import { presenceFromCapabilities, type Presence } from '../locality/holding.ts'
import { setBit, ShardIndex } from '../locality/shard-index.ts'
import type { ModelBody, ModelManifest, Shard } from '../model-manifest/types.ts'
import { mismatchedShards } from '../node/mismatched-shards.ts'
import type { LabNode, MemoryPool, MemoryPools } from '../node/types.ts'
import { profileNode, type NodeProfile } from '../placement/eligibility.ts'
import { compareCodePoints } from '../token.ts'
import type { Scenario } from './types.ts'

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

/** A lab is a value: preparing it again gives the same, so it is remembered for as long as the lab is. */
const prepared = new WeakMap<Lab, PreparedLab>()

/** The same for what stays of a lab when a single file of it changes, or a what-if changes a single node. */
const profiles = new WeakMap<LabNode, NodeProfile>()
const presences = new WeakMap<LabNode, Map<string, { readonly shards: readonly Shard[]; readonly presence: Presence }>>()
const indices = new WeakMap<ModelBody, ShardIndex>()

/** `lab` prepared, with what `scenario` assumes of its nodes. */
export function prepareLab(lab: Lab, scenario: Scenario): PreparedLab {
  const known = prepared.get(lab)
  if (known) return underScenario(known, scenario)
  const facts = prepare(lab)
  prepared.set(lab, facts)
  return underScenario(facts, scenario)
}

function prepare(lab: Lab): PreparedLab {
  const nodes = lab.nodes.toSorted((a, b) => compareCodePoints(a.nodeId, b.nodeId)).map(profileOf)
  return {
    profiles: nodes,
    manifestByName: manifestsByName(lab.manifests),
    indexed: rememberedByPackage((manifest) => {
      const index = indexOf(manifest)
      return { manifest, index, presences: nodes.map((profile) => rememberedPresence(profile, manifest, index)) }
    }),
  }
}

function profileOf(node: LabNode): NodeProfile {
  const profile = profiles.get(node) ?? profileNode(node)
  profiles.set(node, profile)
  return profile
}

function indexOf({ body }: ModelManifest): ShardIndex {
  const index = indices.get(body) ?? new ShardIndex(body)
  indices.set(body, index)
  return index
}

function rememberedPresence(profile: NodeProfile, manifest: ModelManifest, index: ShardIndex): Presence {
  const { shards, name } = manifest.body
  const key = `${manifest.packageId} ${name}`
  const ofNode = presences.get(profile.node) ?? new Map<string, { shards: readonly Shard[]; presence: Presence }>()
  presences.set(profile.node, ofNode)
  const known = ofNode.get(key)
  if (known?.shards === shards) return known.presence
  const presence = presenceOf(profile, manifest, index)
  ofNode.set(key, { shards, presence })
  return presence
}

function rememberedByPackage(make: (manifest: ModelManifest) => IndexedManifest): PreparedLab['indexed'] {
  const byPackage = new Map<string, IndexedManifest>()
  return (manifest) => {
    const found = byPackage.get(manifest.packageId) ?? make(manifest)
    byPackage.set(manifest.packageId, found)
    return found
  }
}

/** The nodes keep their places, so that what is shown of them by place stays right in every scenario. */
function underScenario(facts: PreparedLab, scenario: Scenario): PreparedLab {
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
        : rememberedByPackage((manifest) => withoutHoldings(facts, manifest, awayNodes)),
  }
}

function withFreeMemory(pools: MemoryPools, freeBytes: bigint): MemoryPools {
  const name: MemoryPool['name'] = pools.roles?.name ?? (pools.kind === 'unified' ? 'unified' : 'accelerator')
  const told = pools.roles?.totalBytes ?? freeBytes
  return { ...pools, roles: { name, freeBytes, totalBytes: told < freeBytes ? freeBytes : told } }
}

function withoutHoldings(
  facts: PreparedLab,
  manifest: ModelManifest,
  awayNodes: ReadonlySet<string>,
): IndexedManifest {
  const { index, presences } = facts.indexed(manifest)
  return {
    manifest,
    index,
    presences: presences.map((presence, i) =>
      awayNodes.has(facts.profiles[i]?.node.nodeId ?? '') ? nothingHeld(index) : presence,
    ),
  }
}

function manifestsByName(manifests: readonly ModelManifest[]): Map<string, ModelManifest> {
  const byName = new Map<string, ModelManifest>()
  for (const manifest of manifests) {
    const rival = byName.get(manifest.body.name)
    if (rival === undefined || compareCodePoints(manifest.packageId, rival.packageId) < 0) {
      byName.set(manifest.body.name, manifest)
    }
  }
  return byName
}

/** As declared by a person where a declaration names the model (or every model, `*`), else as probed. */
function presenceOf(profile: NodeProfile, manifest: ModelManifest, index: ShardIndex): Presence {
  const models = profile.node.declared?.models
  const declared = models?.get(manifest.body.name) ?? models?.get('*')
  switch (declared) {
    case 'complete':
      return { bits: index.allBits(), heldShards: index.slots, complete: true, detached: false }
    case 'none':
      return nothingHeld(index)
    case undefined:
      return withMismatches(
        presenceFromCapabilities(index, manifest.packageId, profile.capabilities),
        index,
        mismatchedShards(profile.node.facts, manifest.packageId),
      )
  }
}

function withMismatches(presence: Presence, index: ShardIndex, hashes: ReadonlySet<string>): Presence {
  if (hashes.size === 0) return presence
  const mismatched = index.emptyBits()
  for (const hash of hashes) {
    const slot = index.slotOf(hash)
    if (slot !== undefined) setBit(mismatched, slot)
  }
  return { ...presence, mismatched }
}

function nothingHeld(index: ShardIndex): Presence {
  return { bits: index.emptyBits(), heldShards: 0, complete: false, detached: false }
}
