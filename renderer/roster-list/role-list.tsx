import { useVirtualizer } from '@tanstack/react-virtual'
import {
  useCallback,
  useEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
} from 'react'
import type { RolePlan } from '../../shared/plan/types.ts'
import { selectLiveRoles, selectRole } from '../store/selectors.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { isMenuKey, pointOf } from '../ui/context-menu.ts'
import { RoleRow } from './role-row.tsx'
import { RowMenu } from './row-menu.tsx'
import styles from './roster-list.module.css'

const ROW_PX = 46
const PAGE_ROWS = 8

/** The DOM id of the list, which ↓ in the filter goes to. */
export const ROLE_LIST_ID = 'roster-roles'

interface RoleListProps {
  readonly roles: readonly RolePlan[]
  readonly troubled: ReadonlySet<string>
}

/** The list itself: arrows move, Enter selects, a click does both. */
export function RoleList({ roles, troubled }: RoleListProps): ReactNode {
  const { view } = usePlanner()
  const live = usePlannerState(selectLiveRoles)
  const pinned = usePlannerState((state) => state.scenario.pinned)
  const selected = usePlannerState((state) => selectRole(state)?.role ?? null)
  const [active, setActive] = useState<string | null>(null)
  const [menu, setMenu] = useState<{ readonly role: string; readonly at: DOMRect } | null>(null)
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

  const selectedAt = roles.findIndex((role) => role.role === selected)
  useEffect(() => {
    // A role that was chosen in another pane, or in the palette, is brought into sight.
    if (selectedAt >= 0) rows.scrollToIndex(selectedAt, { align: 'auto' })
  }, [rows, selectedAt])

  const onSelect = useCallback(
    (role: string): void => {
      setActive(role)
      view.selectRole(role)
    },
    [view],
  )
  const moveTo = (index: number): void => {
    const clamped = Math.max(0, Math.min(index, roles.length - 1))
    setActive(roles[clamped]?.role ?? null)
    rows.scrollToIndex(clamped)
  }
  const onContextMenu = (event: MouseEvent): void => {
    const row = (event.target as HTMLElement).closest('[role=option]')
    const role = roles.find((each) => rowId(each.role) === row?.id)
    if (role === undefined) return
    event.preventDefault()
    setMenu({ role: role.role, at: pointOf(event) })
  }
  const onKeyDown = (event: KeyboardEvent): void => {
    if (isMenuKey(event)) {
      const role = roles[current]?.role
      const row = role === undefined ? null : document.getElementById(rowId(role))
      if (role === undefined || row === null) return
      event.preventDefault()
      setMenu({ role, at: row.getBoundingClientRect() })
      return
    }
    const target = targetIndex(event.key, current, roles.length)
    if (target !== null) moveTo(target)
    else if (event.key === 'Enter' || event.key === ' ') {
      const role = roles[current]
      if (role) view.selectRole(role.role)
    } else return
    event.preventDefault()
  }

  const menuRole = roles.find((role) => role.role === menu?.role)
  const activeRole = roles[current]?.role
  const shown = rows.getVirtualItems()
  // Only rows near the view exist: the attribute must not name one that does not.
  const isDrawn = shown.some(({ index }) => index === current)
  return (
    <div
      ref={scroll}
      id={ROLE_LIST_ID}
      className={styles.scroll}
      role="listbox"
      aria-label="Roles"
      tabIndex={0}
      aria-activedescendant={activeRole === undefined || !isDrawn ? undefined : rowId(activeRole)}
      onKeyDown={onKeyDown}
      onContextMenu={onContextMenu}
      onFocus={() => setActive((was) => was ?? activeRole ?? null)}
      onBlur={() => setActive(null)}
    >
      <div className={styles.list} style={{ height: rows.getTotalSize() }} role="presentation">
        {shown.map(({ index, start }) => {
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
              live={live?.get(role.role) ?? null}
              onlyNode={pinned.get(role.role) ?? null}
              troubled={troubled.has(role.role)}
              onSelect={onSelect}
            />
          )
        })}
      </div>
      {menu === null || menuRole === undefined ? null : (
        <RowMenu
          role={menuRole}
          at={menu.at}
          onClose={() => setMenu(null)}
          returnFocus={() => scroll.current?.focus()}
        />
      )}
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
