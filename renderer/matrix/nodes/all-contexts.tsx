import { useMemo, useState, type ReactNode } from 'react'
import { largestContextForAll } from '../../../shared/advice/context-effects.ts'
import { labContextText } from '../../../shared/advice/context-words.ts'
import type { LabPlan, PlanInputs } from '../../../shared/plan/types.ts'
import { usePlanner } from '../../store/use-planner.ts'
import { useTask } from '../../store/use-task.ts'
import { Button } from '../../ui/button.tsx'
import styles from './context-tools.module.css'

interface AllContextsProps {
  readonly inputs: PlanInputs
  readonly plan: LabPlan
}

/** Asks, when it is asked for, for the largest context that all roles can have at once. */
export function AllContexts({ inputs, plan }: AllContextsProps): ReactNode {
  const { scenario, store } = usePlanner()
  // What it was asked for: another plan has another answer, and a slider makes many plans.
  const [askedFor, setAskedFor] = useState<PlanInputs | null>(null)
  const isAsked = askedFor === inputs
  const find = useMemo(
    () => (isAsked ? () => largestContextForAll(inputs, plan, store.getState().memo.branch()) : null),
    [inputs, plan, isAsked, store],
  )
  const found = useTask(find)
  if (!isAsked) {
    return (
      <Button
        variant="quiet"
        className={styles.all}
        aria-label="Largest context for all roles"
        title="Look for the largest context that all roles can have at once"
        onClick={() => setAskedFor(inputs)}
      >
        All roles…
      </Button>
    )
  }
  return (
    <p className={styles.answer} role="status" aria-label="Largest context for all roles">
      {found === null ? 'Looking for the largest context for all roles…' : labContextText(found)}{' '}
      {found?.kind === 'fits' ? (
        <Button variant="link" onClick={() => scenario.planContexts(found.contexts)}>
          Plan with it
        </Button>
      ) : null}
    </p>
  )
}
