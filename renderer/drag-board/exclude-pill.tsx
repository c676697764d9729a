import { useDraggable } from '@dnd-kit/core'
import { X } from 'lucide-react'
import { memo, useMemo, type ReactNode } from 'react'
import { classes } from '../ui/classes.ts'
import type { ItemData } from './aim.ts'
import { useBoardActions } from './board-actions.ts'
import { itemId } from './drop.ts'
import styles from './exclude-card.module.css'

interface ExcludePillProps {
  /** The role that lists it. */
  readonly card: string
  readonly role: string
  readonly known: boolean
  readonly disabled: boolean
}

/** One name in a card's excludes: dragged out of the card or crossed out, it is gone. */
export const ExcludePill = memo(function ExcludePill({
  card,
  role,
  known,
  disabled,
}: ExcludePillProps): ReactNode {
  const actions = useBoardActions()
  const data = useMemo((): ItemData => ({ item: { kind: 'exclude', card, role } }), [card, role])
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, isDragging } = useDraggable({
    id: itemId(data.item),
    data: { ...data },
    disabled,
  })
  return (
    <li
      ref={setNodeRef}
      className={classes(styles.pill, !known && styles.unknown, isDragging && styles.lifted)}
      {...listeners}
    >
      <button
        ref={setActivatorNodeRef}
        type="button"
        className={styles.pillName}
        aria-label={`${role}, excluded by ${card}`}
        aria-roledescription="draggable exclude"
        aria-describedby={attributes['aria-describedby']}
        aria-disabled={disabled}
        tabIndex={-1}
        data-item={itemId(data.item)}
        title={
          known ? `${card} cannot be beside ${role}` : `${role} is no role of the roster; it has no effect`
        }
      >
        {role}
      </button>
      <button
        type="button"
        className={styles.cross}
        tabIndex={-1}
        aria-label={`Remove exclude ${role} from ${card}`}
        title={`Remove exclude ${role} from ${card}`}
        disabled={disabled}
        onClick={() => actions.removeExclude(card, role)}
      >
        <X size={12} aria-hidden="true" />
      </button>
    </li>
  )
})
