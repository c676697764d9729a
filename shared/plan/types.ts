import type { LocalityPlan } from '../locality/decide.ts'
import type { Presence } from '../locality/holding.ts'
import type { LocalityDecision, Sharing, TransferPolicy } from '../locality/types.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import type { MemoryPool } from '../node/types.ts'
import type { ConstraintFailure, Forced } from '../placement/types.ts'
import type { Problem } from '../problem.ts'
import type { ImportedSpec, SkippedEntry } from '../roster/types.ts'

/** What the operator assumes while planning; never written to the lab's files. */
export interface Scenario {
  readonly policy: TransferPolicy
  /** The operator refuses sharing whatever the manifests say; sharing can be vetoed, never granted. */
  readonly sharingVeto: boolean
  /** Stale or missing facts rule a node out. */
  readonly requireFreshFacts: boolean
  /** Unix seconds to judge freshness by; null leaves freshness unjudged (the core has no clock). */
  readonly nowSecs: number | null
  readonly forcedNodes: ReadonlyMap<string, 'in' | 'out'>
}

export type RoleDecision =
  | LocalityDecision
  /** `model`: the name looked for; null when the roster gives the role no usable model name. */
  | { readonly kind: 'no_manifest'; readonly model: string | null }

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
  /** The pool the role's memory would come from; null when the node tells of none. */
  readonly memory: MemoryPool | null
}

/** The plan for one role. */
export interface RolePlan {
  readonly role: string
  readonly imported: ImportedSpec
  readonly manifest: ModelManifest | null
  readonly sharing: Sharing
  readonly decision: RoleDecision
  /** The decision's considerations and notes; null when there is no manifest. */
  readonly locality: LocalityPlan | null
  /** In the decision's order: by node id. */
  readonly nodes: readonly NodeVerdict[]
  /** One of `nodes` by its place, without working out the others; null when there is no such node. */
  verdictAt(node: number): NodeVerdict | null
  /** Whether the node at that place of `nodes` is eligible, and nothing more: for counting over many roles. */
  eligibleAt(node: number): boolean
}

/** A whole lab planned. Derived, never stored. */
export interface LabPlan {
  readonly scenario: Scenario
  /** Importable roles, in roster order. */
  readonly roles: readonly RolePlan[]
  readonly skipped: readonly SkippedEntry[]
  /** Problems of every input and the cross-checks, in file order. */
  readonly problems: readonly Problem[]
}
