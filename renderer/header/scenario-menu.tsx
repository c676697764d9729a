import type { ReactNode } from 'react'
import {
  selectCurrentScenario,
  selectNamedScenarios,
  selectScenarioChanged,
} from '../store/named-scenarios.ts'
import { usePlanner, usePlannerState } from '../store/use-planner.ts'
import { Menu, type MenuEntry } from '../ui/menu.tsx'

/** Switching between the scenarios that are kept beside the lab, and keeping what is assumed now among them. */
export function ScenarioMenu({ trigger }: { readonly trigger: ReactNode }): ReactNode {
  const { named, view } = usePlanner()
  const all = usePlannerState(selectNamedScenarios)
  const current = usePlannerState(selectCurrentScenario)
  const changed = usePlannerState(selectScenarioChanged)
  const entries: MenuEntry[] = [
    {
      kind: 'item',
      label: 'Nothing assumed',
      checked: current === null,
      onSelect: named.leave,
    },
    ...all.map((scenario): MenuEntry => ({
      kind: 'item',
      label: scenario.name,
      checked: scenario.name === current?.name,
      hint: scenario.scenario === null ? 'has errors' : undefined,
      disabled: scenario.scenario === null,
      onSelect: () => named.switchTo(scenario),
    })),
    { kind: 'separator' },
    {
      kind: 'item',
      label: current === null ? 'Save' : `Save ${current.name}`,
      disabled: current === null || !changed,
      onSelect: () => void named.save(),
    },
    {
      kind: 'item',
      label: 'Save as…',
      onSelect: () => view.openDialog({ kind: 'name_scenario', to: 'save' }),
    },
    {
      kind: 'item',
      label: 'Rename…',
      disabled: current === null,
      onSelect: () => view.openDialog({ kind: 'name_scenario', to: 'rename' }),
    },
    {
      kind: 'item',
      label: 'Delete…',
      disabled: current === null,
      onSelect: () => view.openDialog({ kind: 'delete_scenario' }),
    },
    { kind: 'separator' },
    {
      kind: 'item',
      label: 'Compare scenarios…',
      onSelect: () => view.openDialog({ kind: 'compare_scenarios' }),
    },
  ]
  return <Menu trigger={trigger} entries={entries} />
}
