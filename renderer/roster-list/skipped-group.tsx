import { ChevronDown, ChevronRight } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { SkippedEntry } from '../../shared/roster/types.ts'
import styles from './roster-list.module.css'

/** Entries of the roster that became no spec, each with the reason. */
export function SkippedGroup({ skipped }: { readonly skipped: readonly SkippedEntry[] }): ReactNode {
  const [open, setOpen] = useState(false)
  if (skipped.length === 0) return null
  return (
    <section className={styles.skipped} aria-label="Skipped entries">
      <button
        type="button"
        className={styles.skippedHead}
        aria-expanded={open}
        onClick={() => setOpen(!open)}
      >
        {open ? <ChevronDown size={14} aria-hidden="true" /> : <ChevronRight size={14} aria-hidden="true" />}
        Skipped {skipped.length}
      </button>
      {open ? (
        <ul>
          {skipped.map((entry, i) => (
            <li key={i} className={styles.skippedRow}>
              <div className={styles.name}>{entry.id === '' ? '(empty id)' : entry.id}</div>
              <div className={styles.reason}>{entry.reason}</div>
            </li>
          ))}
        </ul>
      ) : null}
    </section>
  )
}
