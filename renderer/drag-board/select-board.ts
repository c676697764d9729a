import type { OverlayDocument } from '../../shared/overlay/types.ts'
import type { LabPlan } from '../../shared/plan/types.ts'
import type { PlannerState } from '../store/planner-state.ts'
import { selectPlan } from '../store/selectors.ts'
import { buildBoard, EMPTY_BOARD, keepSame, type Board } from './board-model.ts'

let last: { readonly plan: LabPlan; readonly document: OverlayDocument; readonly board: Board } | null = null

/** The board of what is on screen: the plan and the last overlay that could be read. */
export function selectBoard(state: PlannerState): Board {
  const plan = selectPlan(state)
  const document = state.overlay?.document ?? null
  if (plan === null || document === null) return EMPTY_BOARD
  if (last === null || last.plan !== plan || last.document !== document) {
    last = {
      plan,
      document,
      board: keepSame(last?.board ?? EMPTY_BOARD, buildBoard(plan.roles, document.overlay)),
    }
  }
  return last.board
}
