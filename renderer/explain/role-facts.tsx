import type { ReactNode } from 'react'
import { roleFacts } from '../../shared/report/explain-text.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import styles from './explain.module.css'

/** What the roster and the manifest say of the role, for those who want to check. */
export function RoleFacts({ role }: { readonly role: RolePlan }): ReactNode {
  return (
    <section className={styles.section} aria-label="Facts">
      <h3 className={styles.heading}>Facts</h3>
      <dl className={styles.facts}>
        {roleFacts(role).map(({ label, text }) => (
          <div key={label} className={styles.fact}>
            <dt>{label}</dt>
            <dd>{text}</dd>
          </div>
        ))}
      </dl>
    </section>
  )
}
