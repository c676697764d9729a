import type { JsonInput } from '../json/json-text.ts'
import {
  scenarioFromJson,
  scenarioSchema,
  scenarioToJson,
  type ScenarioJson,
} from '../scenario/scenario-json.ts'
import type { Scenario } from '../scenario/scenario.ts'

/** One assumption that two scenarios have differently; null stands for one that is not made. */
export interface ScenarioDifference {
  readonly of: 'scenario'
  /** As a scenario file names it, such as `max_bytes` or `forced_nodes`. */
  readonly field: keyof ScenarioJson
  /** The node or role it is about; null when it is about the whole plan. */
  readonly key: string | null
  readonly from: JsonInput
  readonly to: JsonInput
}

interface Assumption {
  readonly field: keyof ScenarioJson
  readonly key: string | null
  readonly value: JsonInput
}

/** Everything that scenario `b` assumes differently from `a`. Link rates are left out: no placement hangs on them. */
export function scenarioDifferences(a: Scenario, b: Scenario): ScenarioDifference[] {
  const before = assumptionsOf(a)
  const after = assumptionsOf(b)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((name) => {
    const from = before.get(name)
    const to = after.get(name)
    const about = to ?? from
    if (about === undefined || about.field === 'link_mbps' || isSame(from?.value, to?.value)) return []
    return [
      {
        of: 'scenario',
        field: about.field,
        key: about.key,
        from: from?.value ?? null,
        to: to?.value ?? null,
      },
    ]
  })
}

/** Values are texts, numbers, flags and lists of texts. */
function isSame(a: JsonInput | undefined, b: JsonInput | undefined): boolean {
  return a === b || JSON.stringify(a) === JSON.stringify(b)
}

/** Scenario `a` with those of its differences to `b` that are in `taken`. */
export function mixScenarios(a: Scenario, taken: readonly ScenarioDifference[]): Scenario {
  if (taken.length === 0) return a
  const assumptions = assumptionsOf(a)
  for (const { field, key, to } of taken) {
    const name = nameOf(field, key)
    if (key !== null && to === null) assumptions.delete(name)
    else assumptions.set(name, { field, key, value: to })
  }
  return scenarioFromJson(scenarioSchema.parse(jsonOf([...assumptions.values()])))
}

function nameOf(field: string, key: string | null): string {
  return key === null ? field : `${field} ${key}`
}

/** A scenario as single assumptions: its JSON, with objects and lists taken apart. */
function assumptionsOf(scenario: Scenario): Map<string, Assumption> {
  const assumptions = new Map<string, Assumption>()
  const add = (field: keyof ScenarioJson, key: string | null, value: JsonInput): void => {
    assumptions.set(nameOf(field, key), { field, key, value })
  }
  const json = scenarioToJson(scenario)
  for (const field of scenarioSchema.keyof().options) {
    const value = json[field]
    if (Array.isArray(value)) for (const key of value as readonly string[]) add(field, key, true)
    else if (typeof value === 'object' && value !== null) {
      for (const [key, own] of Object.entries<JsonInput>(value)) add(field, key, own)
    } else add(field, null, value)
  }
  return assumptions
}

/** Shows which fields are lists. */
const NOTHING_ASSUMED = scenarioSchema.parse({})

function jsonOf(assumptions: readonly Assumption[]): Record<string, unknown> {
  const json: Record<string, unknown> = {}
  for (const field of scenarioSchema.keyof().options) {
    const own = assumptions.filter((each) => each.field === field)
    const whole = own.find(({ key }) => key === null)
    if (whole) json[field] = whole.value
    else if (Array.isArray(NOTHING_ASSUMED[field])) json[field] = own.map(({ key }) => key)
    else json[field] = Object.fromEntries(own.map(({ key, value }) => [key ?? '', value]))
  }
  return json
}
