import type { Announcements } from '@dnd-kit/core'
import { LATENCY_TRAITS } from '../../shared/inference-spec.ts'
import { itemOf, targetOf } from './aim.ts'
import { findRole, type Board } from './board-model.ts'
import { latencySentence } from './board-words.ts'
import { dropOutcome, type DragItem, type DropTarget } from './drop.ts'

/** What a screen reader says while something is dragged. */
export interface Announcer {
  readonly announcements: Announcements
  /** Sets what is announced at the end of the drag: the result of the drop. */
  readonly announceResult: (result: string) => void
}

/** `board` gives the board at the time of an announcement. */
export function createAnnouncer(board: () => Board): Announcer {
  let result = ''
  const announcements: Announcements = {
    onDragStart: ({ active }) => {
      const item = itemOf(active.data.current)
      if (item === null) return undefined
      if (item.kind === 'exclude') return `Picked up ${item.role} from the card of ${item.card}.`
      const chip = findRole(board(), item.role)
      const state =
        chip === null ? '' : ` ${latencySentence(item.role, chip.latencyClass, chip.latencySource)}.`
      return `Picked up ${item.role}.${state}`
    },
    onDragOver: ({ active, over }) => {
      const item = itemOf(active.data.current)
      if (item === null) return undefined
      const target = targetOf(over?.data.current)
      const { caption } = dropOutcome(item, target, board())
      const place = target === null ? 'No place here' : placeName(item, target)
      return caption === '' || caption === place.toLowerCase() ? `${place}.` : `${place}: ${caption}.`
    },
    onDragEnd: () => `Dropped: ${result}.`,
    onDragCancel: () => 'Cancelled; nothing changed.',
  }
  return {
    announcements,
    announceResult: (announced) => {
      result = announced
    },
  }
}

function placeName(item: DragItem, target: DropTarget): string {
  switch (target.kind) {
    case 'latency':
      return `Column ${LATENCY_TRAITS[target.latencyClass].title}`
    case 'well':
      return item.kind === 'role' ? 'Back to default' : 'Remove'
    case 'card':
    case 'pair':
      return `Card of ${target.role}`
    case 'start_pair':
      return 'New pair'
  }
}
