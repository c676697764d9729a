import type { Lab } from '../lab.ts'
import { decideIndexed, sharingFromManifest, type LocalityPlan } from '../locality/decide.ts'
import type { IndexedHolding } from '../locality/holding.ts'
import { rankTargets, targetAt, whyNoTransfer, type RankedTarget } from '../locality/targets.ts'
import type { Sharing } from '../locality/types.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { eligibilityOf, isEligible, type Need, type NodeProfile } from '../placement/eligibility.ts'
import type { Eligibility } from '../placement/types.ts'
import type { RosterEntry } from '../roster/types.ts'
import { prepareLab, type IndexedManifest, type PreparedLab } from './prepared-lab.ts'
import type { NodeVerdict, RoleDecision, Scenario } from './types.ts'

/** Roles whose verdicts on every node are kept: the one on screen, the one before it, and those of a comparison. */
const ROLES_WITH_VERDICTS = 4

/** What a role asks of a node whatever its model; its manifest adds the format. */
export type RoleNeed = Omit<Need, 'format'>

/**
 * What is found of one role by itself, whoever else runs and whatever the overlay says of it. Only the decision is
 * worked out at once, and a byte per node kept with it; what explains it (a record per node) is worked out when
 * somebody looks, since a lab has many roles and a person looks at one.
 */
export class RoleFindings {
  readonly manifest: ModelManifest | null
  readonly sharing: Sharing
  readonly decision: RoleDecision
  readonly #lab: PreparedLab
  readonly #scenario: Scenario
  readonly #need: Need
  /** 1 for each node that is eligible. */
  readonly #eligible: Uint8Array
  readonly #looked: (findings: RoleFindings) => void
  #nodes: readonly NodeVerdict[] | null = null
  #ranking: Uint32Array | null = null

  constructor(
    need: RoleNeed,
    model: string | null,
    lab: PreparedLab,
    scenario: Scenario,
    looked: (findings: RoleFindings) => void,
  ) {
    this.#lab = lab
    this.#scenario = scenario
    this.#looked = looked
    this.manifest = model === null ? null : (lab.manifestByName.get(model) ?? null)
    this.#need = { ...need, format: this.manifest?.body.format ?? null }
    this.#eligible = Uint8Array.from(lab.profiles, (profile) =>
      isEligible(profile, this.#need, scenario) ? 1 : 0,
    )
    this.sharing =
      this.manifest === null || scenario.sharingVeto ? 'refused' : sharingFromManifest(this.manifest.body)
    this.decision = this.locality?.decision ?? { kind: 'no_manifest', model }
  }

  /** Decided anew at each read, so that ten thousand nodes are not remembered for each of 256 roles. */
  get locality(): LocalityPlan | null {
    if (this.manifest === null) return null
    const indexed = this.#lab.indexed(this.manifest)
    return decideIndexed(indexed.index, this.#holdings(indexed), this.#scenario.policy, this.sharing)
  }

  get nodes(): readonly NodeVerdict[] {
    this.#looked(this)
    this.#nodes ??= this.#lab.profiles.map((profile, node) => this.#verdict(profile, node))
    return this.#nodes
  }

  /** Lets go of what {@link nodes} made; it is made again when it is asked for again. */
  forgetNodes(): void {
    this.#nodes = null
  }

  verdictAt(node: number): NodeVerdict | null {
    const profile = this.#lab.profiles[node]
    return this.#nodes?.[node] ?? (profile === undefined ? null : this.#verdict(profile, node))
  }

  eligibleAt(node: number): boolean {
    return this.#eligible[node] === 1
  }

  /** The eligible nodes in the decision's order, each made when it is come to; the order is remembered. */
  *targets(): Generator<RankedTarget> {
    if (this.manifest === null) return
    const indexed = this.#lab.indexed(this.manifest)
    const { policy } = this.#scenario
    this.#ranking ??= rankTargets(indexed.index, this.#holdings(indexed))
    const forbidden = whyNoTransfer(indexed.presences, policy, this.sharing)
    for (const node of this.#ranking) {
      yield targetAt(indexed.index, this.#holding(indexed, node), policy, forbidden)
    }
  }

  #holdings(indexed: IndexedManifest): IndexedHolding[] {
    return this.#lab.profiles.map((_, node) => this.#holding(indexed, node))
  }

  #holding({ index, presences }: IndexedManifest, node: number): IndexedHolding {
    const profile = this.#lab.profiles[node]
    const presence = presences[node]
    return {
      nodeId: profile?.node.nodeId ?? '',
      eligible: this.#eligible[node] === 1,
      complete: presence?.complete ?? false,
      freeBytes: profile?.freeBytes ?? null,
      bits: presence?.bits ?? index.emptyBits(),
      heldShards: presence?.heldShards ?? 0,
    }
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

/** The findings of a lab's roles under one scenario. */
export interface LabFindings {
  readonly facts: PreparedLab
  /** Of a roster entry that was imported as a role with that need and model name. */
  readonly of: (entry: RosterEntry, need: RoleNeed, model: string | null) => RoleFindings
}

/** Labs, scenarios and roster entries are values, and what is found follows from them: it lives as long as they do. */
const known = new WeakMap<Lab, WeakMap<Scenario, LabFindings>>()

/** What is found of `lab` under `scenario`; planning again after an edit of the overlay finds it here. */
export function findingsOf(lab: Lab, scenario: Scenario): LabFindings {
  const ofLab = known.get(lab) ?? new WeakMap<Scenario, LabFindings>()
  known.set(lab, ofLab)
  const found = ofLab.get(scenario) ?? emptyFindings(prepareLab(lab, scenario), scenario)
  ofLab.set(scenario, found)
  return found
}

function emptyFindings(facts: PreparedLab, scenario: Scenario): LabFindings {
  const byEntry = new Map<RosterEntry, RoleFindings>()
  /** Newest last. */
  let lookedAt: readonly RoleFindings[] = []
  const looked = (findings: RoleFindings): void => {
    if (lookedAt.at(-1) === findings) return
    const others = lookedAt.filter((other) => other !== findings)
    if (others.length === ROLES_WITH_VERDICTS) others[0]?.forgetNodes()
    lookedAt = [...others.slice(1 - ROLES_WITH_VERDICTS), findings]
  }
  return {
    facts,
    of: (entry, need, model) => {
      const found = byEntry.get(entry) ?? new RoleFindings(need, model, facts, scenario, looked)
      byEntry.set(entry, found)
      return found
    },
  }
}
