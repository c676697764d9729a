import type { LatencyClass } from '../inference-spec.ts'
import { EMPTY_OVERLAY, type Overlay, type OverlayDocument, type OverlayKey } from '../overlay/types.ts'
import { withOverlay } from '../overlay/with-overlay.ts'
import type { InputPlace } from './input-place.ts'
import { sameValue } from './equal.ts'

/** One thing that two overlays say differently; null stands for not said at all. `place` is where the line is. */
export type OverlayDifference =
  | {
      readonly of: 'exclude'
      readonly role: string
      /** As written. */
      readonly entry: string
      readonly change: 'added' | 'removed'
      readonly place: InputPlace | null
    }
  /** The same excludes in another order, or one of them more than once. */
  | { readonly of: 'exclude_order'; readonly role: string; readonly place: InputPlace | null }
  | {
      readonly of: 'latency_class'
      readonly role: string
      readonly from: LatencyClass | null
      readonly to: LatencyClass | null
      readonly place: InputPlace | null
    }
  | {
      readonly of: 'sticky'
      readonly role: string
      readonly from: boolean | null
      readonly to: boolean | null
      readonly place: InputPlace | null
    }

/** Everything that overlay `b` says differently from `a`. */
export function overlayDifferences(
  a: OverlayDocument | null,
  b: OverlayDocument | null,
): OverlayDifference[] {
  const before = a?.overlay ?? EMPTY_OVERLAY
  const after = b?.overlay ?? EMPTY_OVERLAY
  return [
    ...bothKeys(before.excludes, after.excludes).flatMap((role) => excludeDifferences(role, a, b)),
    ...valueDifferences('latency_class', before.latencyClass, after.latencyClass, a, b),
    ...valueDifferences('sticky', before.sticky, after.sticky, a, b),
  ]
}

function bothKeys(a: ReadonlyMap<string, unknown>, b: ReadonlyMap<string, unknown>): string[] {
  return [...new Set([...a.keys(), ...b.keys()])]
}

function excludeDifferences(
  role: string,
  a: OverlayDocument | null,
  b: OverlayDocument | null,
): OverlayDifference[] {
  const before = a?.overlay.excludes.get(role) ?? []
  const after = b?.overlay.excludes.get(role) ?? []
  const removed = [...new Set(before)].filter((entry) => !after.includes(entry))
  const added = [...new Set(after)].filter((entry) => !before.includes(entry))
  if (removed.length === 0 && added.length === 0) {
    return sameValue(before, after)
      ? []
      : [{ of: 'exclude_order', role, place: placeOf(b, 'excludes', role, null) }]
  }
  return [
    ...removed.map((entry): OverlayDifference => {
      return { of: 'exclude', role, entry, change: 'removed', place: placeOf(a, 'excludes', role, entry) }
    }),
    ...added.map((entry): OverlayDifference => {
      return { of: 'exclude', role, entry, change: 'added', place: placeOf(b, 'excludes', role, entry) }
    }),
  ]
}

function valueDifferences<K extends 'latency_class' | 'sticky', V>(
  of: K,
  before: ReadonlyMap<string, V>,
  after: ReadonlyMap<string, V>,
  a: OverlayDocument | null,
  b: OverlayDocument | null,
) {
  return bothKeys(before, after).flatMap((role) => {
    const from = before.get(role) ?? null
    const to = after.get(role) ?? null
    if (from === to) return []
    return [
      { of, role, from, to, place: to === null ? placeOf(a, of, role, null) : placeOf(b, of, role, null) },
    ]
  })
}

/** Where the last mention of it stands: of a role given twice the last counts. */
function placeOf(
  document: OverlayDocument | null,
  key: OverlayKey,
  role: string,
  exclude: string | null,
): InputPlace | null {
  const mention = document?.mentions.findLast(
    (each) => each.key === key && each.role === role && each.exclude === exclude,
  )
  if (!document || !mention) return null
  return { file: document.file, line: document.lines.range(mention.span).start.line }
}

/** Overlay `a` with those of its differences to `b` that are in `taken`. */
export function mixOverlays(
  a: OverlayDocument | null,
  b: OverlayDocument | null,
  taken: readonly OverlayDifference[],
): OverlayDocument | null {
  if (taken.length === 0) return a
  const before = a?.overlay ?? EMPTY_OVERLAY
  const after = b?.overlay ?? EMPTY_OVERLAY
  const excludes = new Map(before.excludes)
  const latencyClass = new Map(before.latencyClass)
  const sticky = new Map(before.sticky)
  for (const difference of taken) {
    const { role } = difference
    switch (difference.of) {
      case 'exclude':
      case 'exclude_order':
        excludes.set(role, mixedExcludes(role, before, after, taken))
        break
      case 'latency_class':
        set(latencyClass, role, difference.to)
        break
      case 'sticky':
        set(sticky, role, difference.to)
    }
  }
  return withOverlay(a ?? b, { excludes, latencyClass, sticky })
}

function set<V>(map: Map<string, V>, role: string, value: V | null): void {
  if (value === null) map.delete(role)
  else map.set(role, value)
}

/** With all differences of the role taken this is `after`'s list, in its order. */
function mixedExcludes(
  role: string,
  { excludes: before }: Overlay,
  { excludes: after }: Overlay,
  taken: readonly OverlayDifference[],
): readonly string[] {
  const from = before.get(role) ?? []
  const to = after.get(role) ?? []
  const own = taken.filter((each) => each.role === role)
  if (own.some(({ of }) => of === 'exclude_order')) return to
  const entries = new Set(from)
  for (const each of own) {
    if (each.of !== 'exclude') continue
    if (each.change === 'removed') entries.delete(each.entry)
    else entries.add(each.entry)
  }
  const isWhole = entries.size === new Set(to).size && to.every((entry) => entries.has(entry))
  return isWhole ? to : [...entries]
}
