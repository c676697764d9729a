import type { LatencyClass } from '../../shared/inference-spec.ts'
import type { LatencySource } from '../../shared/roster/types.ts'

/** Where a latency class comes from, for a chip. */
export const SHORT_SOURCES: Readonly<Record<LatencySource, string>> = {
  overlay: 'overlay',
  roster_text: 'roster text',
  default: 'default',
}

const SOURCES: Readonly<Record<LatencySource, string>> = {
  overlay: 'by the overlay',
  roster_text: 'by the roster’s text',
  default: 'by default',
}

/** `hermes is batch by default`. */
export function latencySentence(role: string, latencyClass: LatencyClass, source: LatencySource): string {
  return `${role} is ${latencyClass} ${SOURCES[source]}`
}

/** What the switch of a role says when pointed at. */
export function stickyHint(sticky: boolean, fromOverlay: boolean): string {
  const state = sticky ? 'Sticky: stays where its cache is warm' : 'Not sticky: may be moved'
  return `${state} (${fromOverlay ? SOURCES.overlay : SOURCES.default})`
}

export const DRAG_INSTRUCTIONS =
  'Press Space or Enter to pick up, the arrow keys to choose a place, Space or Enter to drop, ' +
  'Escape to cancel. The menu beside it does the same without dragging. Otherwise the arrow keys move from role to role.'
