import { Copy } from 'lucide-react'
import { useMemo, useState, type ReactNode } from 'react'
import type { Consideration } from '../../shared/locality/types.ts'
import { renderNote } from '../../shared/locality/notes.ts'
import type { RolePlan } from '../../shared/plan/types.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import styles from './explain.module.css'
import { ShowMore } from './show-more.tsx'

/** Beyond this many notes the rest wait for a click; the verdict's line, the last, is always there. */
const SHOWN_NOTES = 13

interface Note {
  readonly text: string
  /** The node the note is about, so that pointing at it lights the node's row. */
  readonly node: string | null
}

function nodeOf(consideration: Consideration): string | null {
  switch (consideration.kind) {
    case 'node':
    case 'rejected_target':
      return consideration.nodeId
    case 'verdict':
      if (consideration.decision.kind === 'place_at_holder') return consideration.decision.nodeId
      return consideration.decision.kind === 'fetch_then_place' ? consideration.decision.target : null
    case 'model':
      return null
  }
}

/** The reference's notes, to the letter. */
export function Notes({ role }: { readonly role: RolePlan }): ReactNode {
  const { view } = usePlanner()
  const lit = usePlannerState((state) => state.view.node)
  const [all, setAll] = useState(false)
  const { locality } = role
  const notes = useMemo(
    () =>
      locality?.considerations.map((consideration): Note => {
        return { text: renderNote(consideration), node: nodeOf(consideration) }
      }) ?? [],
    [locality],
  )
  if (notes.length === 0) return null
  const hidden = all ? 0 : Math.max(0, notes.length - SHOWN_NOTES)
  const shown = hidden === 0 ? notes : [...notes.slice(0, SHOWN_NOTES - 1), ...notes.slice(-1)]
  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(notes.map((note) => note.text).join('\n'))
      view.toast('success', 'Copied the notes')
    } catch {
      view.toast('error', 'The clipboard cannot be written; select the notes and copy them by hand')
    }
  }
  return (
    <section className={styles.section} aria-label="Notes">
      <h3 className={styles.heading}>
        Notes
        <IconButton
          label="Copy the notes"
          icon={<Copy size={13} />}
          variant="quiet"
          onClick={() => void copy()}
        />
      </h3>
      <ol onMouseLeave={() => view.lightNode(null)}>
        {shown.map((note, i) => (
          <li
            key={i}
            className={classes(styles.note, i === shown.length - 1 && styles.last)}
            data-lit={note.node !== null && note.node === lit}
            onMouseEnter={() => view.lightNode(note.node)}
          >
            {note.text}
          </li>
        ))}
      </ol>
      <ShowMore hidden={hidden} what="notes" onShow={() => setAll(true)} />
    </section>
  )
}
