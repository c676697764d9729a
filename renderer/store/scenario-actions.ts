import type { StoreApi } from 'zustand/vanilla'
import { DEFAULT_SCENARIO } from '../../shared/plan/scenario.ts'
import type { Scenario } from '../../shared/plan/types.ts'
import type { TransferPolicy } from '../../shared/locality/types.ts'
import type { Forced } from '../../shared/placement/types.ts'
import type { PlannerState } from './planner-state.ts'
import { selectInputs, selectPlan } from './selectors.ts'

/** Changes to the what-if. None of them touches a file. */
export interface ScenarioActions {
  readonly setPolicy: (patch: Partial<TransferPolicy>) => void
  readonly setSharingVeto: (sharingVeto: boolean) => void
  readonly setRequireFreshFacts: (requireFreshFacts: boolean) => void
  readonly forceNode: (node: string, forced: Forced) => void
  readonly reset: () => void
  /** Keeps the plan on screen to compare later ones with; replaces the one kept before. */
  readonly pinBaseline: () => void
  readonly unpinBaseline: () => void
}

export function createScenarioActions(store: StoreApi<PlannerState>): ScenarioActions {
  const change = (patch: Partial<Scenario>): void =>
    store.setState(({ scenario }) => ({ scenario: { ...scenario, ...patch } }))
  return {
    setPolicy: (patch) => change({ policy: { ...store.getState().scenario.policy, ...patch } }),
    setSharingVeto: (sharingVeto) => change({ sharingVeto }),
    setRequireFreshFacts: (requireFreshFacts) => change({ requireFreshFacts }),
    forceNode: (node, forced) => {
      const forcedNodes = new Map(store.getState().scenario.forcedNodes)
      if (forced === null) forcedNodes.delete(node)
      else forcedNodes.set(node, forced)
      change({ forcedNodes })
    },
    reset: () => store.setState({ scenario: DEFAULT_SCENARIO }),
    pinBaseline: () => {
      const inputs = selectInputs(store.getState())
      const plan = selectPlan(store.getState())
      if (inputs && plan) store.setState({ baseline: { inputs, plan } })
    },
    unpinBaseline: () => store.setState({ baseline: null }),
  }
}
