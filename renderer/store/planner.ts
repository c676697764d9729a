import { createStore, type StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../shared/host-api.ts'
import { createLabActions, type LabActions } from './lab-actions.ts'
import { createOverlayActions, type OverlayActions } from './overlay-actions.ts'
import { createLiveActions, type LiveActions } from './live-actions.ts'
import { createNamedScenarioActions, type NamedScenarioActions } from './named-scenario-actions.ts'
import { startState, type PlannerState } from './planner-state.ts'
import { createScenarioActions, type ScenarioActions } from './scenario-actions.ts'
import { createViewActions, type ViewActions } from './view-actions.ts'

type PlannerStore = StoreApi<PlannerState>

/** The page's state and everything that can be done to it, grouped by what it concerns. */
export interface Planner {
  readonly store: PlannerStore
  readonly client: HostClient
  readonly lab: LabActions
  readonly overlay: OverlayActions
  readonly scenario: ScenarioActions
  readonly named: NamedScenarioActions
  readonly view: ViewActions
  readonly live: LiveActions
}

export function createPlanner(client: HostClient): Planner {
  const store = createStore<PlannerState>()(startState)
  const view = createViewActions(store, client)
  const overlay = createOverlayActions(store, client, view)
  const scenario = createScenarioActions(store)
  return {
    store,
    client,
    view,
    overlay,
    lab: createLabActions(store, client, view),
    scenario,
    named: createNamedScenarioActions(store, client, scenario, view),
    live: createLiveActions(store, client, view),
  }
}
