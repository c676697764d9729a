import type { ReactNode } from 'react'
import type { RolePlan } from '../../shared/plan/types.ts'
import { MenuAt } from '../ui/menu-at.tsx'
import { useRoleScenarioEntries } from '../ui/role-scenario-entries.ts'

interface RowMenuProps {
  readonly role: RolePlan
  readonly at: DOMRect
  readonly onClose: () => void
  readonly returnFocus: () => void
}

/** The menu of a row, by the right button, the menu key or Shift+F10. */
export function RowMenu({ role, ...menu }: RowMenuProps): ReactNode {
  const entries = useRoleScenarioEntries(role)
  return <MenuAt label={`What if, for ${role.role}`} entries={entries} {...menu} />
}
