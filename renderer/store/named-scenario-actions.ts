import type { StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../shared/host-api.ts'
import type { NamedScenario } from '../../shared/scenario/named-scenarios.ts'
import { scenarioToJson } from '../../shared/scenario/scenario-json.ts'
import { selectCurrentScenario } from './named-scenarios.ts'
import type { PlannerState } from './planner-state.ts'
import type { ScenarioActions } from './scenario-actions.ts'
import type { ViewActions } from './view-actions.ts'

/** What can be done to the scenarios that are kept beside the lab. Null: done; else why not, as a sentence. */
export interface NamedScenarioActions {
  /** Plans with it; what was assumed before is one undo away. */
  readonly switchTo: (scenario: NamedScenario) => void
  /** Plans with nothing assumed, and with no name. */
  readonly leave: () => void
  /** Writes what is assumed now to the scenario that was switched to. */
  readonly save: () => Promise<void>
  /** Keeps what is assumed now under a name that is free. */
  readonly saveAs: (name: string) => Promise<string | null>
  readonly rename: (to: string) => Promise<string | null>
  readonly remove: () => Promise<string | null>
}

const CHANGED =
  'Its file was changed by another program meanwhile: nothing was written. Save under another name, or switch to it again to see it.'

export function createNamedScenarioActions(
  store: StoreApi<PlannerState>,
  client: HostClient,
  scenario: ScenarioActions,
  view: ViewActions,
): NamedScenarioActions {
  const current = () => selectCurrentScenario(store.getState())
  const labName = (): string => {
    const { lab } = store.getState()
    return lab.status === 'open' ? lab.snapshot.lab.name : ''
  }
  const write = async (name: string, baseHash: string | null): Promise<string | null> => {
    const { scenario: assumed } = store.getState()
    const lab = labName()
    const saved = await client.call.saveScenario({ name, scenario: scenarioToJson(assumed), baseHash })
    if (!saved.ok) return saved.error.message
    if (saved.value.kind === 'conflict')
      return baseHash === null ? `There is a scenario named ${name} already. Choose another name.` : CHANGED
    store.setState({ named: { lab, name, hash: saved.value.hash, scenario: assumed } })
    return null
  }
  return {
    switchTo: ({ name, file, scenario: read }) => {
      if (read === null) return
      scenario.apply(read)
      store.setState({ named: { lab: labName(), name, hash: file.hash, scenario: read } })
    },
    leave: () => {
      store.setState({ named: null })
      scenario.reset()
    },
    save: async () => {
      const of = current()
      if (of === null) return
      const fault = await write(of.name, of.hash)
      if (fault === null) view.toast('success', `Saved the scenario ${of.name}`)
      else view.toast('error', fault)
    },
    saveAs: (name) => write(name, null),
    rename: async (to) => {
      const of = current()
      if (of === null) return null
      const renamed = await client.call.renameScenario({ name: of.name, to, baseHash: of.hash })
      if (!renamed.ok) return renamed.error.message
      if (renamed.value.kind === 'conflict') return CHANGED
      store.setState({ named: { ...of, name: to, hash: renamed.value.hash } })
      return null
    },
    remove: async () => {
      const of = current()
      if (of === null) return null
      const removed = await client.call.deleteScenario({ name: of.name, baseHash: of.hash })
      if (!removed.ok) return removed.error.message
      store.setState({ named: null })
      return null
    },
  }
}
