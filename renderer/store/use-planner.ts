import { createContext, useContext } from 'react'
import { useStore } from 'zustand'
import type { Planner } from './planner.ts'
import type { PlannerState } from './planner-state.ts'

const PlannerContext = createContext<Planner | null>(null)
export const PlannerProvider = PlannerContext.Provider

/** The planner of this window: its store and its actions. */
export function usePlanner(): Planner {
  const planner = useContext(PlannerContext)
  if (planner === null) throw new Error('usePlanner is used outside PlannerProvider')
  return planner
}

/** A part of the state; `selector` must return a stable reference for an unchanged state. */
export function usePlannerState<T>(selector: (state: PlannerState) => T): T {
  return useStore(usePlanner().store, selector)
}
