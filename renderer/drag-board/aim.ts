import {
  KeyboardCode,
  type CollisionDetection,
  type DroppableContainer,
  type KeyboardCoordinateGetter,
  type Modifier,
  type UniqueIdentifier,
} from '@dnd-kit/core'
import type { RefObject } from 'react'
import { accepts, targetId, type DragItem, type DropTarget } from './drop.ts'
import type { LongListHandle } from './long-list.tsx'
import { nextTarget, type Box, type Direction } from './next-target.ts'

/** What draggables and droppables of the board carry as their data. */
export interface ItemData {
  readonly item: DragItem
}
export interface TargetData {
  readonly target: DropTarget
}

const DIRECTIONS: Readonly<Record<string, Direction>> = {
  [KeyboardCode.Up]: 'up',
  [KeyboardCode.Down]: 'down',
  [KeyboardCode.Left]: 'left',
  [KeyboardCode.Right]: 'right',
}

/** What is dragged keeps this far from the window's edge, in pixels. */
const EDGE = 8

/** Finds out which place a drag means: the one under the pointer, or the one the arrow keys have reached. */
export interface Aim {
  /** A keyboard drag begins at `home`. */
  readonly beginByKeyboard: (home: UniqueIdentifier) => void
  readonly end: () => void
  readonly coordinateGetter: KeyboardCoordinateGetter
  readonly collisionDetection: CollisionDetection
  /**
   * Puts what is shown of the drag on the place the arrow keys have reached, and keeps it inside the window.
   */
  readonly place: Modifier
}

/** `cards` is the list of cards, of which those out of view are not drawn. */
export function createAim(cards: RefObject<LongListHandle | null>): Aim {
  let chosen: UniqueIdentifier | null = null
  let chosenNode: HTMLElement | null = null

  return {
    beginByKeyboard: (home) => {
      chosen = home
      chosenNode = null
    },
    end: () => {
      chosen = null
      chosenNode = null
    },
    coordinateGetter: (event, { active, context, currentCoordinates }) => {
      const direction = DIRECTIONS[event.code]
      const item = itemOf(context.draggableNodes.get(active)?.data.current)
      if (direction === undefined || item === null || chosen === null) return undefined
      event.preventDefault()
      const places = [
        ...fixedPlaces(context.droppableContainers.getEnabled(), item),
        ...cardPlaces(cards.current),
      ]
      const from = places.find(({ id }) => id === chosen)
      if (from === undefined) return undefined
      const next = nextTarget(
        direction,
        from.box,
        places.filter((candidate) => candidate !== from),
      )
      if (next === null) return undefined
      chosen = next.id
      chosenNode = next.reveal()
      // The place comes from `chosen`; the coordinates have only to change for it to be looked at again.
      return { x: currentCoordinates.x + 1, y: currentCoordinates.y }
    },
    collisionDetection: ({ active, droppableContainers, pointerCoordinates }) => {
      const item = itemOf(active.data.current)
      if (item === null) return []
      const found =
        pointerCoordinates === null
          ? droppableContainers.find(({ id }) => id === chosen)
          : containerAt(droppableContainers, pointerCoordinates)
      const target = found === undefined ? null : targetOf(found.data.current)
      if (found === undefined || target === null || !accepts(item, target)) return []
      return [{ id: found.id, data: { droppableContainer: found, value: 0 } }]
    },
    place: ({ transform, activeNodeRect, overlayNodeRect, windowRect }) => {
      if (activeNodeRect === null) return transform
      const chosenBox = chosenNode?.getBoundingClientRect()
      const x = chosenBox ? chosenBox.left + 16 - activeNodeRect.left : transform.x
      const y = chosenBox ? chosenBox.top + 12 - activeNodeRect.top : transform.y
      if (overlayNodeRect === null || windowRect === null) return { ...transform, x, y }
      const maxX = windowRect.right - EDGE - overlayNodeRect.width - activeNodeRect.left
      const maxY = windowRect.bottom - EDGE - overlayNodeRect.height - activeNodeRect.top
      return { ...transform, x: Math.min(x, maxX), y: Math.min(y, maxY) }
    },
  }
}

/** Somewhere that the arrow keys go to. */
interface Place {
  readonly id: UniqueIdentifier
  readonly box: Box
  /** Scrolls to it and gives its element. */
  readonly reveal: () => HTMLElement | null
}

/** The columns and wells that accept `item`: always drawn, unlike the cards. */
function fixedPlaces(containers: readonly DroppableContainer[], item: DragItem): Place[] {
  return containers.flatMap(({ id, node, data }) => {
    const target = targetOf(data.current)
    const element = node.current
    // A role's menu has for the keyboard what a part of a card has for the pointer.
    if (target === null || target.kind === 'card' || target.kind === 'pair') return []
    if (element === null || !accepts(item, target)) return []
    const reveal = (): HTMLElement => {
      element.scrollIntoView({ block: 'nearest', inline: 'nearest' })
      return element
    }
    return [{ id, box: element.getBoundingClientRect(), reveal }]
  })
}

/** All cards, which accept everything. */
function cardPlaces(cards: LongListHandle | null): Place[] {
  if (cards === null) return []
  return cards.boxes().map(({ key, box }) => ({
    id: targetId({ kind: 'card', role: key }),
    box,
    reveal: () => cards.reveal(key),
  }))
}

/** By what is really seen there: a card that is scrolled out of sight is no place to drop on. */
function containerAt(
  containers: readonly DroppableContainer[],
  at: { readonly x: number; readonly y: number },
): DroppableContainer | undefined {
  const seen = document.elementFromPoint(at.x, at.y)
  if (seen === null) return undefined
  // A part of a card lies in its column: the innermost counts.
  return containers
    .filter(({ node }) => node.current?.contains(seen))
    .reduce<DroppableContainer | undefined>(
      (inner, each) => (inner?.node.current?.contains(each.node.current) === false ? inner : each),
      undefined,
    )
}

export function itemOf(data: unknown): DragItem | null {
  return (data as Partial<ItemData> | undefined)?.item ?? null
}

export function targetOf(data: unknown): DropTarget | null {
  return (data as Partial<TargetData> | undefined)?.target ?? null
}
