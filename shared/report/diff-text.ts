import { formatBytes } from '../bytes.ts'
import type { JsonInput } from '../json/json-text.ts'
import type { FieldChange, RoleChange, Standing } from './plan-diff.ts'
import type { DecisionJson } from './plan-json.ts'

/** What happened to a roster id from one plan to the other. */
export type ChangeKind = 'changed' | 'appeared' | 'disappeared' | 'now skipped' | 'no longer skipped'

export function changeKind({ from, to }: RoleChange): ChangeKind {
  if (from.kind === to.kind) return 'changed'
  if (from.kind === 'absent') return 'appeared'
  if (to.kind === 'absent') return 'disappeared'
  return to.kind === 'skipped' ? 'now skipped' : 'no longer skipped'
}

/** The decision in a few words: `in place at mac-studio`, `fetch 4.3 GB to gpu-box`, or why not. */
export function decisionText(decision: DecisionJson): string {
  switch (decision.kind) {
    case 'place_at_holder':
      return `in place at ${decision.node_id}`
    case 'fetch_then_place':
      return `fetch ${formatBytes(decision.bytes)} to ${decision.target}`
    case 'unplaceable':
      return `unplaceable: ${decision.message}`
    case 'no_manifest':
      return 'no manifest'
  }
}

export function standingText(standing: Standing): string {
  switch (standing.kind) {
    case 'planned':
      return decisionText(standing.role.decision)
    case 'skipped':
      return `skipped: ${standing.reason}`
    case 'absent':
      return 'not in the roster'
  }
}

const DECISION_WORDS: Readonly<Record<DecisionJson['kind'], string>> = {
  place_at_holder: 'in place',
  fetch_then_place: 'fetch',
  unplaceable: 'unplaceable',
  no_manifest: 'no manifest',
}

/** One side of a field's change: texts as they are, lists with commas, `none` for what is not there. */
export function fieldText({ field }: FieldChange, value: JsonInput): string {
  if (value === null || value === '') return 'none'
  if (field === 'decision' && isDecision(value)) return DECISION_WORDS[value]
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function isDecision(value: JsonInput): value is DecisionJson['kind'] {
  return typeof value === 'string' && Object.hasOwn(DECISION_WORDS, value)
}
