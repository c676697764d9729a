import type { LabNode } from '../../../shared/node/types.ts'
import { profileNode, type NodeProfile } from '../../../shared/placement/eligibility.ts'
import { NOBODY_PLACED, placedOn, type PlacedRoles } from '../../../shared/plan/placed-on.ts'
import type { LabPlan } from '../../../shared/plan/types.ts'
import { nodeLoad, type NodeLoad } from './node-load.ts'

/** What is shown of one node. */
export interface NodeEntry {
  readonly profile: NodeProfile
  readonly placed: PlacedRoles
  /** Null when the node tells of no memory that roles could use. */
  readonly load: NodeLoad | null
}

/**
 * The lab's nodes with what the plan does to each. A node is worked out when it is first looked at, and how many roles
 * it could run (which asks every role) only when its row is shown.
 */
export class NodeTable {
  readonly plan: LabPlan
  readonly nodes: readonly LabNode[]
  readonly placed: ReadonlyMap<string, PlacedRoles>
  readonly #entries: (NodeEntry | undefined)[] = []
  readonly #eligibleFor: (number | undefined)[] = []

  /** `nodes`: the lab's, in code point order, as the plan decides them. */
  constructor(plan: LabPlan, nodes: readonly LabNode[]) {
    this.plan = plan
    this.nodes = nodes
    this.placed = placedOn(plan)
  }

  entry(node: number): NodeEntry | null {
    const known = this.#entries[node]
    if (known !== undefined) return known
    const labNode = this.nodes[node]
    if (labNode === undefined) return null
    const profile = profileNode(labNode)
    const placed = this.placed.get(labNode.nodeId) ?? NOBODY_PLACED
    const pool = profile.pools.roles
    const entry = { profile, placed, load: pool === null ? null : nodeLoad(pool, placed.memoryBytes) }
    this.#entries[node] = entry
    return entry
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
