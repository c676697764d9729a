import type { ReactNode } from 'react'
import { classes } from '../../ui/classes.ts'
import styles from './nodes.module.css'

const PARTS = [
  { part: styles.weightsPart, label: 'weights', meaning: 'The tensors of a role’s model.' },
  { part: styles.kvPart, label: 'KV cache', meaning: 'What grows with the context of a role.' },
  { part: styles.otherPart, label: 'other', meaning: 'What a role is planned with beyond that.' },
] as const

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

/** What the stretches of a memory bar mean; of a role's parts too where some are known. */
export function BarLegend({ hasParts }: { readonly hasParts: boolean }): ReactNode {
  const [roles, ...others] = ENTRIES
  return (
    <ul className={styles.legend} aria-label="Legend">
      {[roles, ...(hasParts ? PARTS : []), ...others].map(({ part, label, meaning }) => (
        <li key={label} title={meaning}>
          <span className={classes(styles.sample, part)} aria-hidden="true" />
          {label}
        </li>
      ))}
    </ul>
  )
}
