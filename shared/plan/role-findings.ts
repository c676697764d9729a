import type { Lab } from '../lab/lab.ts'
import { decideSorted, sharingFromManifest, type LocalityPlan } from '../locality/decide.ts'
import type { HoldingList, IndexedHolding } from '../locality/holding.ts'
import { rankTargets, targetAt, whyNoTransfer, type RankedTarget } from '../locality/targets.ts'
import type { Sharing, Unplaceable } from '../locality/types.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { eligibilityOf, type Need, type NodeProfile } from '../eligibility/eligibility.ts'
import type { Eligibility } from '../eligibility/types.ts'
import type { RosterEntry } from '../roster/types.ts'
import { runSync, type Task } from '../task.ts'
import { prepareTask, type IndexedManifest, type PreparedLab } from './prepared-lab.ts'
import type { NodeVerdict, RoleDecision } from './types.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** Roles whose verdicts on every node are kept: the one on screen, the one before it, and those of a comparison. */
const ROLES_WITH_VERDICTS = 4

/** What a role asks of a node whatever its model; its manifest adds the format. */
export type RoleNeed = Omit<Need, 'format'>

/** What all roles of a lab are found under. */
interface Surroundings {
  readonly lab: PreparedLab
  readonly scenario: Scenario
  /** Told of every role whose verdicts somebody looks at. */
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
  #locality: LocalityPlan | null = null
  #ranking: Uint32Array | null = null

  constructor({ model, manifest, need, eligible }: RoleInQuestion, { lab, scenario, looked }: Surroundings) {
    this.#lab = lab
    this.#scenario = scenario
    this.#looked = looked
    this.manifest = manifest
    this.#need = need
    this.#eligible = eligible
    this.sharing = manifest === null || scenario.sharingVeto ? 'refused' : sharingFromManifest(manifest.body)
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

  eligibleAt(node: number): boolean {
    return this.#eligible[node] === 1
  }

  /** The eligible nodes in the decision's order, each made when it is come to; the order is remembered. */
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

/** The findings of a lab's roles under one scenario. */
export interface LabFindings {
  readonly facts: PreparedLab
  /** Of a roster entry that was imported as a role with that need and model name. */
  readonly of: (entry: RosterEntry, need: RoleNeed, model: string | null) => Task<RoleFindings>
}

/** Scenarios of a lab whose findings are kept: the present one, a baseline, and what is tried in between. */
const SCENARIOS_KEPT = 4

interface Kept {
  readonly manifests: Lab['manifests']
  readonly scenario: Scenario
  readonly findings: LabFindings
}

/** Nodes, manifests, scenarios and roster entries are values, and what is found follows from them. Newest last. */
const known = new WeakMap<Lab['nodes'], readonly Kept[]>()

/**
 * What is found of `lab` under `scenario`. Planning again finds it here after an edit of the overlay or of another role's
 * roster entry, and after a change of the scenario that decides nothing: roles switched off, or another role pinned.
 */
export function* findingTask(lab: Lab, scenario: Scenario): Task<LabFindings> {
  const { nodes, manifests } = lab
  const found = known
    .get(nodes)
    ?.find((one) => one.manifests === manifests && decidesAlike(one.scenario, scenario))
  const one = found ?? {
    manifests,
    scenario,
    findings: emptyFindings(yield* prepareTask(lab, scenario), scenario),
  }
  const kept = known.get(nodes) ?? []
  if (kept.at(-1) !== one)
    known.set(nodes, [...kept.filter((other) => other !== one), one].slice(-SCENARIOS_KEPT))
  return one.findings
}

/** Whether the two differ in nothing that a role's findings depend on, but for the role's own pin. */
function decidesAlike(a: Scenario, b: Scenario): boolean {
  return (
    a.policy === b.policy &&
    a.sharingVeto === b.sharingVeto &&
    a.requireFreshFacts === b.requireFreshFacts &&
    // Without a need for fresh facts the time is only told of.
    (a.nowSecs === b.nowSecs || !a.requireFreshFacts) &&
    a.forcedNodes === b.forcedNodes &&
    a.freeSpace === b.freeSpace &&
    a.memory === b.memory &&
    a.awayNodes === b.awayNodes
  )
}

function emptyFindings(lab: PreparedLab, scenario: Scenario): LabFindings {
  const byEntry = new WeakMap<
    RosterEntry,
    { readonly pinnedTo: string | null; readonly findings: RoleFindings }
  >()
  /** Newest last. */
  let lookedAt: readonly RoleFindings[] = []
  const looked = (findings: RoleFindings): void => {
    if (lookedAt.at(-1) === findings) return
    const others = lookedAt.filter((other) => other !== findings)
    if (others.length === ROLES_WITH_VERDICTS) others[0]?.forgetNodes()
    lookedAt = [...others.slice(1 - ROLES_WITH_VERDICTS), findings]
  }
  const surroundings: Surroundings = { lab, scenario, looked }
  const screen = nodeScreen(lab.profiles, scenario)
  return {
    facts: lab,
    *of(entry, roleNeed, model) {
      const { pinnedTo } = roleNeed
      const before = byEntry.get(entry)
      if (before?.pinnedTo === pinnedTo) return before.findings
      const manifest = model === null ? null : (lab.manifestByName.get(model) ?? null)
      const need: Need = { ...roleNeed, format: manifest?.body.format ?? null }
      const eligible = yield* screen(need)
      const findings = new RoleFindings({ model, manifest, need, eligible }, surroundings)
      byEntry.set(entry, { pinnedTo, findings })
      return findings
    },
  }
}

/** What a node is to every role of one runtime and format. */
const OUT = 0
const IF_IT_FITS = 1
const FORCED_IN = 2

/**
 * `eligibilityOf`'s answers, without its reasons, for many roles: what runtime and format make of each node is
 * remembered, so that a role adds only its memory and its pin.
 */
function nodeScreen(profiles: readonly NodeProfile[], scenario: Scenario): (need: Need) => Task<Uint8Array> {
  const byKind = new Map<string, Uint8Array>()
  const free = profiles.map(({ pools }) => pools.roles?.freeBytes ?? null)
  function* standingsFor({ runtime, format }: Need): Task<Uint8Array> {
    const kind = `${runtime} ${format ?? ''}`
    const before = byKind.get(kind)
    if (before !== undefined) return before
    const need: Need = { runtime, format, memoryBytes: 0n, pinnedTo: null }
    const standings = new Uint8Array(profiles.length)
    for (const [node, profile] of profiles.entries()) {
      const { forced, failures } = eligibilityOf(profile, need, scenario)
      if (forced === 'in') standings[node] = FORCED_IN
      else standings[node] = failures.every(({ constraint }) => constraint === 'memory') ? IF_IT_FITS : OUT
      yield
    }
    byKind.set(kind, standings)
    return standings
  }
  return function* (need) {
    const { memoryBytes, pinnedTo } = need
    return (yield* standingsFor(need)).map((standing, node) => {
      if (pinnedTo !== null && profiles[node]?.node.nodeId !== pinnedTo) return 0
      const room = free[node] ?? null
      return standing === FORCED_IN || (standing === IF_IT_FITS && room !== null && room >= memoryBytes)
        ? 1
        : 0
    })
  }
}
