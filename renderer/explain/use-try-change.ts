import { useCallback } from 'react'
import { applyChange } from '../../shared/advice/apply-change.ts'
import type { Change } from '../../shared/advice/change.ts'
import { excludedRole } from '../../shared/overlay/edit-step.ts'
import type { PlanInputs } from '../../shared/plan/types.ts'
import { usePlanner } from '../store/use-planner.ts'

/**
 * The way to try a change at once, or null when it takes hands: what the scenario can assume is assumed, an exclude is
 * taken out of the overlay's text (one undo step). Nothing is saved by it.
 */
export function useTryChange(inputs: PlanInputs): (change: Change) => (() => void) | null {
  const planner = usePlanner()
  return useCallback(
    (change) => {
      if (change.kind === 'drop_exclude') {
        const { role, excluded } = change
        return () => planner.overlay.edit({ kind: 'remove_exclude', role, exclude: excludedRole(excluded) })
      }
      const after = applyChange(inputs, change)
      if (after.lab !== inputs.lab || after.overlay !== inputs.overlay) return null
      // Changes what the controls show, which may be ahead of the plan that was asked about.
      return () => {
        const { scenario } = planner.store.getState()
        planner.scenario.apply(applyChange({ ...inputs, scenario }, change).scenario)
      }
    },
    [planner, inputs],
  )
}
