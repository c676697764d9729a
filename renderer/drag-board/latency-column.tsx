import { useDroppable } from '@dnd-kit/core'
import { memo, useMemo, type KeyboardEvent, type ReactNode } from 'react'
import type { LatencyClass } from '../../shared/inference-spec.ts'
import { classes } from '../ui/classes.ts'
import type { TargetData } from './aim.ts'
import type { BoardRole } from './board-model.ts'
import { targetId } from './drop.ts'
import { RoleChip } from './role-chip.tsx'
import styles from './drag-board.module.css'

interface LatencyColumnProps {
  readonly title: string
  readonly latencyClass: LatencyClass
  readonly roles: readonly BoardRole[]
  readonly selectedRole: string | null
  readonly disabled: boolean
  readonly emptyText: string
}

/** A column of roles of one latency class, and the place that makes a role be of it. */
export function LatencyColumn(props: LatencyColumnProps): ReactNode {
  const { title, latencyClass, roles } = props
  const data = useMemo((): TargetData => ({ target: { kind: 'latency', latencyClass } }), [latencyClass])
  const { setNodeRef, isOver } = useDroppable({ id: targetId(data.target), data: { ...data } })
  return (
    <div
      ref={setNodeRef}
      className={classes(styles.column, isOver && styles.over)}
      role="group"
      aria-label={title}
      onKeyDown={moveBetweenChips}
    >
      <h3 className={styles.columnHead}>
        {title}
        <span className={styles.count}>{roles.length}</span>
      </h3>
      <ColumnRoles {...props} />
    </div>
  )
}

const ColumnRoles = memo(function ColumnRoles(props: LatencyColumnProps): ReactNode {
  const { title, roles, selectedRole, disabled, emptyText } = props
  if (roles.length === 0) return <p className={styles.empty}>{emptyText}</p>
  return (
    <ul className={styles.list} aria-label={`${title} roles`}>
      {roles.map((role) => (
        <RoleChip key={role.role} {...role} selected={role.role === selectedRole} disabled={disabled} />
      ))}
    </ul>
  )
})

/** Arrow keys go from name to name in a column, so that 256 roles are not 256 presses of Tab apart. */
function moveBetweenChips(event: KeyboardEvent<HTMLElement>): void {
  if (event.defaultPrevented || event.currentTarget.closest('[data-dragging]') !== null) return
  const handles = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-focus]')]
  const at = handles.indexOf(event.target as HTMLElement)
  const next = at === -1 ? undefined : handles[nextIndex(event.key, at, handles.length)]
  if (next === undefined) return
  event.preventDefault()
  next.focus()
}

/** The index that a key goes to; -1 for every other key and beyond the ends. */
function nextIndex(key: string, at: number, length: number): number {
  switch (key) {
    case 'ArrowDown':
      return at + 1 < length ? at + 1 : -1
    case 'ArrowUp':
      return at - 1
    case 'Home':
      return 0
    case 'End':
      return length - 1
    default:
      return -1
  }
}
