import type { ReactNode } from 'react'
import type { RolePlan } from '../../shared/plan/types.ts'
import { verdictDetail, verdictHeadline } from '../../shared/plan/words.ts'
import styles from './explain.module.css'

/** The decision in one sentence, human units first, the exact figures under it. */
export function Verdict({ role }: { readonly role: RolePlan }): ReactNode {
  const detail = verdictDetail(role)
  return (
    <div className={styles.verdict} data-kind={role.decision.kind} role="group" aria-label="Verdict" aria-live="polite">
      <p className={styles.headline}>{verdictHeadline(role)}</p>
      {detail === null ? null : <p className={styles.detail}>{detail}</p>}
    </div>
  )
}
