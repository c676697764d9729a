import { budgetOf } from '../co-residency.ts'
import { specMemoryBytes } from '../inference-spec.ts'
import type { Lab } from '../lab.ts'
import { decideIndexed, sharingFromManifest, type LocalityPlan } from '../locality/decide.ts'
import type { IndexedHolding } from '../locality/holding.ts'
import { rankTargets, type RankedTarget } from '../locality/targets.ts'
import type { Sharing } from '../locality/types.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { EMPTY_OVERLAY, type OverlayDocument } from '../overlay/types.ts'
import { eligibilityOf, type Need, type NodeProfile } from '../placement/eligibility.ts'
import type { Eligibility } from '../placement/types.ts'
import type { Problem } from '../problem.ts'
import { importEntries } from '../roster/import-roster.ts'
import type { ImportedSpec } from '../roster/types.ts'
import { crossChecks } from './cross-checks.ts'
import { prepareLab, type IndexedManifest, type PreparedLab } from './prepared-lab.ts'
import { placeRoles, type Placed } from './residency.ts'
import { residencyChecks } from './residency-checks.ts'
import { scenarioChecks } from './scenario-checks.ts'
import type { LabPlan, NodeVerdict, Placement, PlanInputs, RoleDecision, RolePlan, Scenario } from './types.ts'

/**
 * Plans every role of `lab` under the operator's `overlay` (null: the defaults hold) and `scenario`: the one function
 * that the window, the terminal and the exports show. Roles without a manifest are decided `no_manifest`; a lab whose
 * roster cannot be read has no roles, and its problems say why. Decisions are made at once, placements and problems
 * when they are first read.
 */
export function plan(lab: Lab, overlay: OverlayDocument | null, scenario: Scenario): LabPlan {
  const facts = prepareLab(lab, scenario)
  const imported = lab.roster
    ? importEntries(lab.roster, overlay?.overlay ?? EMPTY_OVERLAY)
    : { specs: [], skipped: [] }
  const placed = once((): Placed => placeRoles(roles, nodesToFill(facts), scenario))
  const roles = imported.specs.map(
    (spec, i) => new PlannedRole(spec, facts, scenario, () => placed().placements[i] ?? NOWHERE),
  )
  const problems = once((): readonly Problem[] => [
    ...lab.problems,
    ...crossChecks(lab, overlay, scenario, roles, imported.skipped),
    ...scenarioChecks(lab, scenario, roles),
    ...residencyChecks(lab, scenario, roles, placed().residency),
  ])
  return {
    scenario,
    roles,
    skipped: imported.skipped,
    get residency() {
      return placed().residency
    },
    get problems() {
      return problems()
    },
  }
}

/** {@link plan} of inputs kept together. */
export function planOf({ lab, overlay, scenario }: PlanInputs): LabPlan {
  return plan(lab, overlay, scenario)
}

const NOWHERE: Placement = { kind: 'none', tried: [] }

/** `make`'s value, made when it is first asked for. */
function once<T>(make: () => T): () => T {
  let made: { readonly value: T } | null = null
  return () => (made ??= { value: make() }).value
}

function nodesToFill(facts: PreparedLab) {
  return facts.profiles.map(({ node, pools, freeBytes }) => ({
    nodeId: node.nodeId,
    budget: budgetOf(pools.roles),
    freeBytes,
  }))
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
  readonly #need: Need
  readonly #placement: () => Placement
  #nodes: readonly NodeVerdict[] | null = null

  constructor(imported: ImportedSpec, lab: PreparedLab, scenario: Scenario, placement: () => Placement) {
    const { model } = imported.spec
    this.imported = imported
    this.#lab = lab
    this.#scenario = scenario
    this.#placement = placement
    this.manifest = model === null ? null : (lab.manifestByName.get(model) ?? null)
    this.#need = needOf(imported, this.manifest, scenario)
    this.sharing =
      this.manifest === null || scenario.sharingVeto ? 'refused' : sharingFromManifest(this.manifest.body)
    this.decision = this.locality?.decision ?? { kind: 'no_manifest', model }
  }

  get role(): string {
    return this.imported.spec.role
  }

  get placement(): Placement {
    return this.#placement()
  }

  /** Decided anew at each read, so that ten thousand nodes are not remembered for each of 256 roles. */
  get locality(): LocalityPlan | null {
    if (this.manifest === null) return null
    const indexed = this.#lab.indexed(this.manifest)
    return decideIndexed(indexed.index, this.#holdings(indexed), this.#scenario.policy, this.sharing)
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

  targets(): readonly RankedTarget[] {
    if (this.manifest === null) return []
    const indexed = this.#lab.indexed(this.manifest)
    return rankTargets(indexed.index, this.#holdings(indexed), this.#scenario.policy, this.sharing)
  }

  #holdings({ index, presences }: IndexedManifest): IndexedHolding[] {
    return this.#lab.profiles.map((profile, i) => {
      const presence = presences[i]
      return {
        nodeId: profile.node.nodeId,
        eligible: this.#eligibility(profile).eligible,
        complete: presence?.complete ?? false,
        freeBytes: profile.freeBytes,
        bits: presence?.bits ?? index.emptyBits(),
        heldShards: presence?.heldShards ?? 0,
      }
    })
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
    return eligibilityOf(profile, this.#need, this.#scenario)
  }
}

function needOf({ spec }: ImportedSpec, manifest: ModelManifest | null, scenario: Scenario): Need {
  return {
    runtime: spec.runtime,
    format: manifest?.body.format ?? null,
    memoryBytes: specMemoryBytes(spec),
    pinnedTo: scenario.pinned.get(spec.role) ?? null,
  }
}
