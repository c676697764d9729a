import { useSyncExternalStore } from 'react'
import { roomFor, type Room } from '../store/room.ts'
import { usePlannerState } from '../store/use-planner.ts'

function onResize(listener: () => void): () => void {
  window.addEventListener('resize', listener)
  return () => window.removeEventListener('resize', listener)
}

/** How much room the window has at its present size and zoom. */
export function useRoom(): Room {
  const zoom = usePlannerState((state) => state.settings.zoom)
  return useSyncExternalStore(onResize, () => roomFor(window.innerWidth / zoom, window.innerHeight / zoom))
}
