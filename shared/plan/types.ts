import type { Ledger, Refusal } from '../placement/ledger.ts'
import type { Lab } from '../lab/lab.ts'
import type { LocalityPlan } from '../locality/decide.ts'
import type { Presence } from '../locality/holding.ts'
import type { RankedTarget } from '../locality/targets.ts'
import type { LocalityDecision, Sharing, Unplaceable } from '../locality/types.ts'
import type { ModelManifest, Shard } from '../model-manifest/types.ts'
import type { MemoryPool } from '../node/types.ts'
import type { OverlayDocument } from '../overlay/types.ts'
import type { ConstraintFailure, Forced } from '../eligibility/types.ts'
import type { Problem } from '../problem.ts'
import type { Outcome } from './outcome.ts'
import type { Scenario } from '../scenario/scenario.ts'
import type { ImportedSpec, SkippedEntry } from '../roster/types.ts'

/** All that a plan is made from. */
export interface PlanInputs {
  readonly lab: Lab
  /** Null: the defaults hold. */
  readonly overlay: OverlayDocument | null
  readonly scenario: Scenario
}

export type RoleDecision =
  | LocalityDecision
  /** `model`: the name looked for; null when the roster gives the role no usable model name. */
  | { readonly kind: 'no_manifest'; readonly model: string | null }

/** Why a role was not put on a node that is eligible for it. */
export type PlacementObstacle =
  /** The roles there leave it no room; every refusal, the first being the one to tell. */
  | { readonly kind: 'co_residency'; readonly refusals: readonly [Refusal, ...Refusal[]] }
  /** What it lacks of the model cannot move there. */
  | { readonly kind: 'transfer'; readonly unplaceable: Unplaceable }

/** A node that was tried for a role before the one it got, or in vain. */
export interface TriedNode {
  readonly nodeId: string
  readonly obstacle: PlacementObstacle
}

/** What co-residency makes of a role's decision. The decision itself stays the reference's. */
export type Placement =
  | {
      readonly kind: 'placed'
      readonly nodeId: string
      /** `decided`: on the decision's own node. `alternative`: that one had no room, this one has. */
      readonly at: 'decided' | 'alternative'
      /** Bytes that move for it. */
      readonly bytes: bigint
      readonly tried: readonly TriedNode[]
    }
  /** `tried` is empty when the decision itself names no node, and else starts with the decision's node. */
  | { readonly kind: 'none'; readonly tried: readonly TriedNode[] }
  /** Switched off by the scenario. */
  | { readonly kind: 'off' }

/** Roles placed on one node that serve on one port. */
export interface PortClash {
  readonly port: number
  /** In the order of the ledger. */
  readonly roles: readonly string[]
}

/** Who is on a node once every role is placed. */
export interface NodeResidency {
  readonly nodeId: string
  readonly ledger: Ledger
  /**
   * A warning, not a refusal: a port is a setting that the operator can change on the spot, memory is not. The memory
   * stays counted for both.
   */
  readonly portClashes: readonly PortClash[]
  /** Bytes that move here for the roles placed here; a file that several of them need moves once. */
  readonly incomingBytes: bigint
  /** Bytes free for them; null when unknown. */
  readonly freeBytes: bigint | null
}

/** What the plan says of one node for one role. */
export interface NodeVerdict {
  readonly nodeId: string
  readonly eligible: boolean
  readonly forced: Forced
  readonly failures: readonly ConstraintFailure[]
  /** What the node holds of the role's model; null when there is no manifest to compare with. */
  readonly presence: Presence | null
  readonly complete: boolean
  readonly heldShards: number
  /** Bytes; null when there is no manifest. */
  readonly missingBytes: bigint | null
  /** Bytes where a fetched model would land; null when unknown. */
  readonly freeBytes: bigint | null
  /** The pool the role's memory would come from; null when the node reports none. */
  readonly memory: MemoryPool | null
}

/** The plan for one role. */
export interface RolePlan {
  readonly role: string
  readonly imported: ImportedSpec
  readonly manifest: ModelManifest | null
  readonly sharing: Sharing
  readonly decision: RoleDecision
  /** Where it runs beside the other roles; worked out for all roles when one is first asked. */
  readonly placement: Placement
  /** The one answer to where it runs; the same object for the same plan. */
  readonly outcome: Outcome
  /** The decision's considerations and notes; null when there is no manifest. */
  readonly locality: LocalityPlan | null
  /** In the decision's order: by node id. */
  readonly nodes: readonly NodeVerdict[]
  /** One of `nodes` by its place, without working out the others; null when there is no such node. */
  verdictAt(node: number): NodeVerdict | null
  /** Ids of the nodes that hold the whole model and offer it, in the order of `nodes`: what a fetch reads from. */
  readonly holders: readonly string[]
  /** The least memory in which the role can run, with the smallest context where its model's files are known. */
  readonly leastMemoryBytes: bigint
  /** Why nothing of the model may move, to whatever node; null when it may, and without a manifest. */
  readonly transferBar: Unplaceable | null
  /** The shards that the node at that place of `nodes` lacks, one for each hash; none without a manifest. */
  missingShardsAt(node: number): readonly Shard[]
  /** Whether the node at that place of `nodes` is eligible, and nothing more: for counting over many roles. */
  eligibleAt(node: number): boolean
  /** The eligible nodes in the decision's order; none without a manifest. */
  targets(): Iterable<RankedTarget>
}

/** A whole lab planned. Derived, never stored. */
export interface LabPlan {
  readonly scenario: Scenario
  /** Importable roles, in roster order. */
  readonly roles: readonly RolePlan[]
  /** Every node, in the order of every role's `nodes`. */
  readonly residency: readonly NodeResidency[]
  readonly skipped: readonly SkippedEntry[]
  /** Problems of every input and the cross-checks, in file order. */
  readonly problems: readonly Problem[]
}
