import { useCallback } from 'react'
import { applyChanges } from '../../shared/advice/shortest-way.ts'
import type { Change } from '../../shared/advice/change.ts'
import { excludedRole } from '../../shared/overlay/edit-step.ts'
import type { PlanInputs } from '../../shared/plan/types.ts'
import { usePlanner } from './use-planner.ts'

/** What tries changes, or null when they cannot be tried. */
export type TryChanges = (changes: readonly Change[]) => (() => void) | null

/**
 * Tries changes together, as one undo step, or null when they cannot be tried: what the scenario can assume is assumed; an
 * exclude alone is taken out of the overlay's text. Nothing is saved by it.
 */
export function useTryChange(inputs: PlanInputs): TryChanges {
  const planner = usePlanner()
  return useCallback(
    (changes) => {
      const [only] = changes
      if (only?.kind === 'drop_exclude' && changes.length === 1) {
        const { role, excluded } = only
        return () => planner.overlay.edit({ kind: 'remove_exclude', role, exclude: excludedRole(excluded) })
      }
      const after = applyChanges(inputs, changes)
      if (after.lab !== inputs.lab || after.overlay !== inputs.overlay) return null
      // Changes what the controls show, which may be ahead of the plan that was asked about.
      return () => {
        const { scenario } = planner.store.getState()
        planner.scenario.apply(applyChanges({ ...inputs, scenario }, changes).scenario)
      }
    },
    [planner, inputs],
  )
}
