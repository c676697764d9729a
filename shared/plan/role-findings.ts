import { decideSorted, sharingFromManifest, type LocalityPlan } from '../locality/decide.ts'
import type { HoldingList, IndexedHolding } from '../locality/holding.ts'
import { rankTargets, targetAt, whyNoTransfer, type RankedTarget } from '../locality/targets.ts'
import { hasBit, setBit } from '../locality/shard-index.ts'
import type { Sharing, Unplaceable } from '../locality/types.ts'
import type { ModelManifest, Shard } from '../model-manifest/types.ts'
import { eligibilityOf, type Need, type NodeProfile } from '../eligibility/eligibility.ts'
import type { Eligibility } from '../eligibility/types.ts'
import { runSync, type Task } from '../task.ts'
import type { IndexedManifest, PreparedLab } from './prepared-lab.ts'
import type { NodeVerdict, RoleDecision } from './types.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** What a role asks of a node whatever its model; its manifest adds the format. */
export type RoleNeed = Omit<Need, 'format'>

/** What all roles of a lab are found under. */
export interface Surroundings {
  readonly lab: PreparedLab
  readonly scenario: Scenario
  /** Called with every role whose verdicts are read. */
  readonly looked: (findings: RoleFindings) => void
}

/** A role as it is looked at. */
interface RoleInQuestion {
  /** The name of its model; null when the roster gives no usable one. */
  readonly model: string | null
  /** Null when none is of that name. */
  readonly manifest: ModelManifest | null
  readonly need: Need
  /** 1 for each node that is eligible for that need. */
  readonly eligible: Uint8Array
}

/**
 * What is found about one role on its own, regardless of other roles and of the overlay. Only the decision is
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
  #locality: LocalityPlan | null = null
  #ranking: Uint32Array | null = null

  constructor({ model, manifest, need, eligible }: RoleInQuestion, { lab, scenario, looked }: Surroundings) {
    this.#lab = lab
    this.#scenario = scenario
    this.#looked = looked
    this.manifest = manifest
    this.#need = need
    this.#eligible = eligible
    this.sharing = sharingUnder(scenario, manifest)
    this.decision = this.#decide()?.decision ?? { kind: 'no_manifest', model }
  }

  get locality(): LocalityPlan | null {
    this.#looked(this)
    return (this.#locality ??= this.#decide())
  }

  #decide(): LocalityPlan | null {
    if (this.manifest === null) return null
    const indexed = this.#lab.indexed(this.manifest)
    return decideSorted(indexed.index, this.#holdings(indexed), this.#scenario.policy, this.sharing)
  }

  /** Ids of the nodes that hold the whole model and offer it, in node order. */
  get holders(): readonly string[] {
    if (this.manifest === null) return []
    const { presences } = this.#lab.indexed(this.manifest)
    return this.#lab.profiles.flatMap(({ node }, i) => (presences[i]?.complete === true ? [node.nodeId] : []))
  }

  get transferBar(): Unplaceable | null {
    if (this.manifest === null) return null
    return whyNoTransfer(this.#lab.indexed(this.manifest).presences, this.#scenario.policy, this.sharing)
  }

  get nodes(): readonly NodeVerdict[] {
    return runSync(this.nodeTask())
  }

  /** {@link nodes}, a node a step. */
  *nodeTask(): Task<readonly NodeVerdict[]> {
    this.#looked(this)
    if (this.#nodes !== null) return this.#nodes
    const nodes: NodeVerdict[] = []
    for (const profile of this.#lab.profiles) {
      nodes.push(this.#verdict(profile, nodes.length))
      yield
    }
    // Somebody may have needed them before these steps came to their end.
    this.#nodes ??= nodes
    return this.#nodes
  }

  /** Lets go of what {@link nodes} and {@link locality} made; it is made again when it is asked for again. */
  forgetNodes(): void {
    this.#nodes = null
    this.#locality = null
  }

  verdictAt(node: number): NodeVerdict | null {
    const profile = this.#lab.profiles[node]
    return this.#nodes?.[node] ?? (profile === undefined ? null : this.#verdict(profile, node))
  }

  /** The shards that a node lacks, one for each hash, in the manifest's order. */
  missingShardsAt(node: number): readonly Shard[] {
    if (this.manifest === null) return []
    const { index, presences } = this.#lab.indexed(this.manifest)
    const presence = presences[node]
    if (presence?.complete === true) return []
    const seen = presence?.bits.slice() ?? index.emptyBits()
    return this.manifest.body.shards.filter((_, i) => {
      const slot = index.slotOfShard(i)
      return !hasBit(seen, slot) && setBit(seen, slot)
    })
  }

  eligibleAt(node: number): boolean {
    return this.#eligible[node] === 1
  }

  /** The eligible nodes in the decision's order, each made on demand; the order is remembered. */
  *targets(): Generator<RankedTarget> {
    if (this.manifest === null) return
    const indexed = this.#lab.indexed(this.manifest)
    const { policy } = this.#scenario
    this.#ranking ??= rankTargets(indexed.index, this.#holdings(indexed))
    const forbidden = this.transferBar
    for (const node of this.#ranking) {
      yield targetAt(indexed.index, this.#holding(indexed, node), policy, forbidden)
    }
  }

  #holdings(indexed: IndexedManifest): HoldingList {
    return { length: this.#lab.profiles.length, at: (node) => this.#holding(indexed, node) }
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

/** The manifest's word, or the scenario's for a model it takes to be redistributable; a veto counts before both. */
function sharingUnder({ sharingVeto, redistributable }: Scenario, manifest: ModelManifest | null): Sharing {
  if (manifest === null || sharingVeto) return 'refused'
  return redistributable.has(manifest.body.name) ? 'allowed' : sharingFromManifest(manifest.body)
}
