import { Document, isMap, isScalar, isSeq, parseDocument, type Pair, type YAMLMap, type YAMLSeq } from 'yaml'
import { DEFAULT_SCENARIO, isByteKey, scenarioToJson } from './scenario-json.ts'
import { SCENARIO_SCHEMA } from './scenario-limits.ts'
import type { Scenario } from './types.ts'

/** A value of a scenario file in YAML; byte counts are integers of any size. */
type YamlValue = null | boolean | number | bigint | string | readonly YamlValue[] | YamlMembers
interface YamlMembers {
  readonly [key: string]: YamlValue
}

const HEAD = ' What a plan of this lab assumes (docs/formats.md, "Scenario"). Byte counts are in bytes.'

/**
 * `scenario` as the text of a file in YAML, with those of its keys that assume something. With `before`, the text of the
 * same file as it is, its comments and the order of its keys stay. `before` must be readable YAML.
 */
export function scenarioYamlText(scenario: Scenario, before: string | null): string {
  const members = membersOf(scenario)
  const known = before === null ? null : parseDocument(before, { intAsBigInt: true })
  const isKept = known !== null && known.errors.length === 0 && isMap(known.contents)
  const document: Document = isKept ? known : new Document(members)
  if (isMap(document.contents) && isKept) mergeMap(document, document.contents, members)
  else document.commentBefore = HEAD
  const text = document.toString({ lineWidth: 0 })
  return before?.includes('\r\n') === true ? text.replaceAll(/\r?\n/g, '\r\n') : text
}

function membersOf(scenario: Scenario): YamlMembers {
  const nothing: Readonly<Record<string, unknown>> = scenarioToJson(DEFAULT_SCENARIO)
  const assumed = Object.entries(scenarioToJson(scenario)).filter(
    ([key, value]) => JSON.stringify(value) !== JSON.stringify(nothing[key]),
  )
  return Object.fromEntries([
    ['schema', SCENARIO_SCHEMA] as const,
    ...assumed.map(([key, value]) => [key, isByteKey(key) ? asIntegers(value) : value] as const),
  ])
}

function asIntegers(value: YamlValue): YamlValue {
  if (typeof value === 'string') return BigInt(value)
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, count]) => [key, asIntegers(count)]))
}

function mergeMap(document: Document, map: YAMLMap, members: YamlMembers): void {
  removeOthers(map, members)
  for (const [key, value] of Object.entries(members)) {
    const known: unknown = map.get(key, true)
    if (isMap(known) && isMembers(value)) mergeMap(document, known, value)
    else if (isSeq(known) && Array.isArray(value)) mergeList(document, known, value as readonly YamlValue[])
    else if (isScalar(known) && isSimple(value)) {
      if (String(known.value) !== String(value)) known.value = value
    } else map.set(key, document.createNode(value))
  }
}

/** Takes out the keys that `members` lacks. A comment above one stays, before what follows. */
function removeOthers(map: YAMLMap, members: YamlMembers): void {
  let left = ''
  const kept: Pair[] = []
  for (const pair of map.items) {
    const { key } = pair
    const above = isScalar(key) ? (key.commentBefore ?? '') : ''
    if (!Object.hasOwn(members, isScalar(key) ? String(key.value) : String(key))) {
      left = joined(left, above)
      continue
    }
    if (left !== '' && isScalar(key)) key.commentBefore = joined(left, above)
    left = ''
    kept.push(pair)
  }
  map.items = kept
  if (left !== '') map.comment = joined(left, map.comment ?? '')
}

function joined(a: string, b: string): string {
  return [a, b].filter((text) => text !== '').join('\n')
}

/** Items that stay keep their comments. */
function mergeList(document: Document, list: YAMLSeq, values: readonly YamlValue[]): void {
  const known = new Map(list.items.map((item) => [isScalar(item) ? String(item.value) : null, item]))
  list.items = values.map(
    (value) => known.get(isSimple(value) ? String(value) : null) ?? document.createNode(value),
  )
}

function isMembers(value: YamlValue): value is YamlMembers {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isSimple(value: YamlValue): value is string | number | bigint | boolean | null {
  return typeof value !== 'object' || value === null
}
