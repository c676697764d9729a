import type { Lab } from '../../../shared/lab/lab.ts'
import type { LabNode } from '../../../shared/node/types.ts'
import { profileNode, type NodeProfile } from '../../../shared/eligibility/eligibility.ts'
import { turnedAway, type TurnedAway } from '../../../shared/plan/turned-away.ts'
import { residentParts, type ResidentParts } from '../../../shared/plan/resident-parts.ts'
import { roleMemory } from '../../../shared/plan/role-memory.ts'
import type { LabPlan, NodeResidency } from '../../../shared/plan/types.ts'
import { nodeLoad, type NodeLoad } from './node-load.ts'

/** What is shown of one node. */
export interface NodeEntry {
  readonly profile: NodeProfile
  /** Who is there once every role is placed. */
  readonly residency: NodeResidency
  readonly away: readonly TurnedAway[]
  /** The roles whose weights are fetched here, in roster order. */
  readonly arriving: readonly Arriving[]
  /** Null when the node reports no memory that roles could use. */
  readonly load: NodeLoad | null
  /** The roles there, by name, each with its memory. */
  readonly residents: readonly Resident[]
}

/** A role on a node, with its memory there. */
export interface Resident {
  readonly name: string
  readonly bytes: bigint
  /** Null where not all of what its model takes is known. */
  readonly parts: ResidentParts | null
}

/** A role whose weights are fetched to a node. */
export interface Arriving {
  readonly role: string
  readonly bytes: bigint
}

const NONE_TURNED_AWAY: readonly TurnedAway[] = []
const NONE_ARRIVING: readonly Arriving[] = []

/**
 * The lab's nodes with what the plan does to each. A node is worked out when it is first looked at, and how
 * many roles it could run (which asks every role) only when its row is shown.
 */
export class NodeTable {
  readonly plan: LabPlan
  readonly nodes: readonly LabNode[]
  readonly #lab: Lab
  readonly #away: ReadonlyMap<string, readonly TurnedAway[]>
  readonly #arriving: ReadonlyMap<string, readonly Arriving[]>
  readonly #entries: (NodeEntry | undefined)[] = []
  readonly #eligibleFor: (number | undefined)[] = []

  /** `lab`: the one that was planned; its nodes are in code point order, as the plan has them. */
  constructor(plan: LabPlan, lab: Lab) {
    this.plan = plan
    this.nodes = lab.nodes
    this.#lab = lab
    this.#away = turnedAway(plan)
    this.#arriving = arrivingByNode(plan)
  }

  entry(node: number): NodeEntry | null {
    const known = this.#entries[node]
    if (known !== undefined) return known
    const labNode = this.nodes[node]
    const residency = this.plan.residency[node]
    if (labNode === undefined || residency === undefined) return null
    const profile = profileNode(labNode)
    const away = this.#away.get(labNode.nodeId) ?? NONE_TURNED_AWAY
    const load = nodeLoad(residency, away, profile.pools.roles?.totalBytes ?? null)
    const arriving = this.#arriving.get(labNode.nodeId) ?? NONE_ARRIVING
    const residents = this.#residentsOf(residency)
    const entry = { profile, residency, away, arriving, load, residents }
    this.#entries[node] = entry
    return entry
  }

  #residentsOf({ ledger }: NodeResidency): readonly Resident[] {
    return ledger.instances.map(({ name, role, bytes }) => {
      const own = this.plan.roles.find((each) => each.role === role)
      const memory = own && roleMemory(this.#lab, own.imported, own.manifest, this.plan.scenario)
      return { name, bytes, parts: residentParts(bytes, memory ?? null) }
    })
  }

  /** Whether a role runs on the node. */
  inUse(node: number): boolean {
    return (this.plan.residency[node]?.ledger.instances.length ?? 0) > 0
  }

  /** Whether the node had no room for a role that was decided for it. */
  turnsAway(node: number): boolean {
    return this.#away.has(this.nodes[node]?.nodeId ?? '')
  }

  /** How many of the plan's roles the node is eligible for. */
  eligibleFor(node: number): number {
    const known = this.#eligibleFor[node]
    if (known !== undefined) return known
    const count = this.plan.roles.reduce((sum, role) => sum + (role.eligibleAt(node) ? 1 : 0), 0)
    this.#eligibleFor[node] = count
    return count
  }
}

function arrivingByNode({ roles }: LabPlan): ReadonlyMap<string, readonly Arriving[]> {
  const byNode = new Map<string, Arriving[]>()
  for (const { role, outcome } of roles) {
    const { nodeId, bytes } = outcome
    if (nodeId === null || bytes === 0n) continue
    const known = byNode.get(nodeId)
    if (known === undefined) byNode.set(nodeId, [{ role, bytes }])
    else known.push({ role, bytes })
  }
  return byNode
}
