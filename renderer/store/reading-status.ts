import type { StoreApi } from 'zustand/vanilla'
import { LONG_MS } from './run-in-slices.ts'
import type { PlannerState } from './planner-state.ts'

/** Sets in the state that a lab is being read, once that takes long. */
export interface ReadingStatus {
  readonly isOn: () => boolean
  /** Reading begins, or goes on with something newer. */
  readonly begin: () => void
  /** How much has been read, 0 to 1. */
  readonly tell: (share: number) => void
  readonly end: () => void
}

export function createReadingStatus(store: StoreApi<PlannerState>): ReadingStatus {
  let share: number | null = null
  let timer: ReturnType<typeof setTimeout> | null = null
  const publish = (): void => store.setState({ reading: { share } })
  return {
    isOn: () => timer !== null,
    begin: () => {
      timer ??= setTimeout(publish, LONG_MS)
    },
    tell: (now) => {
      share = now
      if (store.getState().reading !== null) publish()
    },
    end: () => {
      if (timer !== null) clearTimeout(timer)
      timer = null
      share = null
      if (store.getState().reading !== null) store.setState({ reading: null })
    },
  }
}
