/** How much room the window has: panes beside each other, all but the roster as tabs, or every pane a tab. */
export type Room = 'wide' | 'medium' | 'tabs' | 'single'

/** Below this the panes no longer fit beside each other. */
const PANES_PX = { width: 1000, height: 560 }
/** Below this heads and controls are drawn closer together. */
const ROOMY_PX = 1180
/** Below this not even the roster fits beside another pane. */
const ROSTER_PX = 640

/** The room in a window of that many CSS pixels, as they are after zooming. */
export function roomFor(width: number, height: number): Room {
  if (width < ROSTER_PX) return 'single'
  if (width < PANES_PX.width || height < PANES_PX.height) return 'tabs'
  return width <= ROOMY_PX ? 'medium' : 'wide'
}
