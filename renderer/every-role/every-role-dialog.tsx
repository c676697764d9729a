import { useEffect, useState, type ReactNode } from 'react'
import { changeText } from '../../shared/advice/advice-words.ts'
import { applyChange } from '../../shared/advice/apply-change.ts'
import { findLabWayTask, type LabWay } from '../../shared/advice/shortest-way.ts'
import { labWayHeadline } from '../../shared/advice/way-words.ts'
import type { LabPlan, PlanInputs } from '../../shared/plan/types.ts'
import { runInSlices } from '../store/run-in-slices.ts'
import { selectInputs, selectPlan } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { useTryChange } from '../store/use-try-change.ts'
import { afterPaint } from '../ui/after-paint.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import styles from './every-role.module.css'

/** How long the search may take, in milliseconds; what was found by then is shown, and said to be that. */
const LIMIT_MS = 2000

/** What it would take to run every role of the lab, to be tried as one step. */
export function EveryRoleDialog(): ReactNode {
  const open = usePlannerState((state) => state.dialog?.kind === 'every_role')
  const inputs = usePlannerState(selectInputs)
  const plan = usePlannerState(selectPlan)
  return open && inputs !== null && plan !== null ? <EveryRole inputs={inputs} plan={plan} /> : null
}

function EveryRole({ inputs, plan }: { readonly inputs: PlanInputs; readonly plan: LabPlan }): ReactNode {
  const { view } = usePlanner()
  const way = useLabWay(inputs, plan)
  const tryChanges = useTryChange(inputs)
  // A change of the lab's own files cannot be assumed; what can is tried.
  const assumed = (way?.changes ?? []).filter((change) => {
    const after = applyChange(inputs, change)
    return after.lab === inputs.lab && after.overlay === inputs.overlay
  })
  const run = assumed.length === 0 ? null : tryChanges(assumed)
  const byHand = (way?.changes.length ?? 0) - assumed.length
  return (
    <Dialog
      title="What would run every role"
      description="Changes that together let every role of the lab run"
      onClose={view.closeDialog}
      footer={
        <>
          <Button onClick={view.closeDialog}>{run === null ? 'Close' : 'Cancel'}</Button>
          {run === null ? null : (
            <Button
              variant="primary"
              onClick={() => {
                run()
                view.closeDialog()
                view.toast('info', 'The changes are assumed now; one undo (Alt+Z) takes them all back')
              }}
            >
              {assumed.length === 1 ? 'Try it' : 'Try them together'}
            </Button>
          )}
        </>
      }
    >
      {way === null ? (
        <p role="status">Looking for the cheapest changes, for at most {LIMIT_MS / 1000} seconds…</p>
      ) : (
        <div role="status" className={styles.way}>
          <p>{labWayHeadline(way)}</p>
          <ol>
            {way.changes.map((change) => (
              <li key={changeText(change)}>{changeText(change)}</li>
            ))}
          </ol>
          {byHand === 0 ? null : (
            <p className={styles.byHand}>
              {byHand === 1 ? 'One of them changes' : `${byHand} of them change`} the lab’s own files: that is
              done by hand.
            </p>
          )}
        </div>
      )}
    </Dialog>
  )
}

function useLabWay(inputs: PlanInputs, plan: LabPlan): LabWay | null {
  const memo = usePlannerState((state) => state.memo)
  const [found, setFound] = useState<{ readonly of: LabPlan; readonly way: LabWay } | null>(null)
  useEffect(() => {
    let isGivenUp = false
    const search = async (): Promise<void> => {
      const end = performance.now() + LIMIT_MS
      const isOver = (): boolean => performance.now() > end
      const way = await runInSlices(findLabWayTask(inputs, plan, { memo, isOver }), () => isGivenUp)
      if (way !== null && !isGivenUp) setFound({ of: plan, way: way.value })
    }
    const cancel = afterPaint(() => void search())
    return () => {
      isGivenUp = true
      cancel()
    }
  }, [inputs, plan, memo])
  return found?.of === plan ? found.way : null
}
