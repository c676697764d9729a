import { useEffect, useState, type ReactNode } from 'react'
import { compareTask, type Comparison, type ExplainedChange } from '../../shared/compare/compare-plans.ts'
import { causesText, differenceText } from '../../shared/compare/difference-words.ts'
import { changeKind, standingText } from '../../shared/report/diff-text.ts'
import type { PlanInputs } from '../../shared/plan/types.ts'
import { runInSlices } from '../store/run-in-slices.ts'
import { selectInputs } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { Badge } from '../ui/badge.tsx'
import { classes } from '../ui/classes.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { RoleLink } from '../ui/role-link.tsx'
import { fieldLine, furtherFields, unchangedSentence } from './change-words.ts'
import table from '../ui/table.module.css'
import styles from './comparison.module.css'

/** Which roles changed since the pinned plan, from what to what, and which input did it. */
export function ComparisonDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'comparison')
  const before = usePlannerState((state) => state.baseline?.inputs ?? null)
  const after = usePlannerState(selectInputs)
  return open && before && after ? <ShownComparison before={before} after={after} /> : null
}

function ShownComparison({
  before,
  after,
}: {
  readonly before: PlanInputs
  readonly after: PlanInputs
}): ReactNode {
  const { view } = usePlanner()
  const comparison = useComparison(before, after)
  return (
    <Dialog
      wide
      title="Changes since the baseline"
      description="Each role that changed, from what to what, and the input that did it"
      onClose={view.closeDialog}
    >
      {comparison === null ? (
        <EmptyState title="Finding which input did it…" />
      ) : comparison.roles.length === 0 ? (
        <>
          <EmptyState title="No role changed">{unchangedSentence(comparison.differences.length)}</EmptyState>
          <Idle comparison={comparison} />
        </>
      ) : (
        <>
          <table className={classes(table.table, styles.roles)} aria-label="Changed roles">
            <thead>
              <tr>
                <th scope="col">Role</th>
                <th scope="col">Baseline</th>
                <th scope="col">Now</th>
                <th scope="col">Cause</th>
              </tr>
            </thead>
            <tbody>
              {comparison.roles.map((change) => (
                <ChangeRow key={change.role} change={change} />
              ))}
            </tbody>
          </table>
          <Idle comparison={comparison} />
        </>
      )}
    </Dialog>
  )
}

/** The comparison, worked out while the dialog is there: the causes take as many plans as there are suspects. */
function useComparison(before: PlanInputs, after: PlanInputs): Comparison | null {
  const memo = usePlannerState((state) => state.memo)
  const [done, setDone] = useState<{
    readonly of: readonly [PlanInputs, PlanInputs]
    readonly is: Comparison
  } | null>(null)
  useEffect(() => {
    let isGivenUp = false
    const compare = async (): Promise<void> => {
      const comparison = await runInSlices(compareTask(before, after, memo), () => isGivenUp)
      if (comparison !== null && !isGivenUp) setDone({ of: [before, after], is: comparison.value })
    }
    const cancel = afterPaint(() => void compare())
    return () => {
      isGivenUp = true
      cancel()
    }
  }, [before, after, memo])
  return done?.of[0] === before && done.of[1] === after ? done.is : null
}

function ChangeRow({ change }: { readonly change: ExplainedChange }): ReactNode {
  const kind = changeKind(change)
  const fields = furtherFields(change)
  return (
    <tr>
      <th scope="row">
        <RoleLink role={change.role} />
        {kind === 'changed' ? null : <Badge tone="amber">{kind}</Badge>}
      </th>
      <td>{standingText(change.from)}</td>
      <td>
        {standingText(change.to)}
        {fields.length === 0 ? null : (
          <ul className={styles.fields}>
            {fields.map((field) => (
              <li key={field.field}>{fieldLine(field)}</li>
            ))}
          </ul>
        )}
      </td>
      <td>{change.causes === null ? 'not found by replaying the inputs' : causesText(change.causes)}</td>
    </tr>
  )
}

/** Inputs that differ and changed nothing: worth knowing before one looks for their effect. */
function Idle({ comparison }: { readonly comparison: Comparison }): ReactNode {
  const causes = new Set(comparison.roles.flatMap(({ causes: of }) => of?.differences ?? []))
  const idle = comparison.differences.filter((difference) => !causes.has(difference))
  if (idle.length === 0) return null
  return (
    <section className={styles.idle} aria-label="Differences without effect">
      <h3>{comparison.roles.length === 0 ? 'Different' : 'Also different'}, without effect of its own</h3>
      <ul>
        {idle.slice(0, 20).map((difference, i) => (
          <li key={i}>{differenceText(difference)}</li>
        ))}
        {idle.length > 20 ? <li>and {idle.length - 20} more</li> : null}
      </ul>
    </section>
  )
}
