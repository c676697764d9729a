import type { HostEventName, HostEvents } from '../../shared/host-api.ts'

/** One push to the page, whichever way it travels. */
export type HostEvent = {
  [K in HostEventName]: { readonly name: K; readonly payload: HostEvents[K] }
}[HostEventName]

type HostEventListener = (event: HostEvent) => void

/** Where the host's pushes come from. */
export interface HostEventSource {
  /** Returns the way to stop listening. */
  readonly listen: (listener: HostEventListener) => () => void
}

export interface HostEventHub extends HostEventSource {
  readonly tell: (event: HostEvent) => void
}

/** Hands every event to all current listeners. */
export function createEventHub(): HostEventHub {
  const listeners = new Set<HostEventListener>()
  return {
    listen: (listener) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
    tell: (event) => {
      for (const listener of [...listeners]) listener(event)
    },
  }
}
