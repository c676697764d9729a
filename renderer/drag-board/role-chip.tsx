import { useDraggable } from '@dnd-kit/core'
import { Ellipsis, GripVertical, Anchor, MoveRight } from 'lucide-react'
import { memo, useMemo, type ReactNode } from 'react'
import type { LatencyClass } from '../../shared/inference-spec.ts'
import type { LatencySource } from '../../shared/roster/types.ts'
import { Button, IconButton } from '../ui/button.tsx'
import { classes } from '../ui/classes.ts'
import { isMenuKey, pointOf } from '../ui/context-menu.ts'
import type { ItemData } from './aim.ts'
import { useBoardActions } from './board-actions.ts'
import { latencySentence, SHORT_SOURCES, stickyHint } from './board-words.ts'
import { itemId } from './drop.ts'
import { PairZone } from './pair-zone.tsx'
import styles from './role-chip.module.css'

export interface RoleChipProps {
  readonly role: string
  readonly latencyClass: LatencyClass
  readonly latencySource: LatencySource
  readonly sticky: boolean
  readonly stickyFromOverlay: boolean
  readonly selected: boolean
  readonly disabled: boolean
}

/**
 * A role in its latency column. It can be dragged by any part of itself; the keyboard picks it up at its
 * name. Only this shell is drawn again while something is dragged, not what is in it.
 */
export const RoleChip = memo(function RoleChip(props: RoleChipProps): ReactNode {
  const { role, selected, disabled } = props
  const data = useMemo((): ItemData => ({ item: { kind: 'role', role } }), [role])
  const { setNodeRef, setActivatorNodeRef, listeners, attributes, isDragging } = useDraggable({
    id: itemId(data.item),
    data: { ...data },
    disabled,
  })
  const actions = useBoardActions()
  return (
    <div
      ref={setNodeRef}
      className={classes(styles.chip, selected && styles.selected, isDragging && styles.lifted)}
      {...listeners}
      onKeyDown={(event) => {
        if (isMenuKey(event)) {
          event.preventDefault()
          actions.openMenu(role, event.currentTarget.getBoundingClientRect())
        } else listeners?.['onKeyDown']?.(event)
      }}
      onContextMenu={(event) => {
        event.preventDefault()
        if (!disabled) actions.openMenu(role, pointOf(event))
      }}
    >
      <ChipBody {...props} handleRef={setActivatorNodeRef} instructions={attributes['aria-describedby']} />
      <PairZone role={role} />
    </div>
  )
})

interface ChipBodyProps extends RoleChipProps {
  readonly handleRef: (node: HTMLElement | null) => void
  /** The id of the text that says how to drag by keyboard. */
  readonly instructions: string
}

const ChipBody = memo(function ChipBody(props: ChipBodyProps): ReactNode {
  const { role, latencyClass, latencySource, sticky, stickyFromOverlay, disabled, handleRef, instructions } =
    props
  const actions = useBoardActions()
  return (
    <>
      <button
        ref={handleRef}
        type="button"
        className={styles.handle}
        aria-roledescription="draggable role"
        aria-describedby={instructions}
        aria-disabled={disabled}
        tabIndex={-1}
        data-item={itemId({ kind: 'role', role })}
        title={latencySentence(role, latencyClass, latencySource)}
        onClick={() => actions.select(role)}
      >
        <GripVertical size={12} className={styles.grip} aria-hidden="true" />
        <span className={styles.name}>{role}</span>
      </button>
      <span className={styles.source}>{SHORT_SOURCES[latencySource]}</span>
      <Button
        tabIndex={-1}
        role="switch"
        aria-checked={sticky}
        aria-label={`Sticky ${role}`}
        title={stickyHint(sticky, stickyFromOverlay)}
        variant="quiet"
        className={classes(styles.small, styles.pin, stickyFromOverlay && styles.said)}
        disabled={disabled}
        onClick={() => actions.setSticky(role, !sticky)}
      >
        {sticky ? <Anchor size={13} aria-hidden="true" /> : <MoveRight size={13} aria-hidden="true" />}
      </Button>
      <IconButton
        tabIndex={-1}
        label={`More for ${role}`}
        icon={<Ellipsis size={14} />}
        variant="quiet"
        className={styles.small}
        aria-haspopup="menu"
        disabled={disabled}
        onClick={(event) => actions.openMenu(role, event.currentTarget.getBoundingClientRect())}
      />
    </>
  )
})
