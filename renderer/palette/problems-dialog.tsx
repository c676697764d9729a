import type { ReactNode } from 'react'
import { selectProblems } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { useShowProblem } from '../store/use-show-problem.ts'
import { Dialog } from '../ui/dialog.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ProblemList } from '../ui/problem-list.tsx'

/** Every problem of the lab, errors first, each with a way to its place. */
export function ProblemsDialog(): ReactNode {
  const planner = usePlanner()
  const problems = usePlannerState(selectProblems)
  const show = useShowProblem()
  return (
    <Dialog
      title={`Problems (${problems.length})`}
      description="All problems of the lab"
      onClose={planner.view.closeDialog}
    >
      {problems.length === 0 ? (
        <EmptyState title="No problems">Every file reads well and nothing contradicts.</EmptyState>
      ) : (
        <ProblemList problems={problems} onShow={show} />
      )}
    </Dialog>
  )
}
