import { formatExactBytes } from '../../shared/bytes.ts'
import { fieldText, standingText } from '../../shared/report/diff-text.ts'
import type { FieldChange, RoleChange } from '../../shared/report/plan-diff.ts'

/** Fields that the outcomes in words say already, as far as they differ there. */
const SAID_BY_OUTCOME: ReadonlySet<string> = new Set(['outcome', 'decision', 'node', 'bytes', 'reason'])

const NAMES: Readonly<Record<string, string>> = {
  'alone.decision': 'on its own',
  'alone.node': 'node on its own',
  'alone.bytes': 'bytes on its own',
  'alone.reason': 'reason on its own',
  'alone.missing_shards': 'shards to fetch on its own',
  'alone.sources': 'fetched from on its own',
  missing_shards: 'shards to fetch',
  sources: 'fetched from',
}

/** The fields of a change that its two outcomes in words do not say. */
export function furtherFields(change: RoleChange): readonly FieldChange[] {
  if (standingText(change.from) === standingText(change.to)) return change.fields
  return change.fields.filter(({ field }) => !SAID_BY_OUTCOME.has(field))
}

/** One field's change in a line: `runs on: nowhere → mac-mini`. */
export function fieldLine(change: FieldChange): string {
  const side = (value: FieldChange['from']): string =>
    typeof value === 'bigint' ? formatExactBytes(value) : fieldText(change, value)
  return `${NAMES[change.field] ?? change.field}: ${side(change.from)} → ${side(change.to)}`
}

/** What differs when no role does: `1 input differs, without effect on any role.` */
export function unchangedSentence(differences: number): string {
  if (differences === 0) return 'Nothing differs from the baseline.'
  const inputs = differences === 1 ? '1 input differs' : `${differences} inputs differ`
  return `${inputs}, without effect on any role.`
}
