import { useDroppable } from '@dnd-kit/core'
import { Plus, Trash2, Undo2 } from 'lucide-react'
import { useMemo, type ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import type { TargetData } from './aim.ts'
import { targetId, type DragItem, type DropTarget } from './drop.ts'
import styles from './drop-zones.module.css'

/**
 * Takes a role's latency class out of the overlay, or an exclude out of its card: what it says follows the
 * drag.
 */
export function BackWell({ dragged }: { readonly dragged: DragItem | null }): ReactNode {
  const removes = dragged?.kind === 'exclude'
  return (
    <Well
      target={WELL}
      className={styles.backWell}
      label={removes ? 'Remove' : 'Back to default'}
      hint={
        removes ? 'drop it here, or anywhere off its card' : 'drop a role here to unset its latency class'
      }
      icon={removes ? <Trash2 size={14} aria-hidden="true" /> : <Undo2 size={14} aria-hidden="true" />}
    />
  )
}

/** Starts a card for a role that excludes nothing yet. */
export function PairWell(): ReactNode {
  return (
    <Well
      target={START_PAIR}
      label="New pair"
      hint="drop a role here"
      icon={<Plus size={14} aria-hidden="true" />}
    />
  )
}

const WELL: DropTarget = { kind: 'well' }
const START_PAIR: DropTarget = { kind: 'start_pair' }

interface WellProps {
  readonly target: DropTarget
  /** Shown, and the accessible name. */
  readonly label: string
  readonly hint: string
  readonly icon: ReactNode
  readonly className?: string | undefined
}

function Well({ target, label, hint, icon, className }: WellProps): ReactNode {
  const data = useMemo((): TargetData => ({ target }), [target])
  const { setNodeRef, isOver } = useDroppable({ id: targetId(target), data: { ...data } })
  return (
    <div
      ref={setNodeRef}
      className={classes(styles.well, className, isOver && styles.over)}
      role="group"
      aria-label={label}
      title={`${label}: ${hint}`}
    >
      {icon}
      <span className={styles.wellLabel}>{label}</span>
      <span className={styles.wellHint}>{hint}</span>
    </div>
  )
}
