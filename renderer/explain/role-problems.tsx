import { useMemo, type ReactNode } from 'react'
import type { RolePlan } from '../../shared/plan/types.ts'
import { selectProblems } from '../store/selectors.ts'
import { usePlannerState } from '../store/use-planner.ts'
import { ProblemList } from '../ui/problem-list.tsx'
import { useShowProblem } from '../store/use-show-problem.ts'
import styles from './explain.module.css'

/** The problems that concern the role, each with a way to its line. */
export function RoleProblems({ role }: { readonly role: RolePlan }): ReactNode {
  const all = usePlannerState(selectProblems)
  const show = useShowProblem()
  const problems = useMemo(() => all.filter((problem) => problem.role === role.role), [all, role.role])
  if (problems.length === 0) return null
  return (
    <section className={styles.section} aria-label="Problems of this role">
      <h3 className={styles.heading}>Problems</h3>
      <ProblemList problems={problems} onShow={show} />
    </section>
  )
}
