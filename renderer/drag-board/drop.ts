import { excludeName } from '../../shared/overlay/edit-step.ts'
import { DEFAULT_LATENCY_CLASS, type LatencyClass } from '../../shared/inference-spec.ts'
import type { OverlayEdit } from '../../shared/overlay/edit-overlay.ts'
import { excludesOf, findRole, type Board } from './board-model.ts'

/** What can be dragged: a role, or an exclude out of the card of the role that lists it. */
export type DragItem =
  | { readonly kind: 'role'; readonly role: string }
  | { readonly kind: 'exclude'; readonly card: string; readonly role: string }

/** Where something can be dropped. */
export type DropTarget =
  | { readonly kind: 'latency'; readonly latencyClass: LatencyClass }
  /** Back to default for a role, removal for an exclude. */
  | { readonly kind: 'well' }
  | { readonly kind: 'card'; readonly role: string }
  /** The part of a role's card in a latency column that is about the pair. */
  | { readonly kind: 'pair'; readonly role: string }
  | { readonly kind: 'start_pair' }

/** What a drop would do, said in a few words (`caption`) and afterwards in a sentence (`done`). */
export type DropOutcome =
  | {
      readonly kind: 'edit'
      readonly edits: readonly OverlayEdit[]
      readonly caption: string
      readonly done: string
    }
  | { readonly kind: 'start_pair'; readonly role: string; readonly caption: string; readonly done: string }
  | { readonly kind: 'nothing'; readonly caption: string; readonly done: string }

export function itemId(item: DragItem): string {
  return JSON.stringify(item.kind === 'role' ? ['role', item.role] : ['exclude', item.card, item.role])
}

export function targetId(target: DropTarget): string {
  switch (target.kind) {
    case 'latency':
      return JSON.stringify(['latency', target.latencyClass])
    case 'card':
    case 'pair':
      return JSON.stringify([target.kind, target.role])
    case 'well':
    case 'start_pair':
      return JSON.stringify([target.kind])
  }
}

/** Whether `target` lights up while `item` is over it. */
export function accepts(item: DragItem, target: DropTarget): boolean {
  return item.kind === 'role' || target.kind === 'well' || target.kind === 'card'
}

/** Where an item lies before it is moved: what a keyboard drag starts at. */
export function homeOf(item: DragItem, board: Board): DropTarget {
  if (item.kind === 'exclude') return { kind: 'card', role: item.card }
  return { kind: 'latency', latencyClass: findRole(board, item.role)?.latencyClass ?? DEFAULT_LATENCY_CLASS }
}

/** What dropping `item` on `target` does to the overlay; null is a place that is no target. */
export function dropOutcome(item: DragItem, target: DropTarget | null, board: Board): DropOutcome {
  return item.kind === 'role'
    ? dropRole(item.role, target, board)
    : dropExclude(item.card, item.role, target, board)
}

function nothing(caption: string, done: string): DropOutcome {
  return { kind: 'nothing', caption, done: `${done}; nothing changed` }
}

function dropRole(role: string, target: DropTarget | null, board: Board): DropOutcome {
  if (target === null) return nothing('', `${role} was dropped outside every place`)
  const chip = findRole(board, role)
  if (chip === null) return nothing('', `${role} is no role of the roster any more`)
  switch (target.kind) {
    case 'latency': {
      const { latencyClass } = target
      // Its own column is where a drag begins: dropping it back there is a change of mind.
      if (chip.latencyClass === latencyClass)
        return nothing(`stays ${latencyClass}`, `${role} stays ${latencyClass}`)
      return {
        kind: 'edit',
        edits: [{ kind: 'set_latency_class', role, latencyClass }],
        caption: `make ${latencyClass}`,
        done: `${role} is now ${latencyClass}`,
      }
    }
    case 'well':
      if (chip.latencySource !== 'overlay') {
        return nothing('default already', `the overlay says nothing about the latency class of ${role}`)
      }
      return {
        kind: 'edit',
        edits: [{ kind: 'unset_latency_class', role }],
        caption: 'back to default',
        done: `the latency class of ${role} is back to default`,
      }
    case 'card':
    case 'pair':
      return dropOnCard(role, target.role, board)
    case 'start_pair':
      return {
        kind: 'start_pair',
        role,
        caption: 'start a pair',
        done: `${role} has a card under Cannot be beside; drop the other role on it`,
      }
  }
}

function dropOnCard(role: string, card: string, board: Board): DropOutcome {
  if (card === role) return nothing('its own card', `${role} cannot exclude itself`)
  if (excludesOf(board, card).includes(role)) {
    return nothing(`already kept apart from ${card}`, `${card} excludes ${role} already`)
  }
  return {
    kind: 'edit',
    edits: [{ kind: 'add_exclude', role: card, exclude: excludeName(role) }],
    caption: `cannot be beside ${card}`,
    done: `${role} cannot be beside ${card} now`,
  }
}

function dropExclude(card: string, role: string, target: DropTarget | null, board: Board): DropOutcome {
  const remove: OverlayEdit = { kind: 'remove_exclude', role: card, exclude: excludeName(role) }
  if (target?.kind !== 'card') {
    return { kind: 'edit', edits: [remove], caption: 'remove', done: `${role} may be beside ${card} again` }
  }
  if (target.role === card) return nothing('stays', `${role} stays on the card of ${card}`)
  const added = dropOnCard(role, target.role, board)
  if (added.kind !== 'edit') return added
  return {
    kind: 'edit',
    edits: [remove, ...added.edits],
    caption: `move to ${target.role}`,
    done: `${role} cannot be beside ${target.role} now, and may be beside ${card} again`,
  }
}
