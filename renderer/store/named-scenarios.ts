import type { Problem } from '../../shared/problem.ts'
import type { NamedScenario } from '../../shared/scenario/named-scenarios.ts'
import { sameScenario } from '../../shared/scenario/scenario-json.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import { memoize } from './memoize.ts'
import type { PlannerState } from './planner-state.ts'

/** The scenario that was switched to, as its file was then. */
export interface CurrentScenario {
  /** The lab whose scenario it is. */
  readonly lab: string
  readonly name: string
  /** Of the file's content that was read or written last. */
  readonly hash: string
  readonly scenario: Scenario
}

const NONE: readonly never[] = []

/** The scenarios that are kept beside the open lab, by name. */
export function selectNamedScenarios({ lab }: PlannerState): readonly NamedScenario[] {
  return lab.status === 'open' ? lab.scenarios : NONE
}

/** The scenario that was switched to in the open lab; null where none was. */
export function selectCurrentScenario({ lab, named }: PlannerState): CurrentScenario | null {
  return lab.status === 'open' && named?.lab === lab.snapshot.lab.name ? named : null
}

/** Whether what is assumed now is not what the scenario that was switched to has. */
export function selectScenarioChanged(state: PlannerState): boolean {
  const current = selectCurrentScenario(state)
  return current !== null && !isEqual(current.scenario, state.scenario)
}

const isEqual = memoize(sameScenario)

const problemsOf = memoize((all: readonly NamedScenario[]): readonly Problem[] =>
  all.flatMap(({ problems }) => problems),
)

/** What is wrong with the files of scenarios. */
export function selectScenarioProblems(state: PlannerState): readonly Problem[] {
  return problemsOf(selectNamedScenarios(state))
}
