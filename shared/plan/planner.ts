import { specMemoryBytes } from '../inference-spec.ts'
import type { Lab } from '../lab.ts'
import { decideIndexed, sharingFromManifest, type LocalityPlan } from '../locality/decide.ts'
import { presenceFromCapabilities, type IndexedHolding, type Presence } from '../locality/holding.ts'
import { ShardIndex } from '../locality/shard-index.ts'
import type { Sharing } from '../locality/types.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { eligibilityOf, profileNode, type Need, type NodeProfile } from '../placement/eligibility.ts'
import type { Eligibility } from '../placement/types.ts'
import { importEntries } from '../roster/import-roster.ts'
import type { ImportedSpec } from '../roster/types.ts'
import { EMPTY_OVERLAY, type OverlayDocument } from '../overlay/types.ts'
import { compareCodePoints } from '../token.ts'
import { crossChecks } from './cross-checks.ts'
import type { LabPlan, NodeVerdict, RoleDecision, RolePlan, Scenario } from './types.ts'

/** A manifest with its shards numbered and every node's presence of it, in the lab's node order. */
interface IndexedManifest {
  readonly manifest: ModelManifest
  readonly index: ShardIndex
  readonly presences: readonly Presence[]
}

/** What planning a lab needs again and again whatever the overlay and the scenario say. */
interface PreparedLab {
  readonly profiles: readonly NodeProfile[]
  /** By model name; of two manifests of one name the first package id in code point order. */
  readonly manifestByName: ReadonlyMap<string, ModelManifest>
  readonly indexed: (manifest: ModelManifest) => IndexedManifest
}

/** A lab is a value: preparing it again gives the same, so it is remembered for as long as the lab is. */
const prepared = new WeakMap<Lab, PreparedLab>()

/**
 * Plans every role of `lab` under the operator's `overlay` (null: the defaults hold) and `scenario`: the one function
 * that the window, the terminal and the exports show. Roles without a manifest are decided `no_manifest`; a lab whose
 * roster cannot be read has no roles, and its problems say why.
 */
export function plan(lab: Lab, overlay: OverlayDocument | null, scenario: Scenario): LabPlan {
  const facts = prepare(lab)
  const imported = lab.roster
    ? importEntries(lab.roster, overlay?.overlay ?? EMPTY_OVERLAY)
    : { specs: [], skipped: [] }
  const roles = imported.specs.map((spec) => new PlannedRole(spec, facts, scenario))
  return {
    scenario,
    roles,
    skipped: imported.skipped,
    problems: [...lab.problems, ...crossChecks(lab, overlay, scenario, roles, imported.skipped)],
  }
}

/**
 * One role's plan. Only the decision is worked out at once; what explains it (a record per node) is worked out when
 * somebody looks, since a lab has many roles and a person looks at one.
 */
class PlannedRole implements RolePlan {
  readonly imported: ImportedSpec
  readonly manifest: ModelManifest | null
  readonly sharing: Sharing
  readonly decision: RoleDecision
  readonly #lab: PreparedLab
  readonly #scenario: Scenario
  #nodes: readonly NodeVerdict[] | null = null

  constructor(imported: ImportedSpec, lab: PreparedLab, scenario: Scenario) {
    const { model } = imported.spec
    this.imported = imported
    this.#lab = lab
    this.#scenario = scenario
    this.manifest = model === null ? null : (lab.manifestByName.get(model) ?? null)
    this.sharing =
      this.manifest === null || scenario.sharingVeto ? 'refused' : sharingFromManifest(this.manifest.body)
    this.decision = this.locality?.decision ?? { kind: 'no_manifest', model }
  }

  get role(): string {
    return this.imported.spec.role
  }

  /** Decided anew at each read, so that ten thousand nodes are not remembered for each of 256 roles. */
  get locality(): LocalityPlan | null {
    if (this.manifest === null) return null
    const { index, presences } = this.#lab.indexed(this.manifest)
    const holdings = this.#lab.profiles.map((profile, i) =>
      holdingOf(profile, presences[i], this.#eligibility(profile).eligible, index),
    )
    return decideIndexed(index, holdings, this.#scenario.policy, this.sharing)
  }

  get nodes(): readonly NodeVerdict[] {
    this.#nodes ??= this.#lab.profiles.map((profile, node) => this.#verdict(profile, node))
    return this.#nodes
  }

  verdictAt(node: number): NodeVerdict | null {
    const profile = this.#lab.profiles[node]
    return this.#nodes?.[node] ?? (profile === undefined ? null : this.#verdict(profile, node))
  }

  eligibleAt(node: number): boolean {
    const profile = this.#lab.profiles[node]
    return profile !== undefined && this.#eligibility(profile).eligible
  }

  #verdict(profile: NodeProfile, node: number): NodeVerdict {
    const indexed = this.manifest === null ? null : this.#lab.indexed(this.manifest)
    const presence = indexed?.presences[node] ?? null
    return {
      nodeId: profile.node.nodeId,
      ...this.#eligibility(profile),
      presence,
      complete: presence?.complete ?? false,
      heldShards: presence?.heldShards ?? 0,
      missingBytes: indexed && presence ? indexed.index.missing(presence.bits).bytes : null,
      freeBytes: profile.freeBytes,
      memory: profile.pools.roles,
    }
  }

  #eligibility(profile: NodeProfile): Eligibility {
    return eligibilityOf(profile, needOf(this.imported, this.manifest), this.#scenario)
  }
}

function needOf(imported: ImportedSpec, manifest: ModelManifest | null): Need {
  const { spec } = imported
  return { runtime: spec.runtime, format: manifest?.body.format ?? null, memoryBytes: specMemoryBytes(spec) }
}

function holdingOf(
  profile: NodeProfile,
  presence: Presence | undefined,
  eligible: boolean,
  index: ShardIndex,
): IndexedHolding {
  return {
    nodeId: profile.node.nodeId,
    eligible,
    complete: presence?.complete ?? false,
    freeBytes: profile.freeBytes,
    bits: presence?.bits ?? index.emptyBits(),
    heldShards: presence?.heldShards ?? 0,
  }
}

function prepare(lab: Lab): PreparedLab {
  const known = prepared.get(lab)
  if (known) return known
  const profiles = lab.nodes
    .toSorted((a, b) => compareCodePoints(a.nodeId, b.nodeId))
    .map(profileNode)
  const byPackage = new Map<string, IndexedManifest>()
  const facts: PreparedLab = {
    profiles,
    manifestByName: manifestsByName(lab.manifests),
    indexed: (manifest) => {
      const found = byPackage.get(manifest.packageId)
      if (found) return found
      const index = new ShardIndex(manifest.body)
      const presences = profiles.map((profile) => presenceOf(profile, manifest, index))
      const indexed = { manifest, index, presences }
      byPackage.set(manifest.packageId, indexed)
      return indexed
    },
  }
  prepared.set(lab, facts)
  return facts
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
      return { bits: index.emptyBits(), heldShards: 0, complete: false, detached: false }
    case undefined:
      return presenceFromCapabilities(index, manifest.packageId, profile.capabilities)
  }
}
