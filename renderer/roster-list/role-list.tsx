import { useVirtualizer } from '@tanstack/react-virtual'
import { useRef, useState, type KeyboardEvent, type ReactNode } from 'react'
import type { RolePlan } from '../../shared/plan/types.ts'
import { selectRole } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { RoleRow } from './role-row.tsx'
import styles from './roster-list.module.css'

const ROW_PX = 46
const PAGE_ROWS = 8

interface RoleListProps {
  readonly roles: readonly RolePlan[]
  readonly troubled: ReadonlySet<string>
}

/** The list itself: arrows move, Enter selects, a click does both. */
export function RoleList({ roles, troubled }: RoleListProps): ReactNode {
  const { view } = usePlanner()
  const selected = usePlannerState((state) => selectRole(state)?.role ?? null)
  const [active, setActive] = useState<string | null>(null)
  const scroll = useRef<HTMLDivElement>(null)
  const rows = useVirtualizer({
    count: roles.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_PX,
    overscan: 8,
  })
  const current = Math.max(
    0,
    roles.findIndex((role) => role.role === (active ?? selected)),
  )

  const moveTo = (index: number): void => {
    const clamped = Math.max(0, Math.min(index, roles.length - 1))
    setActive(roles[clamped]?.role ?? null)
    rows.scrollToIndex(clamped)
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    const target = targetIndex(event.key, current, roles.length)
    if (target !== null) moveTo(target)
    else if (event.key === 'Enter' || event.key === ' ') {
      const role = roles[current]
      if (role) view.selectRole(role.role)
    } else return
    event.preventDefault()
  }

  const activeRole = roles[current]?.role
  return (
    <div
      ref={scroll}
      className={styles.scroll}
      role="listbox"
      aria-label="Roles"
      tabIndex={0}
      aria-activedescendant={activeRole === undefined ? undefined : rowId(activeRole)}
      onKeyDown={onKeyDown}
      onBlur={() => setActive(null)}
    >
      <div className={styles.list} style={{ height: rows.getTotalSize() }} role="presentation">
        {rows.getVirtualItems().map(({ index, start }) => {
          const role = roles[index]
          if (role === undefined) return null
          return (
            <RoleRow
              key={role.role}
              id={rowId(role.role)}
              plan={role}
              top={start}
              position={index + 1}
              total={roles.length}
              selected={role.role === selected}
              active={active !== null && role.role === activeRole}
              troubled={troubled.has(role.role)}
              onSelect={view.selectRole}
            />
          )
        })}
      </div>
    </div>
  )
}

function rowId(role: string): string {
  return `role-${role}`
}

function targetIndex(key: string, current: number, count: number): number | null {
  switch (key) {
    case 'ArrowDown':
      return current + 1
    case 'ArrowUp':
      return current - 1
    case 'PageDown':
      return current + PAGE_ROWS
    case 'PageUp':
      return current - PAGE_ROWS
    case 'Home':
      return 0
    case 'End':
      return count - 1
    default:
      return null
  }
}
