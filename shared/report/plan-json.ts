import { sumBytes } from '../bytes.ts'
import type { InferenceSpecJson } from '../inference-spec.ts'
import { specToJson } from '../inference-spec.ts'
import { jsonText } from '../json/json-text.ts'
import { decidedBytes, decidedNode } from '../locality/decided.ts'
import { plainReason, unplaceableMessage } from '../locality/unplaceable-words.ts'
import type { TransferPolicy, Unplaceable } from '../locality/types.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { failureDetail } from '../eligibility/describe.ts'
import type { ConstraintFailure, Forced } from '../eligibility/types.ts'
import type { Problem, Severity } from '../problem.ts'
import type { SkippedEntry } from '../roster/types.ts'
import { ownNode, type OutcomeKind } from '../plan/outcome.ts'
import { cannotRunReason, obstacleMessage, obstacleReason } from './outcome-words.ts'
import type { LabPlan, NodeResidency, NodeVerdict, RoleDecision, RolePlan, TriedNode } from '../plan/types.ts'
import { roleNotes } from './words.ts'

/**
 * A plan as other programs read it. All byte counts are `bigint`, written as JSON integers by {@link
 * jsonText}: exact up to 2^64-1, beyond what many JSON readers keep.
 */
export type PlanJson = {
  readonly policy: PolicyJson
  /** In roster order. */
  readonly roles: readonly RolePlanJson[]
  readonly skipped: readonly SkippedJson[]
  readonly problems: readonly ProblemJson[]
  /** By node id: who is there once every role is placed. */
  readonly residency: readonly ResidencyJson[]
}

export type PolicyJson = {
  readonly allow_weight_transfer: boolean
  readonly max_bytes: bigint | null
  readonly free_headroom_bytes: bigint
}

export type RolePlanJson = {
  readonly role: string
  readonly spec: SpecJson
  readonly repo: string
  readonly status: string
  readonly manifest: ManifestJson | null
  readonly decision: DecisionJson
  /** The reference's notes, to the letter; none without a manifest. */
  readonly notes: readonly string[]
  /** By node id. */
  readonly nodes: readonly NodeJson[]
  /** Where it runs beside the other roles. */
  readonly placement: PlacementJson
  /** The one answer; `decision` is what the role would be on its own. */
  readonly outcome: OutcomeJson
}

export type OutcomeJson = {
  readonly kind: OutcomeKind
  /** Null when it does not run. */
  readonly node_id: string | null
  /** Bytes that node lacks of the model. */
  readonly bytes: bigint
  /** The node it would run on by itself, where the other roles keep it from there; else null. */
  readonly instead_of: string | null
  /** Why it runs elsewhere or cannot run; else null. */
  readonly reason: string | null
  /** What it would be as the only role: `decision` by its kind, node and bytes. */
  readonly alone: AloneJson
}

type AloneJson = {
  readonly kind: 'in_place' | 'after_fetching' | 'cannot_run'
  readonly node_id: string | null
  readonly bytes: bigint
}

/** The exact object of a spec file. */
type SpecJson = { readonly [K in keyof InferenceSpecJson]: InferenceSpecJson[K] }

export type ManifestJson = {
  readonly package_id: string
  readonly name: string
  /** How many. */
  readonly shards: number
  readonly bytes: bigint
}

export type DecisionJson =
  | { readonly kind: 'place_at_holder'; readonly node_id: string }
  | {
      readonly kind: 'fetch_then_place'
      readonly target: string
      readonly sources: readonly string[]
      readonly bytes: bigint
      readonly missing_shards: number
    }
  | ({ readonly kind: 'unplaceable'; readonly message: string } & Unplaceable)
  /** `model`: the name no manifest has; null when the roster gives no usable name. */
  | { readonly kind: 'no_manifest'; readonly model: string | null }

type PlacementJson =
  | {
      readonly kind: 'placed'
      readonly node_id: string
      /** Whether it is the decision's own node. */
      readonly at: 'decided' | 'alternative'
      readonly bytes: bigint
      readonly tried: readonly TriedJson[]
    }
  | { readonly kind: 'none'; readonly reason: string; readonly tried: readonly TriedJson[] }
  /** Switched off by the scenario. */
  | { readonly kind: 'off' }

type TriedJson = { readonly node_id: string; readonly reason: string }

type ResidencyJson = {
  readonly node_id: string
  /** The pool that roles share; null when the node reports none. */
  readonly pool: string | null
  readonly budget_bytes: bigint | null
  readonly used_bytes: bigint
  /** In the order of their names. */
  readonly holders: readonly { readonly role: string; readonly bytes: bigint }[]
  readonly port_clashes: readonly { readonly port: number; readonly roles: readonly string[] }[]
  /** Bytes that move here. */
  readonly incoming_bytes: bigint
}

type NodeJson = {
  readonly node_id: string
  readonly eligible: boolean
  readonly forced: Forced
  readonly failures: readonly {
    readonly constraint: ConstraintFailure['constraint']
    readonly detail: string
  }[]
  readonly complete: boolean
  readonly held_shards: number
  /** Null when there is no manifest to compare with. */
  readonly missing_bytes: bigint | null
  /** Null when unknown. */
  readonly free_bytes: bigint | null
}

export type SkippedJson = { readonly id: string; readonly reason: string }

export type ProblemJson = {
  readonly severity: Severity
  readonly code: string
  readonly message: string
  readonly file: string | null
  /** 1-based; null when the whole file is meant. */
  readonly line: number | null
  /** 1-based, in code points. */
  readonly column: number | null
}

/** `plan` as {@link PlanJson}; `problems` are those to list (by default the plan's own). */
export function planToJson(plan: LabPlan, problems: readonly Problem[] = plan.problems): PlanJson {
  return {
    policy: policyToJson(plan.scenario.policy),
    roles: plan.roles.map(roleToJson),
    skipped: plan.skipped.map(skippedToJson),
    problems: problems.map(problemToJson),
    residency: plan.residency.map(residencyToJson),
  }
}

/** The text of a plan file, and of `plan --json`. */
export function planJsonText(plan: LabPlan, problems: readonly Problem[] = plan.problems): string {
  return `${jsonText(planToJson(plan, problems), 2)}\n`
}

export function policyToJson(policy: TransferPolicy): PolicyJson {
  return {
    allow_weight_transfer: policy.allowWeightTransfer,
    max_bytes: policy.maxBytes,
    free_headroom_bytes: policy.freeHeadroomBytes,
  }
}

export function roleToJson(role: RolePlan): RolePlanJson {
  return {
    role: role.role,
    spec: specToJson(role.imported.spec),
    repo: role.imported.repo,
    status: role.imported.status,
    manifest: role.manifest && manifestToJson(role.manifest),
    decision: decisionToJson(role.decision),
    notes: roleNotes(role),
    nodes: role.nodes.map(nodeToJson),
    placement: placementToJson(role),
    outcome: outcomeToJson(role),
  }
}

/** The role's outcome, its reason as a sentence. */
export function outcomeToJson(role: Pick<RolePlan, 'outcome'>): OutcomeJson {
  const { outcome } = role
  const { kind, nodeId, bytes } = outcome
  return {
    kind,
    node_id: nodeId,
    bytes,
    instead_of: ownNode(outcome)?.nodeId ?? null,
    reason: reasonOf(role),
    alone: aloneToJson(outcome.alone),
  }
}

function reasonOf(role: Pick<RolePlan, 'outcome'>): string | null {
  if (role.outcome.kind === 'elsewhere') return obstacleReason(role.outcome.reason)
  const reason = cannotRunReason(role)
  return reason === null ? null : plainReason(reason)
}

function aloneToJson(decision: RoleDecision): AloneJson {
  const node_id = decidedNode(decision)
  const bytes = decidedBytes(decision)
  return {
    kind: node_id === null ? 'cannot_run' : bytes === 0n ? 'in_place' : 'after_fetching',
    node_id,
    bytes,
  }
}

export function manifestToJson({ packageId, body }: ModelManifest): ManifestJson {
  return {
    package_id: packageId,
    name: body.name,
    shards: body.shards.length,
    bytes: sumBytes(body.shards.map((shard) => shard.size)),
  }
}

/** The decision with its fields named and valued as the reference's answers are. */
export function decisionToJson(decision: RoleDecision): DecisionJson {
  switch (decision.kind) {
    case 'place_at_holder':
      return { kind: decision.kind, node_id: decision.nodeId }
    case 'fetch_then_place':
      return {
        kind: decision.kind,
        target: decision.target,
        sources: decision.sources,
        bytes: decision.bytes,
        missing_shards: decision.missingShards,
      }
    case 'unplaceable':
      return {
        kind: decision.kind,
        message: unplaceableMessage(decision.unplaceable),
        ...decision.unplaceable,
      }
    case 'no_manifest':
      return { kind: decision.kind, model: decision.model }
  }
}

/** The role's placement, every obstacle as its sentence. */
function placementToJson(role: RolePlan): PlacementJson {
  const { placement } = role
  switch (placement.kind) {
    case 'placed': {
      const { kind, nodeId, at, bytes, tried } = placement
      return { kind, node_id: nodeId, at, bytes, tried: tried.map(triedToJson) }
    }
    case 'none':
      return { kind: 'none', reason: cannotRunReason(role) ?? '', tried: placement.tried.map(triedToJson) }
    case 'off':
      return { kind: 'off' }
  }
}

function triedToJson({ nodeId, obstacle }: TriedNode): TriedJson {
  return { node_id: nodeId, reason: obstacleMessage(obstacle) }
}

function residencyToJson({ nodeId, ledger, portClashes, incomingBytes }: NodeResidency): ResidencyJson {
  return {
    node_id: nodeId,
    pool: ledger.budget?.pool ?? null,
    budget_bytes: ledger.budget?.bytes ?? null,
    used_bytes: ledger.usedBytes,
    holders: ledger.instances.map(({ role, bytes }) => ({ role, bytes })),
    port_clashes: portClashes.map(({ port, roles }) => ({ port, roles })),
    incoming_bytes: incomingBytes,
  }
}

function nodeToJson(node: NodeVerdict): NodeJson {
  return {
    node_id: node.nodeId,
    eligible: node.eligible,
    forced: node.forced,
    failures: node.failures.map((failure) => ({
      constraint: failure.constraint,
      detail: failureDetail(failure),
    })),
    complete: node.complete,
    held_shards: node.heldShards,
    missing_bytes: node.missingBytes,
    free_bytes: node.freeBytes,
  }
}

export function skippedToJson({ id, reason }: SkippedEntry): SkippedJson {
  return { id, reason }
}

export function problemToJson({ severity, code, message, file, range }: Problem): ProblemJson {
  return {
    severity,
    code,
    message,
    file,
    line: range?.start.line ?? null,
    column: range?.start.column ?? null,
  }
}
