import { isAlias, isMap, isNode, LineCounter, parseDocument, visit, type Document } from 'yaml'
import { readJsonSource, type JsonPath, type RepeatedKey } from '../json/json-source.ts'
import { readFailed, readOk, type Problem, type Read } from '../problem.ts'
import { TextLines, type Span } from '../text-lines.ts'
import { exceedsUtf8 } from '../utf8.ts'
import { withByteTexts } from './scenario-json.ts'
import { MAX_SCENARIO_BYTES } from './scenario-limits.ts'

/** The value of a scenario file with the places of its parts, whichever of the two languages it is written in. */
export interface ScenarioSource {
  readonly file: string
  readonly lines: TextLines
  /** Plain JSON values. In YAML, byte counts may be whole numbers of any size: here they are texts all the same. */
  readonly value: unknown
  readonly repeatedKeys: readonly RepeatedKey[]
  readonly spanOf: (path: JsonPath) => Span
  readonly keySpanOf: (path: JsonPath) => Span
}

/** Reads `text` as JSON where it is a JSON file or begins with a brace, and else as YAML. */
export function readScenarioSource(text: string, file: string): Read<ScenarioSource> {
  const isYaml = !file.endsWith('.json') && !/^\uFEFF?\s*\{/.test(text)
  if (isYaml) return readYamlSource(text, file)
  const source = readJsonSource(text, file, MAX_SCENARIO_BYTES)
  if (!source.ok) return source
  const { lines, value, repeatedKeys } = source.value
  return readOk({
    ...{ file, lines, value, repeatedKeys },
    spanOf: (path) => source.value.spanOf(path),
    keySpanOf: (path) => source.value.keySpanOf(path),
  })
}

function readYamlSource(text: string, file: string): Read<ScenarioSource> {
  const lines = new TextLines(text)
  const problem = (code: string, message: string, span: Span | null): Problem => {
    return { severity: 'error', code, message, file, range: span && lines.range(span) }
  }
  if (exceedsUtf8(text, MAX_SCENARIO_BYTES)) {
    return readFailed([
      problem('scenario-too-large', 'the file is larger than 1 MiB, the most that is read', null),
    ])
  }
  const document = parseDocument(text, {
    ...{ intAsBigInt: true, stringKeys: true, uniqueKeys: false, prettyErrors: false },
    lineCounter: new LineCounter(),
  })
  const faults = document.errors.map(({ message, pos: [start, end] }) =>
    problem('scenario-bad-yaml', message, { start, end }),
  )
  if (faults.length > 0) return readFailed(faults)
  const alias = firstAlias(document)
  if (alias !== null) {
    return readFailed([
      problem('scenario-bad-yaml', 'an alias cannot stand here: write the value itself', alias),
    ])
  }
  const at = (path: JsonPath): Span | null => spanAt(document, path)
  const spanOf = (path: JsonPath): Span => {
    for (let depth = path.length; depth >= 0; depth--) {
      const span = at(path.slice(0, depth))
      if (span !== null) return depth === path.length ? span : { start: span.start, end: span.start + 1 }
    }
    return { start: 0, end: 0 }
  }
  return readOk({
    ...{ file, lines, spanOf },
    value: withByteTexts(plainValue(document.toJS({ maxAliasCount: 0 }) as unknown)),
    repeatedKeys: repeatedKeysOf(document),
    keySpanOf: (path) => keySpanAt(document, path) ?? spanOf(path),
  })
}

function firstAlias(document: Document.Parsed): Span | null {
  let found: Span | null = null
  visit(document, {
    Alias: (_key, { range }) => {
      found = range ? { start: range[0], end: range[1] } : { start: 0, end: 0 }
      return visit.BREAK
    },
  })
  return found
}

function spanAt(document: Document.Parsed, path: JsonPath): Span | null {
  const node: unknown = path.length === 0 ? document.contents : document.getIn(path, true)
  if (!isNode(node) || isAlias(node) || !node.range) return null
  return { start: node.range[0], end: node.range[1] }
}

function keySpanAt(document: Document.Parsed, path: JsonPath): Span | null {
  const around: unknown = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
  if (!isMap(around)) return null
  const name = String(path.at(-1))
  const pair = around.items.findLast(({ key }) => isNode(key) && String(key) === name)
  const range = isNode(pair?.key) ? pair.key.range : null
  return range ? { start: range[0], end: range[1] } : null
}

function repeatedKeysOf(document: Document.Parsed): RepeatedKey[] {
  const repeated: RepeatedKey[] = []
  const look = (node: unknown, path: JsonPath): void => {
    if (!isMap(node)) return
    const seen = new Set<string>()
    for (const { key, value } of node.items) {
      const name = String(key)
      const range = isNode(key) ? key.range : null
      if (seen.has(name) && range)
        repeated.push({ path: [...path, name], span: { start: range[0], end: range[1] } })
      seen.add(name)
      look(value, [...path, name])
    }
  }
  look(document.contents, [])
  return repeated
}

/** Whole numbers as numbers where those are exact, else as texts. */
function plainValue(value: unknown): unknown {
  if (typeof value === 'bigint') {
    const number = Number(value)
    return Number.isSafeInteger(number) ? number : value.toString()
  }
  if (Array.isArray(value)) return value.map(plainValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, plainValue(member)]))
}
