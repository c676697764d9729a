import { DndContext } from '@dnd-kit/core'
import { Search } from 'lucide-react'
import { useDeferredValue, useMemo, useState, type CSSProperties, type ReactNode } from 'react'
import { LATENCY_CLASSES } from '../../shared/inference-spec.ts'
import { selectRole } from '../store/selectors.ts'
import { usePlannerState } from '../store/use-planner.ts'
import { Field } from '../ui/field.tsx'
import { MenuAt } from '../ui/menu-at.tsx'
import { Pane } from '../ui/pane.tsx'
import { BoardActionsContext } from './board-actions.ts'
import { BoardStop } from './board-stop.tsx'
import { filterBoard, findRole, type Board, type ExcludeCard } from './board-model.ts'
import { DRAG_INSTRUCTIONS } from './board-words.ts'
import { DragPreview } from './drag-preview.tsx'
import { ExcludeColumn } from './exclude-column.tsx'
import { ForbidDialog } from './forbid-dialog.tsx'
import { LatencyColumn } from './latency-column.tsx'
import { roleMenu } from './role-menu.ts'
import { selectBoard } from './select-board.ts'
import { StaleNotice } from './stale-notice.tsx'
import { useBoard, type BoardControl } from './use-board.ts'
import { BackWell, PairWell } from './drop-zones.tsx'
import styles from './drag-board.module.css'

/**
 * The overlay without its text: roles in latency columns, and who cannot be beside whom. Every drop is an
 * edit of the text, one step of the undo stack that typing shares; while the text cannot be read the board is
 * off and says why.
 */
export function DragBoard(): ReactNode {
  const board = usePlannerState(selectBoard)
  const control = useBoard()
  const [filter, setFilter] = useState('')
  const deferredFilter = useDeferredValue(filter)
  const shown = useMemo(() => filterBoard(board, deferredFilter), [board, deferredFilter])
  return (
    <Pane
      name="Drag board"
      subtitle={<span title={HINT}>{HINT}</span>}
      bodyClassName={styles.body}
      actions={
        <Field
          label="Filter the board"
          icon={<Search size={14} aria-hidden="true" />}
          placeholder="Filter"
          value={filter}
          onChange={(event) => setFilter(event.currentTarget.value)}
          className={styles.filter}
        />
      }
    >
      <div
        className={styles.root}
        data-dragging={control.dragged === null ? undefined : true}
        data-dragging-role={control.dragged?.kind === 'role' ? true : undefined}
      >
        <DndContext
          sensors={control.sensors}
          collisionDetection={control.aim.collisionDetection}
          accessibility={{
            announcements: control.announcements,
            screenReaderInstructions: { draggable: DRAG_INSTRUCTIONS },
            restoreFocus: false,
          }}
          onDragStart={control.onDragStart}
          onDragEnd={control.onDragEnd}
          onDragCancel={control.onDragCancel}
        >
          <BoardActionsContext value={control.actions}>
            <BoardStop lists={control.lists}>
              <Columns board={shown} control={control} filtered={deferredFilter.trim() !== ''} />
            </BoardStop>
          </BoardActionsContext>
          <DragPreview board={board} aim={control.aim} />
        </DndContext>
      </div>
      <Popup board={board} control={control} />
    </Pane>
  )
}

const HINT = 'drop a role on another role’s card to forbid the pair'

/** For the grid of the stylesheet. */
const COLUMN_COUNT = { '--latency-columns': LATENCY_CLASSES.length } as CSSProperties

interface ColumnsProps {
  readonly board: Board
  readonly control: BoardControl
  readonly filtered: boolean
}

function Columns({ board, control, filtered }: ColumnsProps): ReactNode {
  const selectedRole = usePlannerState((state) => selectRole(state)?.role ?? null)
  const stale = usePlannerState((state) => state.overlay?.stale ?? false)
  const error = usePlannerState(
    (state) => state.overlay?.problems.find((problem) => problem.severity === 'error') ?? null,
  )
  const emptyText = filtered ? 'No role here is named like that.' : 'No role here. Drop one to make it so.'
  const { dragged, lists, pending } = control
  const draggedRole = dragged?.kind === 'role' ? dragged.role : null
  const cards = useMemo(() => withPending(board.cards, pending), [board.cards, pending])
  return (
    <div className={styles.board} style={COLUMN_COUNT} tabIndex={-1}>
      {LATENCY_CLASSES.map((latencyClass) => (
        <LatencyColumn
          key={latencyClass}
          latencyClass={latencyClass}
          roles={board.columns[latencyClass]}
          list={lists.columns[latencyClass]}
          draggedRole={draggedRole}
          selectedRole={selectedRole}
          disabled={stale}
          emptyText={emptyText}
        />
      ))}
      <ExcludeColumn
        cards={cards}
        list={lists.cards}
        draggedCard={dragged?.kind === 'exclude' ? dragged.card : null}
        disabled={stale}
        emptyText={
          filtered ? 'No role on a card is named like that.' : 'No pair is forbidden. Drop a role below.'
        }
      />
      {stale ? (
        <StaleNotice problem={error} />
      ) : (
        <>
          <BackWell dragged={dragged} />
          <PairWell />
        </>
      )}
    </div>
  )
}

/** The cards under that of the role whose card was started, unless it has one by now. */
function withPending(cards: readonly ExcludeCard[], pending: string | null): readonly ExcludeCard[] {
  if (pending === null || cards.some(({ role }) => role === pending)) return cards
  return [{ role: pending, known: true, excludes: [] }, ...cards]
}

/** The menu or the dialog that is open for a role, if that role is still there. */
function Popup({ board, control }: { readonly board: Board; readonly control: BoardControl }): ReactNode {
  const { popup, actions, edit, closePopup } = control
  const chip = popup === null ? null : findRole(board, popup.role)
  if (popup === null || chip === null) return null
  const { role } = popup
  switch (popup.kind) {
    case 'menu':
      return (
        <MenuAt
          at={popup.at}
          label={`More for ${role}`}
          entries={roleMenu(
            chip,
            (change) => edit(role, change),
            () => actions.chooseExcludes(role),
          )}
          onClose={() => closePopup(popup)}
        />
      )
    case 'forbid':
      return (
        <ForbidDialog
          role={role}
          board={board}
          onEdit={(change) => edit(role, change)}
          onClose={() => closePopup(popup)}
        />
      )
  }
}
