import { useDroppable } from '@dnd-kit/core'
import { Ban } from 'lucide-react'
import { memo, useMemo, type ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import type { TargetData } from './aim.ts'
import { targetId } from './drop.ts'
import styles from './role-chip.module.css'

/**
 * The part of a role's card that forbids a pair, shown while another role is dragged: the rest of the card belongs to its
 * column, which is about the latency class.
 */
export const PairZone = memo(function PairZone({ role }: { readonly role: string }): ReactNode {
  const data = useMemo((): TargetData => ({ target: { kind: 'pair', role } }), [role])
  const { setNodeRef, isOver } = useDroppable({ id: targetId(data.target), data: { ...data } })
  return (
    <span
      ref={setNodeRef}
      className={classes(styles.pairZone, isOver && styles.pairOver)}
      data-pair={role}
      aria-hidden="true"
    >
      <Ban size={13} />
      not beside
    </span>
  )
})
