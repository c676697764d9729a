import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import styles from './nodes.module.css'

const ENTRIES = [
  { part: styles.placedPart, label: 'asked for', meaning: 'Memory the roles placed on the node ask for together.' },
  { part: styles.takenPart, label: 'in use', meaning: 'Memory that something else has taken.' },
  { part: styles.poolPart, label: 'free', meaning: 'Memory that is free.' },
  { part: styles.overPart, label: 'over', meaning: 'Memory asked for beyond what is free.' },
] as const

/** What the stretches of a memory bar mean. */
export function BarLegend(): ReactNode {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {ENTRIES.map(({ part, label, meaning }) => (
        <li key={label} title={meaning}>
          <span className={classes(styles.sample, part)} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  )
}
