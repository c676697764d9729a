import { z } from 'zod'
import { fieldsOf, SCENARIO_FIELDS } from './scenario-fields.ts'
import { bytes, bytesByNode } from './json-values.ts'
import type { Scenario } from './types.ts'

type Fields = typeof SCENARIO_FIELDS
type Intersection<U> = (U extends unknown ? (each: U) => void : never) extends (all: infer I) => void
  ? I
  : never
type ScenarioShape = Intersection<Fields[keyof Fields]['json']>

const shape = Object.assign({}, ...Object.values(SCENARIO_FIELDS).map(({ json }) => json)) as ScenarioShape

/**
 * A scenario as plain JSON: what crosses between the page and its host, and what a scenario file holds. Byte counts are
 * decimal strings, since they may pass 2^53. A key that is left out has the value of planning with nothing assumed.
 */
export const scenarioSchema = z.strictObject(shape, 'must be an object')

export type ScenarioJson = z.output<typeof scenarioSchema>

/** `scenario` as JSON; {@link scenarioFromJson} gives it back. */
export function scenarioToJson(scenario: Scenario): ScenarioJson {
  return Object.assign(
    {},
    ...fieldsOf(scenario).map(({ field, value }) => field.toJson(value)),
  ) as ScenarioJson
}

/** The scenario that `json` (checked by {@link scenarioSchema}) stands for. */
export function scenarioFromJson(json: ScenarioJson): Scenario {
  const fields = Object.entries(SCENARIO_FIELDS).map(([key, field]) => [key, field.fromJson(json)])
  return Object.fromEntries(fields) as Scenario
}

/** Whether two scenarios assume the same. */
export function sameScenario(a: Scenario, b: Scenario): boolean {
  return a === b || JSON.stringify(scenarioToJson(a)) === JSON.stringify(scenarioToJson(b))
}

/** What is planned when the operator says nothing: transfer off, no ceiling, 1 GiB headroom, nothing forced. */
export const DEFAULT_SCENARIO: Scenario = scenarioFromJson(scenarioSchema.parse({}))

/** Whether the key holds a byte count, or byte counts by node. */
export function isByteKey(key: string): boolean {
  let schema: unknown = Object.hasOwn(scenarioSchema.shape, key)
    ? scenarioSchema.shape[key as keyof ScenarioJson]
    : null
  while (schema instanceof z.ZodDefault || schema instanceof z.ZodNullable) schema = schema.unwrap()
  return schema === bytes || schema === bytesByNode
}

/** `value` with byte counts that are whole numbers as the texts that {@link scenarioSchema} wants. */
export function withByteTexts(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, member]) => [key, isByteKey(key) ? byteText(member) : member]),
  )
}

function byteText(value: unknown): unknown {
  if (Number.isSafeInteger(value)) return String(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, count]) => [key, byteText(count)]))
}
