import type { LabPlan, RoleDecision, RolePlan } from '../../shared/plan/types.ts'
import type { Problem } from '../../shared/problem.ts'
import { isDisplaced, placedBytes } from '../../shared/plan/outcome.ts'
import { bytesToMove } from '../../shared/plan/outcome.ts'
import { sumBytes } from '../../shared/bytes.ts'
import type { DecisionFilter, RosterFilter } from '../store/view-state.ts'

/** Which of the list's filters a decision falls under. */
export function decisionGroup(decision: RoleDecision): Exclude<DecisionFilter, 'all'> {
  switch (decision.kind) {
    case 'place_at_holder':
      return 'in_place'
    case 'fetch_then_place':
      return 'fetch'
    case 'unplaceable':
    case 'no_manifest':
      return 'unplaceable'
  }
}

/** The list's totals: roles per decision, bytes to move, entries skipped. */
export interface RosterSummary {
  readonly counts: Readonly<Record<DecisionFilter, number>>
  /** As decided, each role for itself. */
  readonly bytesToMove: bigint
  readonly skipped: number
  /** Roles for which the others leave no room where they are decided, and what moves for them instead. */
  readonly displaced: { readonly count: number; readonly bytes: bigint }
}

export function summarize(plan: LabPlan): RosterSummary {
  const counts = { all: plan.roles.length, in_place: 0, fetch: 0, unplaceable: 0 }
  for (const role of plan.roles) counts[decisionGroup(role.decision)]++
  const displaced = plan.roles.filter(isDisplaced)
  return {
    counts,
    bytesToMove: sumBytes(plan.roles.map((role) => bytesToMove(role.decision))),
    skipped: plan.skipped.length,
    displaced: { count: displaced.length, bytes: sumBytes(displaced.map(placedBytes)) },
  }
}

/** Problems worth a mark beside a role: errors and warnings, not information. */
export function rolesWithProblems(problems: readonly Problem[]): ReadonlySet<string> {
  return new Set(
    problems.flatMap((problem) =>
      problem.role !== undefined && problem.severity !== 'info' ? [problem.role] : [],
    ),
  )
}

/** Whether `search` (already lower case, trimmed) is found in what the roster says of the role. */
function matchesSearch(role: RolePlan, search: string): boolean {
  if (search === '') return true
  const { entry, spec } = role.imported
  return [spec.role, entry.role, entry.name, entry.repo, spec.runtime].some((text) =>
    text.toLowerCase().includes(search),
  )
}

/** The roles the list shows, in roster order. */
export function visibleRoles(
  plan: LabPlan,
  search: string,
  filter: RosterFilter,
  troubled: ReadonlySet<string>,
): readonly RolePlan[] {
  const wanted = search.trim().toLowerCase()
  return plan.roles.filter(
    (role) =>
      (filter.decision === 'all' || decisionGroup(role.decision) === filter.decision) &&
      (filter.runtime === null || role.imported.spec.runtime === filter.runtime) &&
      (filter.latency === null || role.imported.spec.latencyClass === filter.latency) &&
      (!filter.withProblems || troubled.has(role.role)) &&
      (!filter.displaced || isDisplaced(role)) &&
      matchesSearch(role, wanted),
  )
}

/** How many of the filters beside the decision are on. */
export function activeFilters(filter: RosterFilter): number {
  const { runtime, latency, withProblems, displaced } = filter
  return [runtime !== null, latency !== null, withProblems, displaced].filter(Boolean).length
}
