import type { WindowState } from './host/settings.ts'

/** A rectangle in screen coordinates. */
export interface Area {
  readonly x: number
  readonly y: number
  readonly width: number
  readonly height: number
}

const FIRST_SIZE = { width: 1440, height: 900 }
const LEAST_SIZE = { width: 720, height: 480 }
/** So much of the window's top must be on a display for a person to take hold of it. */
const GRIP = { width: 120, height: 40 }

/**
 * Where to put the window: where it was, if that can still be seen on one of the displays, and otherwise
 * centred on the first one. Never larger than the display.
 *
 * @param displays the work areas of the displays, the main one first.
 */
export function restoredBounds(saved: WindowState | null, displays: readonly Area[]): Area {
  const [there] = saved === null ? [] : placesOn(displays, saved)
  if (there) return there
  const [main = { x: 0, y: 0, ...FIRST_SIZE }] = displays
  const size = fitted(saved ?? FIRST_SIZE, main)
  return {
    x: main.x + Math.round((main.width - size.width) / 2),
    y: main.y + Math.round((main.height - size.height) / 2),
    ...size,
  }
}

/** Where `saved` would be on each display on which it could be taken hold of, no larger than the display. */
function placesOn(displays: readonly Area[], { x, y, ...size }: WindowState): Area[] {
  return displays.flatMap((area) => {
    const place = { x, y, ...fitted(size, area) }
    return canBeGrasped(place, area) ? [place] : []
  })
}

export const MIN_WINDOW_SIZE = LEAST_SIZE

function fitted(size: Pick<Area, 'width' | 'height'>, area: Area): Pick<Area, 'width' | 'height'> {
  return {
    width: Math.min(Math.max(size.width, LEAST_SIZE.width), area.width),
    height: Math.min(Math.max(size.height, LEAST_SIZE.height), area.height),
  }
}

function canBeGrasped(window: Area, area: Area): boolean {
  const left = Math.max(window.x, area.x)
  const right = Math.min(window.x + window.width, area.x + area.width)
  const isTopSeen = window.y >= area.y && window.y + GRIP.height <= area.y + area.height
  return isTopSeen && right - left >= GRIP.width
}
