import type { RosterDocument, RosterEntry } from '../roster/types.ts'
import { TextLines } from '../text-lines.ts'
import type { InputPlace } from './input-place.ts'

/** What an entry says that a plan hangs on. */
const ENTRY_FIELDS = ['role', 'name', 'repo', 'backend', 'status', 'ramBytes', 'port'] as const
export type EntryField = (typeof ENTRY_FIELDS)[number]
export type EntryValue = RosterEntry[EntryField]

/** One thing that two rosters have differently. Of entries of one id the first is number 1. */
export type RosterDifference =
  | { readonly of: 'roster'; readonly change: 'added' | 'removed'; readonly file: string }
  | {
      readonly of: 'roster_entry'
      readonly id: string
      readonly number: number
      readonly change: 'added' | 'removed'
      readonly place: InputPlace
    }
  | {
      readonly of: 'roster_field'
      readonly id: string
      readonly number: number
      readonly field: EntryField
      readonly from: EntryValue
      readonly to: EntryValue
      readonly place: InputPlace
    }
  /** Entries that both have stand in another order. */
  | { readonly of: 'roster_order'; readonly file: string }

interface KeyedEntry {
  readonly key: string
  readonly number: number
  readonly entry: RosterEntry
}

function keyed(entries: readonly RosterEntry[]): KeyedEntry[] {
  const seen = new Map<string, number>()
  return entries.map((entry) => {
    const number = (seen.get(entry.id) ?? 0) + 1
    seen.set(entry.id, number)
    return { key: keyOf(entry.id, number), number, entry }
  })
}

function keyOf(id: string, number: number): string {
  return `${number} ${id}`
}

/** Everything roster `b` has differently from `a`. */
export function rosterDifferences(a: RosterDocument | null, b: RosterDocument | null): RosterDifference[] {
  if (a === b) return []
  if (a === null || b === null) {
    if (b !== null) return [{ of: 'roster', change: 'added', file: b.file }]
    return a === null ? [] : [{ of: 'roster', change: 'removed', file: a.file }]
  }
  const before = keyed(a.entries)
  const after = keyed(b.entries)
  const was = new Map(before.map((each) => [each.key, each]))
  const is = new Map(after.map((each) => [each.key, each]))
  const ordered = (list: readonly KeyedEntry[], other: ReadonlyMap<string, KeyedEntry>): string[] =>
    list.map(({ key }) => key).filter((key) => other.has(key))
  const order = ordered(before, is)
  const reordered = ordered(after, was).some((key, i) => key !== order[i])
  return [
    ...before.filter(({ key }) => !is.has(key)).map((each) => entryDifference(each, 'removed', a)),
    ...after.flatMap((each): RosterDifference[] => {
      const earlier = was.get(each.key)
      return earlier ? fieldDifferences(earlier.entry, each, b) : [entryDifference(each, 'added', b)]
    }),
    ...(reordered ? [{ of: 'roster_order', file: b.file } as const] : []),
  ]
}

function entryDifference(
  { entry, number }: KeyedEntry,
  change: 'added' | 'removed',
  document: RosterDocument,
): RosterDifference {
  const place = { file: document.file, line: document.lines.range(entry.span).start.line }
  return { of: 'roster_entry', id: entry.id, number, change, place }
}

function fieldDifferences(
  from: RosterEntry,
  { entry: to, number }: KeyedEntry,
  { file, lines }: RosterDocument,
): RosterDifference[] {
  return ENTRY_FIELDS.flatMap((field) => {
    if (from[field] === to[field]) return []
    const span = to.fieldSpans[field === 'ramBytes' ? 'ram_gb' : field] ?? to.span
    const place = { file, line: lines.range(span).start.line }
    return [{ of: 'roster_field', id: to.id, number, field, from: from[field], to: to[field], place }]
  })
}

/** Roster `a` with those of its differences to `b` that are in `taken`; it is of no text. */
export function mixRosters(
  a: RosterDocument | null,
  b: RosterDocument | null,
  taken: readonly RosterDifference[],
): RosterDocument | null {
  if (taken.length === 0) return a
  if (a === null || b === null) return b
  const before = keyed(a.entries)
  const after = keyed(b.entries)
  const entries = new Map([...after, ...before].map(({ key, entry }) => [key, entry]))
  const left = new Set<string>()
  const came = new Set<string>()
  for (const difference of taken) {
    switch (difference.of) {
      case 'roster_entry':
        ;(difference.change === 'added' ? came : left).add(keyOf(difference.id, difference.number))
        break
      case 'roster_field': {
        const key = keyOf(difference.id, difference.number)
        const mine = entries.get(key)
        const theirs = after.find((each) => each.key === key)?.entry
        if (mine && theirs) entries.set(key, { ...mine, [difference.field]: theirs[difference.field] })
        break
      }
      case 'roster':
      case 'roster_order':
        break
    }
  }
  const keysOf = (list: readonly KeyedEntry[]): string[] => list.map(({ key }) => key)
  const reordered = taken.some(({ of }) => of === 'roster_order')
  const order = reordered
    ? mergedOrder(keysOf(after), keysOf(before))
    : mergedOrder(keysOf(before), keysOf(after))
  const mine = new Set(keysOf(before))
  const kept = order.filter((key) => (mine.has(key) ? !left.has(key) : came.has(key)))
  return {
    file: a.file,
    lines: new TextLines(''),
    entries: kept.flatMap((key) => entries.get(key) ?? []),
    warnings: [],
  }
}

/** `base` with what only `other` has, each after what stands before it there. */
function mergedOrder(base: readonly string[], other: readonly string[]): string[] {
  const order = [...base]
  other.forEach((key, i) => {
    if (order.includes(key)) return
    const previous = other[i - 1]
    order.splice(previous === undefined ? 0 : order.indexOf(previous) + 1, 0, key)
  })
  return order
}
