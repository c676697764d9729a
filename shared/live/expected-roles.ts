import type { LabPlan, RolePlan } from '../plan/types.ts'
import { compareLive, type ExpectedRole, type LiveComparison } from './compare-live.ts'
import type { ObservedAddress } from './types.ts'

/** Holds what was observed against `plan`: every role as the plan runs it. */
export function compareToPlan(plan: LabPlan, observed: readonly ObservedAddress[]): LiveComparison {
  return compareLive(
    plan.roles.map((role) => expectedRole(role, plan.scenario.roleContext.get(role.role) ?? null)),
    observed,
  )
}

function expectedRole(role: RolePlan, contextTokens: number | null): ExpectedRole {
  const { imported, manifest } = role
  return {
    role: role.role,
    model: imported.spec.model,
    repo: imported.entry.repo,
    manifest,
    nodeId: role.outcome.nodeId,
    port: imported.spec.serve.port,
    contextTokens,
  }
}
