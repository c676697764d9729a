import { useMemo, type ReactNode } from 'react'
import { moveCost, roleMoveText } from '../../shared/plan/move-cost.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import { placementSentence } from '../../shared/report/placement-words.ts'
import { isUnplaced } from '../../shared/plan/outcome.ts'
import { verdictDetail, verdictHeadline } from '../../shared/report/words.ts'
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

/** The decision in one sentence, exact figures under it, and what the other roles make of it. */
export function Verdict({ role }: { readonly role: RolePlan }): ReactNode {
  const detail = verdictDetail(role)
  const beside = placementSentence(role)
  const move = useMoveText(role)
  return (
    <>
      <div
        className={styles.verdict}
        data-kind={role.decision.kind}
        role="group"
        aria-label="Verdict"
        aria-live="polite"
      >
        <p className={styles.headline}>{verdictHeadline(role)}</p>
        {detail === null ? null : <p className={styles.detail}>{detail}</p>}
        {move === null ? null : <p className={styles.detail}>{move}</p>}
      </div>
      {beside === null ? null : (
        <div
          className={styles.beside}
          data-placed={isUnplaced(role) ? 'no' : 'yes'}
          role="group"
          aria-label="Beside the other roles"
        >
          <p className={styles.besideHead}>Beside the other roles</p>
          <p>{beside}</p>
        </div>
      )}
    </>
  )
}
