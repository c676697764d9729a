export type Direction = 'up' | 'down' | 'left' | 'right'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Rounding: boxes that overlap by no more than this are beside each other, and as near as each other. */
const SLACK = 1

/**
 * The box that one press of an arrow goes to from `from`: of those wholly on that side one that lies in its
 * line, else one least off it; the nearest of these; of equally near ones the first from the top or the left.
 * Null when there is none.
 */
export function nextTarget<T extends { readonly box: Box }>(
  direction: Direction,
  from: Box,
  targets: readonly T[],
): T | null {
  const reachable = targets
    .map((target) => ({
      target,
      distance: distanceTo(direction, from, target.box),
      ...across(direction, from, target.box),
    }))
    .filter(({ distance }) => distance >= -SLACK)
  const inLine = Math.min(...reachable.map(({ aside }) => aside))
  const lined = reachable.filter(({ aside }) => aside <= inLine + SLACK)
  const nearest = Math.min(...lined.map(({ distance }) => distance))
  const near = lined.filter(({ distance }) => distance <= nearest + SLACK)
  return near.toSorted((a, b) => a.start - b.start)[0]?.target ?? null
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
