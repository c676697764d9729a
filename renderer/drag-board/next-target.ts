export type Direction = 'up' | 'down' | 'left' | 'right'

export interface Box {
  readonly left: number
  readonly top: number
  readonly right: number
  readonly bottom: number
}

/** Boxes that touch count as beside each other in spite of rounding. */
const SLACK = 1

/**
 * The box that one press of an arrow goes to from `from`: the nearest one wholly on that side, and of several equally
 * near ones the one that is least off to the side (the first of equals). Null when there is none.
 */
export function nextTarget<T extends { readonly box: Box }>(
  direction: Direction,
  from: Box,
  targets: readonly T[],
): T | null {
  let best: { readonly target: T; readonly distance: number; readonly aside: number } | null = null
  for (const target of targets) {
    const distance = distanceTo(direction, from, target.box)
    if (distance < -SLACK) continue
    const aside = asideOf(direction, from, target.box)
    const nearer = best === null || distance < best.distance - SLACK
    const asNear = best !== null && Math.abs(distance - best.distance) <= SLACK && aside < best.aside
    if (nearer || asNear) best = { target, distance, aside }
  }
  return best?.target ?? null
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

/** How far `to` begins off the line of `from`, across the direction. */
function asideOf(direction: Direction, from: Box, to: Box): number {
  const across = direction === 'left' || direction === 'right'
  return across ? Math.abs(to.top - from.top) : Math.abs(to.left - from.left)
}
