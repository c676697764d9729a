import { FlaskConical } from 'lucide-react'
import type { ReactNode } from 'react'
import type { RolePlan } from '../../shared/plan/types.ts'
import { IconButton } from '../ui/button.tsx'
import { Menu } from '../ui/menu.tsx'
import { useRoleScenarioEntries } from '../ui/role-scenario-entries.ts'

/** What may be assumed of the selected role. */
export function RoleScenarioMenu({ role }: { readonly role: RolePlan }): ReactNode {
  const entries = useRoleScenarioEntries(role)
  return (
    <Menu
      align="end"
      trigger={<IconButton label={`What if, for ${role.role}`} icon={<FlaskConical size={14} />} />}
      entries={entries}
    />
  )
}
