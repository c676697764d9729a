import type { ReactNode } from 'react'
import { usePlanner } from '../store/use-planner.ts'
import { Button } from './button.tsx'

/** A role's name in a dialog: selects the role in the window and closes the dialog. */
export function RoleLink({ role }: { readonly role: string }): ReactNode {
  const { view } = usePlanner()
  return (
    <Button
      variant="link"
      onClick={() => {
        view.selectRole(role)
        view.closeDialog()
      }}
    >
      {role}
    </Button>
  )
}
