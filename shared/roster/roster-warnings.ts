import type { Problem } from '../problem.ts'
import type { Span, TextLines } from '../text-lines.ts'
import { decidingOddSpace, oddSpaceName } from '../yaml/odd-space.ts'
import type { MappingNode } from '../yaml/nodes.ts'
import { ROSTER_FIELDS, type RosterEntry } from './types.ts'

/** What is legal in a roster and still not meant: said as a warning, and changes nothing of what is read. */
export function rosterWarnings(
  root: MappingNode | null,
  entries: readonly RosterEntry[],
  file: string,
  lines: TextLines,
): Problem[] {
  const warn = (code: string, message: string, span: Span, role?: string): Problem => ({
    severity: 'warning',
    code,
    message,
    file,
    range: lines.range(span),
    ...(role === undefined ? {} : { role }),
  })
  return [
    ...(root ? missingList(root).map(({ message, span }) => warn('roster-no-list', message, span)) : []),
    ...(root ? unreadKeys(root).map(({ message, span }) => warn('roster-unread-key', message, span)) : []),
    ...repeatedIds(entries).map(({ id, span }) => {
      const message = `two entries have the id \`${id}\`: excludes, pins, the overlay and exports cannot tell them apart`
      return warn('roster-repeated-id', message, span, id)
    }),
  ]
}

/** The cause of what a text seems to lack or to have too much: a space that is none. Empty where a problem names it. */
export function oddSpaceWarnings(
  text: string,
  problems: readonly Problem[],
  file: string,
  lines: TextLines,
): Problem[] {
  const found = decidingOddSpace(text)
  if (
    found === null ||
    problems.some(({ message }) => /no-break space|byte order mark|invisible mark/.test(message))
  )
    return []
  const message = `here is a ${oddSpaceName(found.character)}, which is a letter to YAML and no space: replace it`
  return [{ severity: 'warning', code: 'roster-odd-space', message, file, range: lines.range(found.span) }]
}

/** Keys of entries that look like ones that count, and do not: merge keys, and names with a space that is none. */
function unreadKeys(root: MappingNode): { message: string; span: Span }[] {
  const list = root.entries.find(({ key }) => key.kind === 'scalar' && key.text === 'roster')?.value
  const items = list?.kind === 'list' ? list.items : []
  const keys = items.flatMap((item) => (item.kind === 'mapping' ? item.entries.map(({ key }) => key) : []))
  return keys.flatMap((key) => {
    if (key.kind !== 'scalar') return []
    const { text, start, end } = key
    if (text === '<<') {
      return [{ message: 'merge keys (`<<`) are not applied: write its fields out', span: { start, end } }]
    }
    const plain = text.trim()
    if (plain === text || !ROSTER_FIELDS.some((field) => field === plain)) return []
    const message = `this key is not \`${plain}\`: it has a no-break space or a byte order mark in it, which is not the space it looks like`
    return [{ message, span: { start, end } }]
  })
}

/** Said when no key of the file is `roster`: it is misspelt, or the file is another program's. */
function missingList(root: MappingNode): { message: string; span: Span }[] {
  const names = root.entries.flatMap(({ key }) => (key.kind === 'scalar' ? [{ text: key.text, key }] : []))
  if (names.length === 0 || names.some(({ text }) => text === 'roster')) return []
  // An alias may stand for the name.
  if (root.entries.some(({ key }) => key.kind === 'alias')) return []
  const near = names.find(({ text }) => isNear(text.trim(), 'roster'))
  const first = near ?? names[0]
  if (!first) return []
  const message = near
    ? `there is no \`roster\` key, so no role is read: did you mean it instead of \`${near.text}\`?`
    : `there is no \`roster\` key, so no role is read: this looks like another program's file (it begins with \`${first.text}\`)`
  return [{ message, span: { start: first.key.start, end: first.key.end } }]
}

function repeatedIds(entries: readonly RosterEntry[]): { id: string; span: Span }[] {
  const seen = new Set<string>()
  return entries.flatMap(({ id, span, fieldSpans }) => {
    if (!seen.has(id)) {
      seen.add(id)
      return []
    }
    return [{ id, span: fieldSpans.id ?? span }]
  })
}

/** Why an entry whose keys are `names` may lack its `id`; empty when nothing hints at it. */
export function missingIdHint(names: readonly string[]): string {
  if (names.includes('<<')) return '; merge keys (`<<`) are not applied: write its fields out'
  const odd = names.find(
    (name) => name !== name.trim() && ROSTER_FIELDS.some((field) => field === name.trim()),
  )
  if (odd !== undefined) {
    return '; a key of it has a no-break space or a byte order mark in it, which is not the space it looks like'
  }
  const near = names.find((name) => name.toLowerCase() === 'id')
  return near === undefined ? '' : `; did you mean it instead of \`${near}\`?`
}

const MAX_EDITS = 2

/** Whether `text` is `wanted` in another case, or with up to two letters missing, added or changed. */
function isNear(text: string, wanted: string): boolean {
  const given = text.toLowerCase()
  if (Math.abs(given.length - wanted.length) > MAX_EDITS) return false
  let row = Array.from({ length: wanted.length + 1 }, (_, index) => index)
  for (let i = 1; i <= given.length; i++) {
    const next = [i]
    for (let j = 1; j <= wanted.length; j++) {
      const changed = (row[j - 1] ?? 0) + (given[i - 1] === wanted[j - 1] ? 0 : 1)
      next.push(Math.min(changed, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return (row[wanted.length] ?? Infinity) <= MAX_EDITS
}
