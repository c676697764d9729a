import { excludeName } from '../../shared/overlay/edit-step.ts'
import { Search } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import type { OverlayEdit } from '../../shared/overlay/edit-overlay.ts'
import { Button } from '../ui/button.tsx'
import { Dialog } from '../ui/dialog.tsx'
import { Field } from '../ui/field.tsx'
import { boardRoles, excludesOf, filterBoard, type Board } from './board-model.ts'
import styles from './forbid-dialog.module.css'

interface ForbidDialogProps {
  readonly role: string
  readonly board: Board
  readonly onEdit: (edit: OverlayEdit) => void
  readonly onClose: () => void
}

/** Which roles one role cannot be beside, as a list to tick: dropping on its card without dragging. */
export function ForbidDialog({ role, board, onEdit, onClose }: ForbidDialogProps): ReactNode {
  const [text, setText] = useState('')
  const listed = new Set(excludesOf(board, role))
  const listing = new Set(
    board.cards
      .filter((card) => card.excludes.some((exclude) => exclude.role === role))
      .map((card) => card.role),
  )
  const others = boardRoles(filterBoard(board, text)).filter((other) => other.role !== role)
  return (
    <Dialog
      title={`Roles ${role} cannot be beside`}
      description="Tick the roles that cannot run on one node with it"
      onClose={onClose}
      footer={
        <Button variant="primary" onClick={onClose}>
          Done
        </Button>
      }
    >
      <Field
        label="Filter roles"
        icon={<Search size={14} aria-hidden="true" />}
        placeholder="Filter roles"
        value={text}
        onChange={(event) => setText(event.currentTarget.value)}
        className={styles.filter}
      />
      <ul className={styles.list} aria-label="Roles">
        {others.map((other) => (
          <li key={other.role}>
            <label className={styles.row}>
              <input
                type="checkbox"
                checked={listed.has(other.role)}
                onChange={(event) =>
                  onEdit({
                    kind: event.currentTarget.checked ? 'add_exclude' : 'remove_exclude',
                    role,
                    exclude: excludeName(other.role),
                  })
                }
              />
              <span className={styles.name} title={other.role}>
                {other.role}
              </span>
              {listing.has(other.role) ? <span className={styles.note}>already forbidden</span> : null}
            </label>
          </li>
        ))}
      </ul>
      {others.length === 0 ? <p className={styles.empty}>No role is named like that.</p> : null}
    </Dialog>
  )
}
