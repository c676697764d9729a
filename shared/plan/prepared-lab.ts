import type { Lab } from '../lab/lab.ts'
import type { Presence } from '../locality/holding.ts'
import { ShardCatalog, type CatalogModel } from '../locality/shard-catalog.ts'
import { setBit, ShardIndex } from '../locality/shard-index.ts'
import type { ModelBody, ModelManifest } from '../model-manifest/types.ts'
import { MODEL_MISMATCH, mismatchedShards } from '../locality/mismatched-shards.ts'
import type { LabNode, MemoryPool, MemoryPools } from '../node/types.ts'
import { profileNode, type NodeProfile } from '../eligibility/eligibility.ts'
import type { Task } from '../task.ts'
import { compareCodePoints } from '../token.ts'
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

/** A lab is a value: preparing it again gives the same, so it is remembered for as long as the lab is. */
const prepared = new WeakMap<
  Lab,
  { readonly facts: PreparedLab; readonly under: WeakMap<Scenario, PreparedLab> }
>()

/** The same for what stays of a lab when a single file of it changes, or a scenario changes a single node. */
const profiles = new WeakMap<LabNode, NodeProfile>()
const catalogs = new WeakMap<readonly ModelManifest[], ShardCatalog>()
const indices = new WeakMap<ModelBody, ShardIndex>()
const presences = new WeakMap<LabNode, { readonly catalog: ShardCatalog; readonly of: NodePresences }>()
type NodePresences = ReadonlyMap<CatalogModel, Presence>

/** `lab` prepared, with what `scenario` assumes of its nodes; the same object for the same two. Stops after each node. */
export function* prepareTask(lab: Lab, scenario: Scenario): Task<PreparedLab> {
  const known = prepared.get(lab) ?? {
    facts: yield* prepare(lab),
    under: new WeakMap<Scenario, PreparedLab>(),
  }
  prepared.set(lab, known)
  yield
  const assumed = known.under.get(scenario) ?? underScenario(known.facts, scenario)
  known.under.set(scenario, assumed)
  return assumed
}

function* prepare(lab: Lab): Task<PreparedLab> {
  const catalog = catalogOf(lab.manifests)
  const nodes: NodeProfile[] = []
  for (const node of lab.nodes.toSorted((a, b) => compareCodePoints(a.nodeId, b.nodeId))) {
    yield
    const profile = profileOf(node)
    // A node's holdings of all models are looked up together, and remembered: the models ask for them one by one.
    presencesOf(profile, catalog)
    nodes.push(profile)
  }
  return {
    profiles: nodes,
    manifestByName: manifestsByName(lab.manifests),
    indexed: memoizeByManifest((manifest) => {
      const model = catalog.model(manifest)
      if (model === undefined) throw new Error(`the manifest ${manifest.packageId} is not of this lab`)
      return {
        manifest,
        index: model.index,
        presences: nodes.map((profile) => presenceOf(profile, manifest, model, catalog)),
      }
    }),
  }
}

function profileOf(node: LabNode): NodeProfile {
  const profile = profiles.get(node) ?? profileNode(node)
  profiles.set(node, profile)
  return profile
}

function catalogOf(manifests: readonly ModelManifest[]): ShardCatalog {
  const catalog = catalogs.get(manifests) ?? new ShardCatalog(manifests, indexOf)
  catalogs.set(manifests, catalog)
  return catalog
}

function indexOf({ body }: ModelManifest): ShardIndex {
  const index = indices.get(body) ?? new ShardIndex(body)
  indices.set(body, index)
  return index
}

function presencesOf({ node, capabilities }: NodeProfile, catalog: ShardCatalog): NodePresences {
  const known = presences.get(node)
  if (known?.catalog === catalog) return known.of
  const of = catalog.presences(capabilities)
  presences.set(node, { catalog, of })
  return of
}

function memoizeByManifest(make: (manifest: ModelManifest) => IndexedManifest): PreparedLab['indexed'] {
  const known = new Map<ModelManifest, IndexedManifest>()
  return (manifest) => {
    const found = known.get(manifest) ?? make(manifest)
    known.set(manifest, found)
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
        : memoizeByManifest((manifest) => withoutHoldings(facts, manifest, awayNodes)),
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
  const nothing: Presence = { bits: index.emptyBits(), heldShards: 0, complete: false, detached: false }
  return {
    manifest,
    index,
    presences: presences.map((presence, i) =>
      awayNodes.has(facts.profiles[i]?.node.nodeId ?? '') ? nothing : presence,
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
function presenceOf(
  profile: NodeProfile,
  manifest: ModelManifest,
  model: CatalogModel,
  catalog: ShardCatalog,
): Presence {
  const models = profile.node.declared?.models
  const declared = models?.get(manifest.body.name) ?? models?.get('*')
  switch (declared) {
    case 'complete':
      return model.whole
    case 'none':
      return model.nothing
    case undefined:
      return withMismatches(presencesOf(profile, catalog).get(model) ?? model.nothing, profile, model)
  }
}

function withMismatches(
  presence: Presence,
  profile: NodeProfile,
  { index, packageId }: CatalogModel,
): Presence {
  if (profile.finding(MODEL_MISMATCH) === 'absent') return presence
  const hashes = mismatchedShards(profile.node.facts, packageId)
  if (hashes.size === 0) return presence
  const mismatched = index.emptyBits()
  for (const hash of hashes) {
    const slot = index.slotOf(hash)
    if (slot !== undefined) setBit(mismatched, slot)
  }
  return { ...presence, mismatched }
}
