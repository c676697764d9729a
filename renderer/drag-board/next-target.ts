export type Direction = 'up' | 'down' | 'left' | 'right'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Boxes that overlap by no more than this still count as beside each other. */
const OVERLAP = 1
/** Boxes whose distances differ by less are equally near: cards are inset in their column, wells are not. */
const AS_NEAR = 20

/**
 * The box that one press of an arrow goes to from `from`: the nearest one wholly on that side; of several
 * equally near ones the one least off its line; of those the first from the top or the left. Null when there
 * is none.
 */
export function nextTarget<T extends { readonly box: Box }>(
  direction: Direction,
  from: Box,
  targets: readonly T[],
): T | null {
  const reachable = targets
    .map((target) => ({ target, distance: distanceTo(direction, from, target.box) }))
    .filter(({ distance }) => distance >= -OVERLAP)
  const nearest = Math.min(...reachable.map(({ distance }) => distance))
  const near = reachable
    .filter(({ distance }) => distance < nearest + AS_NEAR)
    .map(({ target }) => ({ target, ...across(direction, from, target.box) }))
    .toSorted((a, b) => a.aside - b.aside || a.start - b.start)
  return near[0]?.target ?? null
}

function distanceTo(direction: Direction, from: Box, to: Box): number {
  switch (direction) {
    case 'right':
      return to.left - from.right
    case 'left':
      return from.left - to.right
    case 'down':
      return to.top - from.bottom
    case 'up':
      return from.top - to.bottom
  }
}

/**
 * How far `to` is off the line of `from` (0 where they overlap), and where it begins, across the direction.
 */
function across(
  direction: Direction,
  from: Box,
  to: Box,
): { readonly aside: number; readonly start: number } {
  const isSideways = direction === 'left' || direction === 'right'
  const aside = isSideways
    ? Math.max(to.top - from.bottom, from.top - to.bottom)
    : Math.max(to.left - from.right, from.left - to.right)
  return { aside: Math.max(0, aside), start: isSideways ? to.top : to.left }
}
