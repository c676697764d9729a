import type { ReactNode } from 'react'
import styles from './empty-state.module.css'

interface EmptyStateProps {
  readonly title: string
  readonly children?: ReactNode
  readonly actions?: ReactNode
}

/** What stands where there is nothing to show: what is missing and what to do next. */
export function EmptyState({ title, children, actions }: EmptyStateProps): ReactNode {
  return (
    <div className={styles.empty}>
      <p className={styles.title}>{title}</p>
      {children === undefined ? null : <div className={styles.text}>{children}</div>}
      {actions === undefined ? null : <div className={styles.actions}>{actions}</div>}
    </div>
  )
}
