import { useMemo, type ReactNode } from 'react'
import { moveCost, roleMoveText } from '../../shared/plan/move-cost.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import { onItsOwnText, outcomeDetail, outcomeHeadline } from '../../shared/report/outcome-words.ts'
import { selectPlan } from '../store/selectors.ts'
import { usePlannerState } from '../store/use-planner.ts'
import styles from './explain.module.css'

/** What the role's move takes over the nodes' links, when a rate is known; null when nothing moves or none is. */
function useMoveText(role: RolePlan): string | null {
  const plan = usePlannerState(selectPlan)
  const nodes = usePlannerState((state) => (state.lab.status === 'open' ? state.lab.lab.nodes : null))
  return useMemo(() => {
    if (plan === null || nodes === null) return null
    const move = moveCost(plan, nodes).moves.find((candidate) => candidate.role === role.role)
    return move === undefined || move.seconds === null ? null : `Moves ${roleMoveText(move)}.`
  }, [plan, nodes, role.role])
}

/** Where the role runs in one sentence, exact figures under it, and what it would be on its own. */
export function Verdict({ role }: { readonly role: RolePlan }): ReactNode {
  const details = [outcomeDetail(role), useMoveText(role), onItsOwnText(role)]
  return (
    <div
      className={styles.verdict}
      data-outcome={role.outcome.kind}
      role="group"
      aria-label="Verdict"
      aria-live="polite"
    >
      <p className={styles.headline}>{outcomeHeadline(role)}</p>
      {details.map((detail) =>
        detail === null ? null : (
          <p key={detail} className={styles.detail}>
            {detail}
          </p>
        ),
      )}
    </div>
  )
}
