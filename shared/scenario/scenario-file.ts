import type { z } from 'zod'
import { issuePath, placeName } from '../json/issue-place.ts'
import { listedProblems } from '../json/json-reader.ts'
import { jsonText } from '../json/json-text.ts'
import { readFailed, readOk, type Problem, type Read } from '../problem.ts'
import type { Span } from '../text-lines.ts'
import { scenarioFromJson, scenarioSchema, scenarioToJson } from './scenario-json.ts'
import { SCENARIO_SCHEMA } from './scenario-limits.ts'
import { readScenarioSource, type ScenarioSource } from './scenario-source.ts'
import type { Scenario } from './scenario.ts'

export { MAX_SCENARIO_BYTES } from './scenario-limits.ts'

/** Whether `text` says that it is a scenario file, right or wrong; {@link readScenarioFile} says what is wrong. */
export function isScenarioText(text: string): boolean {
  const source = readScenarioSource(text, '')
  if (!source.ok) return text.includes(SCENARIO_SCHEMA)
  const { value } = source.value
  if (typeof value !== 'object' || value === null) return false
  return (value as { readonly schema?: unknown }).schema === SCENARIO_SCHEMA
}

/** `scenario` as the text of a file; {@link readScenarioFile} gives it back. */
export function scenarioFileText(scenario: Scenario): string {
  return `${jsonText({ schema: SCENARIO_SCHEMA, ...scenarioToJson(scenario) }, 2)}\n`
}

/**
 * Reads a scenario file, in JSON or YAML: an object with `schema` and the keys of {@link scenarioSchema}, each optional. Any other key,
 * a repeated one and a value of the wrong kind are errors with their place; then there is no scenario. `file` is the
 * name for messages.
 */
export function readScenarioFile(text: string, file: string): Read<Scenario> {
  const source = readScenarioSource(text, file)
  if (!source.ok) return source
  const tell = problemTeller(source.value)
  const { value } = source.value
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    return readFailed([
      tell('scenario-bad-value', 'a scenario file must hold an object', source.value.spanOf([])),
    ])
  }
  const { schema, ...rest } = value as { readonly schema?: unknown }
  if (schema !== SCENARIO_SCHEMA) {
    const message = `\`schema\` must be "${SCENARIO_SCHEMA}": this is no scenario file of this version`
    return readFailed([tell('scenario-bad-schema', message, source.value.spanOf(['schema']))])
  }
  const repeated = source.value.repeatedKeys.map(({ path, span }) =>
    tell('scenario-repeated-key', `\`${path.join('.')}\` is given twice: keep one`, span),
  )
  const parsed = scenarioSchema.safeParse(rest)
  if (parsed.success && repeated.length === 0) return readOk(scenarioFromJson(parsed.data))
  const faults = parsed.error?.issues.flatMap((issue) => issueProblems(issue, source.value, tell)) ?? []
  return readFailed(listedProblems([...repeated, ...faults], file))
}

type Tell = (code: string, message: string, span: Span) => Problem

function problemTeller({ file, lines }: ScenarioSource): Tell {
  return (code, message, span) => ({ severity: 'error', code, message, file, range: lines.range(span) })
}

function issueProblems(issue: z.core.$ZodIssue, source: ScenarioSource, tell: Tell): Problem[] {
  const path = issuePath(issue)
  const place = placeName(path, 'the scenario')
  if (issue.code === 'unrecognized_keys') {
    const known = Object.keys(scenarioSchema.shape).join(', ')
    return issue.keys.map((key) =>
      tell(
        'scenario-unknown-key',
        `\`${key}\` is no key of a scenario: it can have schema, ${known}`,
        source.keySpanOf([...path, key]),
      ),
    )
  }
  if (issue.code === 'invalid_key') {
    const reason = issue.issues[0]?.message ?? 'cannot be a key here'
    return [tell('scenario-bad-value', `${place} ${reason}`, source.keySpanOf(path))]
  }
  return [tell('scenario-bad-value', `${place} ${issue.message}`, source.spanOf(path))]
}
