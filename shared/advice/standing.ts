import { admit, release, type Refusal } from '../placement/ledger.ts'
import { whyNotTarget } from '../locality/decide.ts'
import type { Unplaceable } from '../locality/types.ts'
import { instanceName, instanceOf } from '../placement/place.ts'
import type { LabPlan, NodeVerdict, RolePlan } from '../plan/types.ts'
import type { ConstraintFailure } from '../eligibility/types.ts'

/** Something that keeps a role from a node. */
export type Obstacle =
  | { readonly kind: 'off' }
  /** `model`: the name no manifest has; null when the roster gives no usable name. */
  | { readonly kind: 'no_manifest'; readonly model: string | null }
  | { readonly kind: 'constraint'; readonly failure: ConstraintFailure }
  | { readonly kind: 'transfer'; readonly unplaceable: Unplaceable }
  | { readonly kind: 'co_residency'; readonly refusal: Refusal }

/**
 * Everything that keeps the role number `role` of `plan` from the node number `node`; empty when it could run there:
 * the node passes every constraint, holds the model or may fetch it by the reference's rules as the only target, and
 * has room beside every role that the plan places there.
 */
export function obstaclesTo(plan: LabPlan, role: number, node: number): Obstacle[] {
  const own = plan.roles[role]
  const verdict = own?.verdictAt(node)
  if (own === undefined || !verdict) return []
  const constraints = verdict.eligible ? [] : verdict.failures
  const noMemory = constraints.some(({ constraint }) => constraint === 'memory')
  return [
    ...(own.placement.kind === 'off' ? [{ kind: 'off' } as const] : []),
    ...(own.manifest === null ? [{ kind: 'no_manifest', model: own.imported.spec.model } as const] : []),
    ...constraints.map((failure): Obstacle => ({ kind: 'constraint', failure })),
    ...transferObstacle(plan, own, verdict),
    ...refusals(plan, own, role, node)
      // The constraint already reports what does not fit an empty pool.
      .filter((refusal) => !(noMemory && refusal.kind === 'over_budget'))
      .map((refusal): Obstacle => ({ kind: 'co_residency', refusal })),
  ]
}

function transferObstacle(plan: LabPlan, role: RolePlan, verdict: NodeVerdict): Obstacle[] {
  const { missingBytes } = verdict
  if (missingBytes === null || verdict.complete) return []
  const unplaceable = role.transferBar ?? whyNotTarget(missingBytes, verdict.freeBytes, plan.scenario.policy)
  return unplaceable === null ? [] : [{ kind: 'transfer', unplaceable }]
}

function refusals(plan: LabPlan, own: RolePlan, role: number, node: number): readonly Refusal[] {
  const residency = plan.residency[node]
  if (residency === undefined) return []
  const name = instanceName(plan.roles, role)
  const admission = admit(release(residency.ledger, name), instanceOf(own, name))
  return admission.ok ? [] : admission.refusals
}

/**
 * Whether nothing but other hardware or another roster could do away with it: then it alone is why the
 * answer is "never".
 */
export function isHard(obstacle: Obstacle, role: RolePlan): boolean {
  if (obstacle.kind === 'no_manifest') return obstacle.model === null
  if (obstacle.kind !== 'constraint') return false
  const { failure } = obstacle
  switch (failure.constraint) {
    case 'runtime':
      return false
    case 'format':
      return failure.problem.kind === 'not_loadable'
    case 'memory':
      return failure.pool !== null && role.leastMemoryBytes > failure.pool.totalBytes
    case 'override':
    case 'fresh_facts':
      return false
  }
}
