import { useCallback } from 'react'
import type { Problem } from '../../shared/problem.ts'
import { usePlanner } from './use-planner.ts'

/** A way to the place of a problem: the overlay opens in its editor, every other file in a read-only view. */
export function useShowProblem(): (problem: Problem) => void {
  const planner = usePlanner()
  return useCallback(
    (problem) => {
      if (problem.file === null) return
      const { overlay } = planner.store.getState()
      if (overlay !== null && overlay.file === problem.file && problem.range !== null) {
        planner.view.closeDialog()
        planner.view.showPane('Overlay')
        planner.overlay.reveal({ start: problem.range.start.offset, end: problem.range.end.offset })
        return
      }
      planner.view.openDialog({ kind: 'file', file: problem.file, line: problem.range?.start.line ?? null })
    },
    [planner],
  )
}
