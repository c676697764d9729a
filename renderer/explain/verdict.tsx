import type { ReactNode } from 'react'
import type { RolePlan } from '../../shared/plan/types.ts'
import { isUnplaced, placementSentence } from '../../shared/plan/placement-words.ts'
import { verdictDetail, verdictHeadline } from '../../shared/plan/words.ts'
import styles from './explain.module.css'

/** The decision in one sentence, exact figures under it, and what the other roles make of it. */
export function Verdict({ role }: { readonly role: RolePlan }): ReactNode {
  const detail = verdictDetail(role)
  const beside = placementSentence(role)
  return (
    <>
      <div className={styles.verdict} data-kind={role.decision.kind} role="group" aria-label="Verdict" aria-live="polite">
        <p className={styles.headline}>{verdictHeadline(role)}</p>
        {detail === null ? null : <p className={styles.detail}>{detail}</p>}
      </div>
      {beside === null ? null : (
        <div className={styles.beside} data-placed={isUnplaced(role) ? 'no' : 'yes'} role="group" aria-label="Beside the other roles">
          <p className={styles.besideHead}>Beside the other roles</p>
          <p>{beside}</p>
        </div>
      )}
    </>
  )
}
