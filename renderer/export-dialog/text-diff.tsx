import { diffLines } from 'diff'
import { useMemo, type ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import styles from './export-dialog.module.css'

interface TextDiffProps {
  readonly name: string
  readonly before: string | null
  readonly after: string | null
  /** Why the file cannot be written, or null. */
  readonly note: string | null
}

interface DiffLine {
  readonly kind: 'same' | 'added' | 'removed'
  readonly text: string
}

/** Beyond so many changed lines the texts stand below each other: comparing them takes the square of the changes. */
const MAX_EDITS = 2000

function linesOf(before: string | null, after: string | null): readonly DiffLine[] {
  // A stale file is not replaced by nothing: it is shown as it is.
  if (after === null) return split(before ?? '').map((text) => ({ kind: 'same', text }))
  const parts = diffLines(before ?? '', after, { maxEditLength: MAX_EDITS })
  if (parts === undefined) {
    return [
      ...split(before ?? '').map((text): DiffLine => ({ kind: 'removed', text })),
      ...split(after).map((text): DiffLine => ({ kind: 'added', text })),
    ]
  }
  return parts.flatMap(({ value, added, removed }) =>
    split(value).map((text): DiffLine => ({ kind: added ? 'added' : removed ? 'removed' : 'same', text })),
  )
}

function split(text: string): string[] {
  return text.replace(/\r?\n$/, '').split(/\r?\n/)
}

const SIGNS = { same: ' ', added: '+', removed: '−' } as const

/** Two texts as one, with what goes and what comes marked by sign and colour. */
export function TextDiff({ name, before, after, note }: TextDiffProps): ReactNode {
  const lines = useMemo(() => linesOf(before, after), [before, after])
  return (
    <div className={styles.diff} role="region" aria-label={`Changes of ${name}`} tabIndex={0}>
      {note === null ? null : <p className={styles.refusal}>{note}</p>}
      {lines.map((line, i) => (
        <div key={i} className={classes(styles.diffLine, styles[line.kind])}>
          <span className={styles.sign} aria-label={line.kind === 'same' ? undefined : line.kind}>
            {SIGNS[line.kind]}
          </span>
          {line.text}
        </div>
      ))}
    </div>
  )
}
