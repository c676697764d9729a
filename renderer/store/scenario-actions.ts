import type { StoreApi } from 'zustand/vanilla'
import { withContexts } from '../../shared/scenario/with-contexts.ts'
import { DEFAULT_SCENARIO } from '../../shared/scenario/scenario.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import type { TransferPolicy } from '../../shared/locality/types.ts'
import type { CacheType } from '../../shared/memory/cache-type.ts'
import type { Forced } from '../../shared/eligibility/types.ts'
import type { PlannerState } from './planner-state.ts'
import { selectInputs, selectPlan } from './selectors.ts'
import { createScenarioPlanning } from './scenario-planning.ts'

/** Changes to the scenario. None of them touches a file. */
export interface ScenarioActions {
  readonly setPolicy: (patch: Partial<TransferPolicy>) => void
  readonly setSharingVeto: (sharingVeto: boolean) => void
  readonly setRequireFreshFacts: (requireFreshFacts: boolean) => void
  /** Megabits (1e6) a second of links without a reported rate; null when it is unknown. */
  readonly setLinkRate: (mbps: number | null) => void
  readonly forceNode: (node: string, forced: Forced) => void
  /** Plans without a node, or with it again. */
  readonly setAway: (node: string, away: boolean) => void
  /** Assumes bytes free in the node's pool for roles; null goes back to what the node reports. */
  readonly assumeMemory: (node: string, bytes: bigint | null) => void
  /** Assumes bytes free where a fetched model would land; null goes back to what the node reports. */
  readonly assumeFreeSpace: (node: string, bytes: bigint | null) => void
  readonly switchRole: (role: string, on: boolean) => void
  /** Lets a role run on one node only; null lets it go. */
  readonly pinRole: (role: string, node: string | null) => void
  /** How a role's server is started, as far as its memory depends on it; null goes back to what is usual. */
  readonly setRoleMemory: (role: string, patch: Partial<RoleMemoryPatch>) => void
  /** Plans a role with what its model's files say it takes, or with `ram_gb` again. */
  readonly computeMemory: (role: string, on: boolean) => void
  /** Plans roles with what their models' files say they take at these contexts, in tokens. */
  readonly planContexts: (contexts: ReadonlyMap<string, number>) => void
  /** Plans a role with `ram_gb` and the usual context again. */
  readonly forgetContext: (role: string) => void
  /** Takes a whole scenario over: one that was opened, suggested or tried. */
  readonly apply: (scenario: Scenario) => void
  readonly undo: () => void
  readonly redo: () => void
  readonly reset: () => void
  /** Keeps the plan on screen to compare later ones with; replaces the one kept before. */
  readonly pinBaseline: () => void
  readonly unpinBaseline: () => void
}

/** Settings of a role's server. */
interface RoleMemoryPatch {
  readonly context: number | null
  readonly keyType: CacheType | null
  readonly valueType: CacheType | null
  readonly parallel: number | null
}

/** A pause longer than this ends what is typed into a field as one step. */
const TYPING_PAUSE_MS = 1_500

/** Task of the scenario that can be taken back. */
const MOST_STEPS = 200

function withMember(set: ReadonlySet<string>, member: string, there: boolean): ReadonlySet<string> {
  const next = new Set(set)
  if (there) next.add(member)
  else next.delete(member)
  return next
}

function withEntry<V>(map: ReadonlyMap<string, V>, key: string, value: V | null): ReadonlyMap<string, V> {
  const next = new Map(map)
  if (value === null) next.delete(key)
  else next.set(key, value)
  return next
}

export function createScenarioActions(store: StoreApi<PlannerState>): ScenarioActions {
  const turnTo = createScenarioPlanning(store)
  const apply = (scenario: Scenario): void => {
    const { scenario: before, scenarioPast } = store.getState()
    if (before === scenario) return
    turnTo({ scenario, scenarioPast: [...scenarioPast, before].slice(-MOST_STEPS), scenarioFuture: [] })
  }
  const change = (patch: Partial<Scenario>): void => apply({ ...store.getState().scenario, ...patch })
  let typing: { readonly field: string; readonly at: number; readonly into: Scenario } | null = null
  /** A change by a field that applies with every key: what is typed into one without a pause is one step. */
  const type = (field: string, patch: Partial<Scenario>): void => {
    const { scenario } = store.getState()
    const now = Date.now()
    const goesOn = typing?.field === field && typing.into === scenario && now - typing.at < TYPING_PAUSE_MS
    const next = { ...scenario, ...patch }
    if (goesOn) turnTo({ scenario: next })
    else apply(next)
    typing = { field, at: now, into: next }
  }
  return {
    setPolicy: (patch) => {
      const policy = { ...store.getState().scenario.policy, ...patch }
      if (patch.allowWeightTransfer === undefined) type(`policy ${Object.keys(patch).join()}`, { policy })
      else change({ policy })
    },
    setSharingVeto: (sharingVeto) => change({ sharingVeto }),
    setRequireFreshFacts: (requireFreshFacts) => change({ requireFreshFacts }),
    setLinkRate: (linkMbps) => type('links', { linkMbps }),
    forceNode: (node, forced) =>
      change({ forcedNodes: withEntry(store.getState().scenario.forcedNodes, node, forced) }),
    setAway: (node, away) =>
      change({ awayNodes: withMember(store.getState().scenario.awayNodes, node, away) }),
    assumeMemory: (node, bytes) =>
      type(`memory ${node}`, { memory: withEntry(store.getState().scenario.memory, node, bytes) }),
    assumeFreeSpace: (node, bytes) =>
      type(`space ${node}`, { freeSpace: withEntry(store.getState().scenario.freeSpace, node, bytes) }),
    switchRole: (role, on) => change({ offRoles: withMember(store.getState().scenario.offRoles, role, !on) }),
    pinRole: (role, node) => change({ pinned: withEntry(store.getState().scenario.pinned, role, node) }),
    setRoleMemory: (role, patch) => {
      const { roleContext, roleKeyType, roleValueType, roleParallel } = store.getState().scenario
      const { context, keyType, valueType, parallel } = patch
      type(`role memory ${role} ${Object.keys(patch).join()}`, {
        roleContext: context === undefined ? roleContext : withEntry(roleContext, role, context),
        roleKeyType: keyType === undefined ? roleKeyType : withEntry(roleKeyType, role, keyType),
        roleValueType: valueType === undefined ? roleValueType : withEntry(roleValueType, role, valueType),
        roleParallel: parallel === undefined ? roleParallel : withEntry(roleParallel, role, parallel),
      })
    },
    computeMemory: (role, on) =>
      change({ computedMemory: withMember(store.getState().scenario.computedMemory, role, on) }),
    planContexts: (contexts) => {
      const { roleContext, computedMemory } = withContexts(store.getState().scenario, contexts)
      type(`contexts ${[...contexts.keys()].join()}`, { roleContext, computedMemory })
    },
    forgetContext: (role) => {
      const { roleContext, computedMemory } = store.getState().scenario
      change({
        roleContext: withEntry(roleContext, role, null),
        computedMemory: withMember(computedMemory, role, false),
      })
    },
    apply,
    undo: () => {
      const { scenario, scenarioPast, scenarioFuture } = store.getState()
      const before = scenarioPast.at(-1)
      if (before === undefined) return
      turnTo({
        scenario: before,
        scenarioPast: scenarioPast.slice(0, -1),
        scenarioFuture: [...scenarioFuture, scenario],
      })
    },
    redo: () => {
      const { scenario, scenarioPast, scenarioFuture } = store.getState()
      const next = scenarioFuture.at(-1)
      if (next === undefined) return
      turnTo({
        scenario: next,
        scenarioPast: [...scenarioPast, scenario],
        scenarioFuture: scenarioFuture.slice(0, -1),
      })
    },
    reset: () => apply(DEFAULT_SCENARIO),
    pinBaseline: () => {
      const inputs = selectInputs(store.getState())
      const plan = selectPlan(store.getState())
      if (inputs && plan) store.setState({ baseline: { inputs, plan } })
    },
    unpinBaseline: () => store.setState({ baseline: null }),
  }
}
