import type { LabPlan, RolePlan } from '../../shared/plan/types.ts'
import type { Problem } from '../../shared/problem.ts'
import { addedBytes, isDisplaced } from '../../shared/plan/outcome.ts'
import { sumBytes } from '../../shared/bytes.ts'
import type { OutcomeFilter, RosterFilter } from '../store/view-state.ts'

/** The list's totals. */
export interface RosterSummary {
  /** Roles by outcome; the kinds together are all of them. */
  readonly counts: Readonly<Record<OutcomeFilter, number>>
  /** Bytes that move altogether, a model that several roles run on a node once. */
  readonly bytesToMove: bigint
  readonly skipped: number
  /** Roles that the other roles keep from their own node, and the bytes that move for them beyond those that would. */
  readonly displaced: { readonly count: number; readonly bytes: bigint }
}

export function summarize({ roles, residency, skipped }: LabPlan): RosterSummary {
  const count = (kind: OutcomeFilter): number => roles.filter(({ outcome }) => outcome.kind === kind).length
  const displaced = roles.filter(({ outcome }) => isDisplaced(outcome))
  return {
    counts: {
      all: roles.length,
      in_place: count('in_place'),
      after_fetching: count('after_fetching'),
      elsewhere: count('elsewhere'),
      cannot_run: count('cannot_run'),
      switched_off: count('switched_off'),
    },
    bytesToMove: sumBytes(residency.map(({ incomingBytes }) => incomingBytes)),
    skipped: skipped.length,
    displaced: {
      count: displaced.length,
      bytes: sumBytes(displaced.map(({ outcome }) => addedBytes(outcome))),
    },
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
      (filter.outcome === 'all' || role.outcome.kind === filter.outcome) &&
      (filter.runtime === null || role.imported.spec.runtime === filter.runtime) &&
      (filter.latency === null || role.imported.spec.latencyClass === filter.latency) &&
      (!filter.withProblems || troubled.has(role.role)) &&
      (!filter.displaced || isDisplaced(role.outcome)) &&
      matchesSearch(role, wanted),
  )
}

/** How many of the filters beside the outcome are on. */
export function activeFilters(filter: RosterFilter): number {
  const { runtime, latency, withProblems, displaced } = filter
  return [runtime !== null, latency !== null, withProblems, displaced].filter(Boolean).length
}
