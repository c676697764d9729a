import { useEffect, useState, type ReactNode } from 'react'
import { findWayTask, type WayAnswer } from '../../shared/advice/shortest-way.ts'
import { wayHeadline, wayLines, whyNoWay } from '../../shared/advice/way-words.ts'
import type { LabPlan, PlanInputs, RolePlan } from '../../shared/plan/types.ts'
import { runInSlices } from '../store/run-in-slices.ts'
import { selectPlan } from '../store/selectors.ts'
import { usePlannerState } from '../store/use-planner.ts'
import { Button } from '../ui/button.tsx'
import styles from './explain.module.css'
import { useTryChange } from '../store/use-try-change.ts'

/** How long the search may take, in milliseconds; what was found by then is shown, and said to be that. */
const LIMIT_MS = 2000
/** Long enough that typing and clicking through roles start no search in vain. */
const WAIT_MS = 120

/** The cheapest changes that together let a role run that cannot, to be tried in one step; or why there are none. */
export function ShortestWay({
  role,
  inputs,
}: {
  readonly role: RolePlan
  readonly inputs: PlanInputs
}): ReactNode {
  const plan = usePlannerState(selectPlan)
  const answer = useWay(role, inputs, plan)
  const tryChanges = useTryChange(inputs)
  if (role.outcome.kind !== 'cannot_run' || plan === null) return null
  if (answer === null) return <p className={styles.waiting}>Looking for the cheapest changes…</p>
  const lines = wayLines(answer)
  const run = answer.way === null ? null : tryChanges(answer.way.changes)
  const reason = answer.way === null ? whyNoWay(inputs, plan, plan.roles.indexOf(role)) : ''
  const label = lines.length === 1 ? 'Try it' : 'Try them together'
  return (
    <div className={styles.way}>
      <p>{wayHeadline(answer, role, reason)}</p>
      <ol>
        {lines.map((line) => (
          <li key={line}>{line}</li>
        ))}
      </ol>
      {run === null ? null : (
        <Button aria-label={`${label}: ${lines.join('; ')}`} onClick={run}>
          {label}
        </Button>
      )}
    </div>
  )
}

function useWay(role: RolePlan, inputs: PlanInputs, plan: LabPlan | null): WayAnswer | null {
  const memo = usePlannerState((state) => state.memo)
  const isGoing = usePlannerState((state) => state.behind !== null)
  const [found, setFound] = useState<{ readonly of: unknown; readonly answer: WayAnswer } | null>(null)
  useEffect(() => {
    if (plan === null || isGoing || role.outcome.kind !== 'cannot_run') return
    let isGivenUp = false
    const search = async (): Promise<void> => {
      const end = performance.now() + LIMIT_MS
      const isOver = (): boolean => performance.now() > end
      const task = findWayTask(inputs, plan, plan.roles.indexOf(role), { memo, isOver })
      const answer = await runInSlices(task, () => isGivenUp)
      if (answer !== null && !isGivenUp) setFound({ of: role, answer: answer.value })
    }
    const timer = window.setTimeout(() => void search(), WAIT_MS)
    return () => {
      isGivenUp = true
      window.clearTimeout(timer)
    }
  }, [role, inputs, plan, memo, isGoing])
  return found?.of === role ? found.answer : null
}
