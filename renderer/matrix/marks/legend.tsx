import type { ReactNode } from 'react'
import type { Mark } from './mark.ts'
import { MarkIcon } from './mark-icon.tsx'
import styles from './marks.module.css'

export interface LegendEntry {
  readonly mark: Mark
  readonly label: string
  /** What the mark means, in a sentence. */
  readonly meaning: string
}

/** What the marks mean. */
export function Legend({ entries }: { readonly entries: readonly LegendEntry[] }): ReactNode {
  return (
    <ul className={styles.legend} aria-label="Legend">
      {entries.map(({ mark, label, meaning }) => (
        <li key={mark} className={styles.entry} title={meaning}>
          <MarkIcon mark={mark} />
          {label}
        </li>
      ))}
    </ul>
  )
}
