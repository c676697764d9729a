import type { Problem } from '../../shared/problem.ts'
import type { OverlayState } from '../store/overlay-state.ts'
import type { PlannerState } from '../store/planner-state.ts'
import { selectPlan } from '../store/selectors.ts'

let last: {
  readonly planned: readonly Problem[]
  readonly overlay: OverlayState
  readonly problems: readonly Problem[]
} | null = null

/**
 * The problems to mark in the overlay's text. Those that the plan found are left out while the text does not
 * parse: the plan is of an earlier text then, and its places would point at something else.
 */
export function selectOverlayProblems(state: PlannerState): readonly Problem[] {
  const { overlay } = state
  if (overlay === null) return NONE
  const planned = overlay.stale ? NONE : (selectPlan(state)?.problems ?? NONE)
  if (last !== null && last.planned === planned && last.overlay === overlay) return last.problems
  const problems = [...overlay.problems, ...planned.filter((problem) => problem.file === overlay.file)]
  last = { planned, overlay, problems }
  return problems
}

const NONE: readonly never[] = []
