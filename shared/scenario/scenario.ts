import type { Scenario } from './types.ts'
import { fieldsOf, SCENARIO_FIELDS } from './scenario-fields.ts'
import { DEFAULT_SCENARIO } from './scenario-json.ts'

export type { Scenario } from './types.ts'
export { formatGib } from './scenario-fields.ts'
export { DEFAULT_SCENARIO } from './scenario-json.ts'

/** How `scenario` differs from planning with nothing assumed, a few words each; empty when it does not. */
export function scenarioChanges(scenario: Scenario): string[] {
  return fieldsOf(scenario).flatMap(({ field, value }) => field.words(value))
}

/** {@link scenarioChanges} without the policy, for places that always state the policy themselves. */
export function assumptions(scenario: Scenario): string[] {
  return scenarioChanges({ ...scenario, policy: DEFAULT_SCENARIO.policy })
}

/**
 * Whether every role is decided the same under both scenarios, except for the role's own pin. It compares by identity:
 * an equal value that is another object counts as different.
 */
export function decideAlike(a: Scenario, b: Scenario): boolean {
  return Object.values(SCENARIO_FIELDS).every((field) => field.sameDecisions(a, b))
}
