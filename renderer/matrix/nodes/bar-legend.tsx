import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import styles from './nodes.module.css'

const ENTRIES = [
  { part: styles.usedPart, label: 'roles', meaning: 'Memory of the roles that run here.' },
  { part: styles.takenPart, label: 'other use', meaning: 'Memory taken by what is not of this plan.' },
  { part: styles.poolPart, label: 'free', meaning: 'Memory or storage that is free.' },
  { part: styles.arrivingPart, label: 'fetched', meaning: 'Storage that weights to be fetched take.' },
  {
    part: styles.refusedPart,
    label: 'no room',
    meaning: 'Memory of roles that were decided for the node and found no room.',
  },
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
