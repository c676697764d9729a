import { scenarioToJson, type ScenarioJson } from '../scenario/scenario-json.ts'
import type { ProvedSuggestion } from '../suggest/proved-suggestion.ts'
import { roleSuggestions, suggestionLines } from './suggestion-words.ts'

/** Nodes suggested for all roles together, as a scenario to look at; nothing is applied by itself. */
export interface SuggestionReport {
  readonly scenario: ScenarioJson
  /** Whether anything gets better by it; otherwise `scenario` is the one it was asked for. */
  readonly isBetter: boolean
  /** What it reaches against the plan as it is, and how sure it is that there is none better. */
  readonly lines: readonly string[]
  readonly isProved: boolean
  /** Roles that cannot run even so. */
  readonly cannotRun: number
  /** Every role, in roster order; byte counts are decimal strings. */
  readonly roles: readonly {
    readonly role: string
    /** Null when it runs nowhere. */
    readonly nodeId: string | null
    readonly bytes: string
    readonly reason: string
  }[]
}

/** `proved` as the window gets it and `suggest --json` writes it. */
export function suggestionToJson(proved: ProvedSuggestion): SuggestionReport {
  const { suggestion, plan, now, then, isBetter } = proved
  const scenario = isBetter ? suggestion.scenario : plan.scenario
  const counted = isBetter ? then : now
  return {
    // The time the plan was judged at is the lab's, not an assumption to keep.
    scenario: { ...scenarioToJson(scenario), now_secs: null },
    isBetter,
    lines: suggestionLines(proved),
    isProved: suggestion.proof.kind === 'optimal',
    cannotRun: counted.roles - counted.running,
    roles: isBetter
      ? roleSuggestions(plan, suggestion).map(({ role, nodeId, bytes, reason }) => ({
          role,
          nodeId,
          bytes: bytes.toString(),
          reason,
        }))
      : [],
  }
}
