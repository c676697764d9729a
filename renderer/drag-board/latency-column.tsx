import { useDroppable } from '@dnd-kit/core'
import { memo, useMemo, type ReactNode, type RefObject } from 'react'
import { LATENCY_TRAITS, type LatencyClass } from '../../shared/inference-spec.ts'
import { classes } from '../ui/classes.ts'
import type { TargetData } from './aim.ts'
import type { BoardRole } from './board-model.ts'
import { targetId } from './drop.ts'
import { LongList, type LongListHandle } from './long-list.tsx'
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
  const data = useMemo((): TargetData => ({ target: { kind: 'latency', latencyClass } }), [latencyClass])
  const { setNodeRef, isOver } = useDroppable({ id: targetId(data.target), data: { ...data } })

  return (
    <div
      ref={setNodeRef}
      className={classes(styles.column, isOver && styles.over)}
      role="group"
      aria-label={title}
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
