import { excludeName } from '../../shared/overlay/edit-step.ts'
import {
  KeyboardCode,
  KeyboardSensor,
  MouseSensor,
  TouchSensor,
  useSensor,
  useSensors,
  type Announcements,
  type DragEndEvent,
  type DragStartEvent,
  type SensorDescriptor,
  type SensorOptions,
} from '@dnd-kit/core'
import { useMemo, useState } from 'react'
import type { OverlayEdit } from '../../shared/overlay/edit-overlay.ts'
import { usePlanner } from '../store/use-planner.ts'
import { createAim, itemOf, targetOf, type Aim } from './aim.ts'
import { createAnnouncer } from './announcements.ts'
import type { BoardActions } from './board-actions.ts'
import { createBoardLists, type BoardLists } from './board-lists.ts'
import { excludesOf, type Board } from './board-model.ts'
import { dropOutcome, homeOf, targetId, type DragItem, type DropTarget } from './drop.ts'
import { selectBoard } from './select-board.ts'
import { useFocusRequest } from './use-focus-request.ts'

/** A menu or a dialog of the board that is open, and for which role. */
type BoardPopup =
  | { readonly kind: 'menu'; readonly role: string; readonly at: DOMRect }
  | { readonly kind: 'forbid'; readonly role: string }

export interface BoardControl {
  readonly aim: Aim
  readonly lists: BoardLists
  readonly sensors: SensorDescriptor<SensorOptions>[]
  readonly announcements: Announcements
  readonly actions: BoardActions
  readonly dragged: DragItem | null
  /** The role whose card was started and has no exclude yet. */
  readonly pending: string | null
  readonly popup: BoardPopup | null
  readonly closePopup: (popup: BoardPopup) => void
  readonly edit: (role: string, edit: OverlayEdit) => void
  readonly onDragStart: (event: DragStartEvent) => void
  readonly onDragEnd: (event: DragEndEvent) => void
  readonly onDragCancel: () => void
}

// Options that were made again would have every chip drawn again.
const MOUSE = { activationConstraint: { distance: 4 } }
/** A finger that moves at once scrolls; one that rests drags. */
const TOUCH = { activationConstraint: { delay: 200, tolerance: 8 } }
const KEYS = {
  start: [KeyboardCode.Space, KeyboardCode.Enter],
  end: [KeyboardCode.Space, KeyboardCode.Enter],
  // Tab leaves: an unintended drop would be worse than a drag begun again.
  cancel: [KeyboardCode.Esc, KeyboardCode.Tab],
}

/** Everything that moves on the board; what it shows is derived from the store. */
export function useBoard(): BoardControl {
  const planner = usePlanner()
  const [lists] = useState(createBoardLists)
  const [aim] = useState(() => createAim(lists.cards))
  const [dragged, setDragged] = useState<DragItem | null>(null)
  const [pending, setPending] = useState<string | null>(null)
  const [popup, setPopup] = useState<BoardPopup | null>(null)
  const requestFocus = useFocusRequest(lists)
  const keyboard = useMemo(() => ({ coordinateGetter: aim.coordinateGetter, keyboardCodes: KEYS }), [aim])
  const sensors = useSensors(
    useSensor(MouseSensor, MOUSE),
    useSensor(TouchSensor, TOUCH),
    useSensor(KeyboardSensor, keyboard),
  )

  const [announcer] = useState(() => createAnnouncer(() => selectBoard(planner.store.getState())))

  // One set of actions for the board's life: chips are not drawn again when a drag begins or a menu opens.
  const handlers = useMemo(() => {
    const board = (): Board => selectBoard(planner.store.getState())

    const drop = (item: DragItem, target: DropTarget | null): string => {
      const outcome = dropOutcome(item, target, board())
      switch (outcome.kind) {
        case 'nothing':
          return outcome.done
        case 'start_pair':
          setPending(outcome.role)
          return outcome.done
        case 'edit':
          if (!planner.overlay.edit(...outcome.edits))
            return 'the text cannot be edited there; nothing changed'
          if (target?.kind === 'card') setPending(null)
          return outcome.done
      }
    }

    /** What had the focus is gone: the next name on the card has it, the one before, or the card's role. */
    const focusBesideExclude = (card: string, role: string): void => {
      const listed = excludesOf(board(), card)
      const at = listed.indexOf(role)
      const beside = [listed[at + 1], listed[at - 1]].flatMap((name): DragItem[] =>
        name === undefined ? [] : [{ kind: 'exclude', card, role: name }],
      )
      requestFocus([...beside, { kind: 'role', role: card }])
    }
    const focusAfter = (item: DragItem, target: DropTarget | null): void => {
      if (item.kind === 'role') requestFocus([item], target?.kind === 'start_pair' ? item.role : undefined)
      else if (target?.kind === 'card') requestFocus([{ ...item, card: target.role }])
      else focusBesideExclude(item.card, item.role)
    }

    const actions: BoardActions = {
      select: planner.view.selectRole,
      openMenu: (role, at) => setPopup({ kind: 'menu', role, at }),
      setSticky: (role, sticky) => planner.overlay.edit({ kind: 'set_sticky', role, sticky }),
      removeExclude: (card, role) => {
        focusBesideExclude(card, role)
        planner.overlay.edit({ kind: 'remove_exclude', role: card, exclude: excludeName(role) })
      },
      chooseExcludes: (role) => setPopup({ kind: 'forbid', role }),
      dropPending: () => setPending(null),
    }
    return {
      actions,
      edit: (role: string, edit: OverlayEdit): void => {
        planner.overlay.edit(edit)
        if (edit.kind === 'add_exclude') setPending((was) => (was === role ? null : was))
      },
      onDragStart: ({ active, activatorEvent }: DragStartEvent): void => {
        const item = itemOf(active.data.current)
        if (item === null) return
        if (activatorEvent instanceof KeyboardEvent) aim.beginByKeyboard(targetId(homeOf(item, board())))
        setDragged(item)
      },
      onDragEnd: ({ active, over }: DragEndEvent): void => {
        const item = itemOf(active.data.current)
        const target = targetOf(over?.data.current)
        setDragged(null)
        aim.end()
        if (item === null) return
        focusAfter(item, target)
        announcer.announceResult(drop(item, target))
      },
      onDragCancel: (): void => {
        setDragged(null)
        aim.end()
      },
    }
  }, [aim, announcer, planner, requestFocus])

  const closePopup = (closed: BoardPopup): void => {
    // A menu closes after what was chosen in it has opened a dialog.
    setPopup((now) => (now === closed ? null : now))
    requestFocus([{ kind: 'role', role: closed.role }])
  }
  return {
    ...handlers,
    announcements: announcer.announcements,
    aim,
    lists,
    sensors,
    dragged,
    pending,
    popup,
    closePopup,
  }
}
