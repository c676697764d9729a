import { formatBytes } from '../bytes.ts'
import type { JsonInput } from '../json/json-text.ts'
import type { FieldChange, OutcomeOutline, RoleChange, RoleOutline, Standing } from './plan-diff.ts'
import type { DecisionJson, OutcomeJson } from './plan-json.ts'

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
      return `cannot run: ${decision.message}`
    case 'no_manifest':
      return 'no manifest'
  }
}

/** The outcome in a few words: `in place at mac-studio`, `fetch 9.4 GB to mac-mini instead of mac-studio`. */
function outcomeText({ kind, node_id, bytes, instead_of, reason }: OutcomeOutline): string {
  switch (kind) {
    case 'in_place':
      return `in place at ${node_id ?? ''}`
    case 'after_fetching':
      return `fetch ${formatBytes(bytes)} to ${node_id ?? ''}`
    case 'elsewhere': {
      const to =
        bytes === 0n ? `in place at ${node_id ?? ''}` : `fetch ${formatBytes(bytes)} to ${node_id ?? ''}`
      return instead_of === null ? to : `${to} instead of ${instead_of}`
    }
    case 'cannot_run':
      return reason === null ? 'cannot run' : `cannot run: ${reason}`
    case 'switched_off':
      return 'switched off'
  }
}

function roleText({ outcome, decision }: RoleOutline): string {
  return outcome === null ? decisionText(decision) : outcomeText(outcome)
}

export function standingText(standing: Standing): string {
  switch (standing.kind) {
    case 'planned':
      return roleText(standing.role)
    case 'skipped':
      return `skipped: ${standing.reason}`
    case 'absent':
      return 'not in the roster'
  }
}

const KIND_WORDS: Readonly<Record<DecisionJson['kind'] | OutcomeJson['kind'], string>> = {
  place_at_holder: 'in place',
  fetch_then_place: 'fetch',
  unplaceable: 'cannot run',
  no_manifest: 'no manifest',
  in_place: 'in place',
  after_fetching: 'fetch',
  elsewhere: 'elsewhere',
  cannot_run: 'cannot run',
  switched_off: 'switched off',
}

/** Fields whose values are kinds. */
const KIND_FIELDS: ReadonlySet<string> = new Set(['outcome', 'decision', 'alone.decision'])

/** One side of a field's change: texts as they are, lists with commas, `none` for what is not there. */
export function fieldText({ field }: FieldChange, value: JsonInput): string {
  if (value === null || value === '') return 'none'
  if (KIND_FIELDS.has(field) && isKind(value)) return KIND_WORDS[value]
  if (typeof value === 'boolean') return value ? 'yes' : 'no'
  if (Array.isArray(value)) return value.length === 0 ? 'none' : value.join(', ')
  if (typeof value === 'object') return JSON.stringify(value)
  return String(value)
}

function isKind(value: JsonInput): value is keyof typeof KIND_WORDS {
  return typeof value === 'string' && Object.hasOwn(KIND_WORDS, value)
}
