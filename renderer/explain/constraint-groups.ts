import type { NodeVerdict, RolePlan } from '../../shared/plan/types.ts'
import { failureText, forcedWord } from '../../shared/report/words.ts'

/** Nodes of which the constraints say the same. */
export interface ConstraintGroup {
  /** What they say, which is also what unfolds the group. */
  readonly key: string
  readonly first: NodeVerdict
  readonly verdicts: readonly NodeVerdict[]
  /** Whether more can be shown of it: its other nodes, or what fails besides the first. */
  readonly isFolded: boolean
}

/**
 * What the constraints say of each node, failures first, which is what one looks for; nodes of which they say the same are
 * one group.
 *
 * @param unfolded Keys of the groups that were unfolded: a row for each node. Null: no groups at all.
 */
export function constraintGroups(
  role: RolePlan,
  unfolded: ReadonlySet<string> | null,
): readonly ConstraintGroup[] {
  const failed = role.nodes.filter(({ eligible }) => !eligible)
  const sorted = [...failed, ...role.nodes.filter(({ eligible }) => eligible)]
  const byText = new Map<string, NodeVerdict[]>()
  const groups: ConstraintGroup[] = []
  for (const verdict of sorted) {
    const key = unfolded === null ? '' : textOf(role, verdict)
    const isFolded = unfolded !== null && !unfolded.has(key)
    const known = isFolded ? byText.get(key) : undefined
    if (known !== undefined) {
      known.push(verdict)
      continue
    }
    const verdicts = [verdict]
    byText.set(key, verdicts)
    groups.push({ key, first: verdict, verdicts, isFolded })
  }
  return groups
}

function textOf(role: RolePlan, verdict: NodeVerdict): string {
  // How much is free beyond what the role needs says nothing about whether it may run.
  const why = verdict.failures.map((failure) => failureText(failure, role.role)).join('\n')
  const memory = verdict.memory === null ? 'unknown' : 'known'
  return [verdict.eligible, forcedWord(verdict), memory, why].join('\n')
}
