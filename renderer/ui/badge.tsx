import type { ReactNode } from 'react'
import { classes } from './classes.ts'
import styles from './badge.module.css'

interface BadgeProps {
  readonly tone?: 'plain' | 'blue' | 'amber' | 'red'
  readonly title?: string
  readonly children: ReactNode
}

/** A small framed word about the thing it stands beside. */
export function Badge({ tone = 'plain', title, children }: BadgeProps): ReactNode {
  return (
    <span className={classes(styles.badge, tone !== 'plain' && styles[tone])} title={title}>
      {children}
    </span>
  )
}
