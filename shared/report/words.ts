import { formatBytes } from '../bytes.ts'
import { specMemoryBytes } from '../inference-spec.ts'
import { failureDetail, freeText, heldHint } from '../eligibility/describe.ts'
import type { ConstraintFailure } from '../eligibility/types.ts'
import type { NodeVerdict, RolePlan } from '../plan/types.ts'

/** Why an eligible node is eligible: the memory it has for what the role needs. */
export function eligibleBecause(role: RolePlan, verdict: NodeVerdict): string {
  const needed = formatBytes(specMemoryBytes(role.imported.spec))
  if (verdict.memory === null) return `needs ${needed}`
  return `needs ${needed}, ${freeText(verdict.memory, role.role)} in the ${verdict.memory.name} pool`
}

/** {@link failureDetail} for an explanation of `role`: whose the memory is, and why the figure may be too low. */
export function failureText(failure: ConstraintFailure, role: string): string {
  if (failure.constraint !== 'memory' || failure.pool === null) return failureDetail(failure)
  const { pool, needed } = failure
  if ((pool.own ?? []).length > 0)
    return `needs ${formatBytes(needed)}, ${freeText(pool, role)} in the ${pool.name} pool`
  const hint = heldHint(failure)
  return hint === null ? failureDetail(failure) : `${failureDetail(failure)}; ${hint}`
}

/** The reference's notes, to the letter; without a manifest one line of our own says so. */
export function roleNotes(role: RolePlan): string[] {
  return role.locality?.notes ?? []
}

/** One line about a node: why it is eligible or every constraint it fails. */
export function nodeSummary(verdict: NodeVerdict): string {
  const failures = verdict.failures.map(failureDetail)
  if (verdict.forced === 'in') {
    return failures.length === 0
      ? 'treated as eligible'
      : `treated as eligible, although ${failures.join('; ')}`
  }
  return verdict.eligible ? 'eligible' : failures.join('; ')
}

/** In a few words what overrules the node's constraints; null when nothing does. */
export function forcedWord({ forced, failures }: Pick<NodeVerdict, 'forced' | 'failures'>): string | null {
  if (forced !== 'out') return forced === null ? null : 'treated as eligible'
  const override = failures.find((failure) => failure.constraint === 'override')
  switch (override?.by) {
    case 'pin':
      return 'pinned elsewhere'
    case 'away':
      return 'treated as offline'
    case 'operator':
    case 'declaration':
    case undefined:
      return 'ruled out'
  }
}
