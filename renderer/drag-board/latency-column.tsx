import { useDroppable } from '@dnd-kit/core'
import { memo, useMemo, type KeyboardEvent, type ReactNode, type RefObject } from 'react'
import { LATENCY_TRAITS, type LatencyClass } from '../../shared/inference-spec.ts'
import { classes } from '../ui/classes.ts'
import type { TargetData } from './aim.ts'
import { useBoardActions } from './board-actions.ts'
import type { BoardRole } from './board-model.ts'
import { itemId, targetId } from './drop.ts'
import { LongList, type LongListHandle } from './long-list.tsx'
import { nextIndex } from './next-index.ts'
import { RoleChip } from './role-chip.tsx'
import styles from './drag-board.module.css'

interface LatencyColumnProps {
  readonly latencyClass: LatencyClass
  readonly roles: readonly BoardRole[]
  readonly list: RefObject<LongListHandle | null>
  /** The role that is being dragged, of whichever column. */
  readonly draggedRole: string | null
  readonly selectedRole: string | null
  readonly disabled: boolean
  readonly emptyText: string
}

/** The roles of one latency class; a role that is dropped here gets the class. */
export function LatencyColumn(props: LatencyColumnProps): ReactNode {
  const { latencyClass, roles } = props
  const { title } = LATENCY_TRAITS[latencyClass]
  const actions = useBoardActions()
  const data = useMemo((): TargetData => ({ target: { kind: 'latency', latencyClass } }), [latencyClass])
  const { setNodeRef, isOver } = useDroppable({ id: targetId(data.target), data: { ...data } })

  /** Arrow keys go from name to name in a column, so that 256 roles are not 256 presses of Tab apart. */
  const moveBetweenChips = (event: KeyboardEvent<HTMLElement>): void => {
    if (event.defaultPrevented || event.currentTarget.closest('[data-dragging]') !== null) return
    const focused = event.target instanceof HTMLElement ? event.target.dataset['item'] : undefined
    const at = roles.findIndex(({ role }) => itemId({ kind: 'role', role }) === focused)
    const next = at === -1 ? undefined : roles[nextIndex(event.key, at, roles.length)]
    if (next === undefined) return
    event.preventDefault()
    actions.focusRole(next.role)
  }
  return (
    <div
      ref={setNodeRef}
      className={classes(styles.column, isOver && styles.over)}
      role="group"
      aria-label={title}
      onKeyDown={moveBetweenChips}
    >
      <h3 className={styles.columnHead} title={CLASS_EFFECT}>
        {title}
        <span className={styles.count}>{roles.length}</span>
      </h3>
      <ColumnRoles {...props} />
    </div>
  )
}

/** What an operator may wonder about a class. */
const CLASS_EFFECT =
  'Roles are placed in roster order whatever their class: it is recorded in the exported spec, and Suggest ' +
  'places interactive roles first.'

/** As high as in a column of the usual width. */
const CHIP_PX = 44

const ColumnRoles = memo(function ColumnRoles(props: LatencyColumnProps): ReactNode {
  const { latencyClass, roles, list, draggedRole, selectedRole, disabled, emptyText } = props
  const keys = useMemo(() => roles.map(({ role }) => role), [roles])
  if (roles.length === 0) {
    return (
      <p className={styles.empty} title={emptyText}>
        {emptyText}
      </p>
    )
  }
  return (
    <LongList
      label={`${LATENCY_TRAITS[latencyClass].title} roles`}
      keys={keys}
      kept={draggedRole}
      rowPx={CHIP_PX}
      handle={list}
    >
      {(index) => {
        const role = roles[index]
        if (role === undefined) return null
        return <RoleChip {...role} selected={role.role === selectedRole} disabled={disabled} />
      }}
    </LongList>
  )
})
