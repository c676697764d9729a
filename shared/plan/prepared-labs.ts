import type { Lab } from '../lab/lab.ts'
import type { Presence } from '../locality/holding.ts'
import { ShardCatalog, type CatalogModel } from '../locality/shard-catalog.ts'
import { setBit, ShardIndex } from '../locality/shard-index.ts'
import type { ModelBody, ModelManifest } from '../model-manifest/types.ts'
import { MODEL_MISMATCH, mismatchedShards } from '../locality/mismatched-shards.ts'
import type { LabNode } from '../node/types.ts'
import { profileNode, type NodeProfile } from '../eligibility/eligibility.ts'
import type { Task } from '../task.ts'
import { compareCodePoints } from '../token.ts'
import type { Scenario } from '../scenario/scenario.ts'
import { withOwnMemory } from './own-memory.ts'
import { memoizeByManifest, underScenario, type PreparedLab } from './prepared-lab.ts'

type NodePresences = ReadonlyMap<CatalogModel, Presence>

/**
 * Labs prepared for planning, remembered for as long as the lab (or the node or manifest they come from) is: all of these
 * are values, so preparing one again gives the same. What stays of a lab when one of its files changes is not prepared
 * again.
 */
export class PreparedLabs {
  readonly #labs = new WeakMap<
    Lab,
    { readonly facts: PreparedLab; readonly under: WeakMap<Scenario, PreparedLab> }
  >()
  readonly #profiles = new WeakMap<LabNode, NodeProfile>()
  readonly #catalogs = new WeakMap<readonly ModelManifest[], ShardCatalog>()
  readonly #indices = new WeakMap<ModelBody, ShardIndex>()
  readonly #presences = new WeakMap<
    LabNode,
    { readonly catalog: ShardCatalog; readonly of: NodePresences }
  >();

  /** `lab` prepared, with what `scenario` assumes of its nodes; the same object for the same two. Pauses after each node. */
  *prepareTask(lab: Lab, scenario: Scenario): Task<PreparedLab> {
    const known = this.#labs.get(lab) ?? {
      facts: yield* this.#prepare(lab),
      under: new WeakMap<Scenario, PreparedLab>(),
    }
    this.#labs.set(lab, known)
    yield
    const assumed = known.under.get(scenario) ?? underScenario(known.facts, scenario)
    known.under.set(scenario, assumed)
    return assumed
  }

  *#prepare(lab: Lab): Task<PreparedLab> {
    const catalog = this.#catalogOf(lab.manifests)
    const nodes: NodeProfile[] = []
    for (const node of lab.nodes.toSorted((a, b) => compareCodePoints(a.nodeId, b.nodeId))) {
      yield
      const profile = this.#profileOf(node)
      // A node's holdings of all models are looked up together, and remembered: the models ask for them one by one.
      this.#presencesOf(profile, catalog)
      nodes.push(profile)
    }
    const manifestByName = manifestsByName(lab.manifests)
    return {
      profiles: withOwnMemory(nodes, lab, manifestByName),
      manifestByName,
      indexed: memoizeByManifest((manifest) => {
        const model = catalog.model(manifest)
        if (model === undefined) throw new Error(`the manifest ${manifest.packageId} is not of this lab`)
        return {
          manifest,
          index: model.index,
          presences: nodes.map((profile) =>
            presenceOf(profile, manifest, model, this.#presencesOf(profile, catalog)),
          ),
        }
      }),
    }
  }

  #profileOf(node: LabNode): NodeProfile {
    const profile = this.#profiles.get(node) ?? profileNode(node)
    this.#profiles.set(node, profile)
    return profile
  }

  #catalogOf(manifests: readonly ModelManifest[]): ShardCatalog {
    const catalog =
      this.#catalogs.get(manifests) ?? new ShardCatalog(manifests, (manifest) => this.#indexOf(manifest))
    this.#catalogs.set(manifests, catalog)
    return catalog
  }

  #indexOf({ body }: ModelManifest): ShardIndex {
    const index = this.#indices.get(body) ?? new ShardIndex(body)
    this.#indices.set(body, index)
    return index
  }

  #presencesOf({ node, capabilities }: NodeProfile, catalog: ShardCatalog): NodePresences {
    const known = this.#presences.get(node)
    if (known?.catalog === catalog) return known.of
    const of = catalog.presences(capabilities)
    this.#presences.set(node, { catalog, of })
    return of
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
  probed: NodePresences,
): Presence {
  const models = profile.node.declared?.models
  const declared = models?.get(manifest.body.name) ?? models?.get('*')
  switch (declared) {
    case 'complete':
      return model.whole
    case 'none':
      return model.nothing
    case undefined:
      return withMismatches(probed.get(model) ?? model.nothing, profile, model)
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
