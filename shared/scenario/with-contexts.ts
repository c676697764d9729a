import type { Scenario } from './types.ts'

/** `scenario` with the roles of `contexts` planned with what they take by their model's files at those contexts. */
export function withContexts(scenario: Scenario, contexts: ReadonlyMap<string, number>): Scenario {
  return {
    ...scenario,
    roleContext: new Map([...scenario.roleContext, ...contexts]),
    computedMemory: new Set([...scenario.computedMemory, ...contexts.keys()]),
  }
}
