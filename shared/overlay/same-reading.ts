import type { Overlay, OverlayDocument, OverlayMention } from './types.ts'

/**
 * Whether two texts of an overlay read the same and name everything at the same places, so that nothing that is worked out
 * from one could differ for the other: a plan of either, with the places of its problems, is a plan of both. True of a
 * comment or an unfinished line typed below all that is named; false, to be safe, of a comment above it, which moves places.
 */
export function readsTheSame(a: OverlayDocument, b: OverlayDocument): boolean {
  return (
    a === b ||
    (a.file === b.file &&
      sameList(a.mentions, b.mentions, sameMention) &&
      sameUpTo(lastEnd(a.mentions), a.lines.text, b.lines.text) &&
      sameOverlay(a.overlay, b.overlay))
  )
}

function sameOverlay(a: Overlay, b: Overlay): boolean {
  return (
    sameMap(a.excludes, b.excludes, (own, other) => sameList(own, other, Object.is)) &&
    sameMap(a.latencyClass, b.latencyClass, Object.is) &&
    sameMap(a.sticky, b.sticky, Object.is)
  )
}

function sameMention(a: OverlayMention, b: OverlayMention): boolean {
  return (
    a.span.start === b.span.start &&
    a.span.end === b.span.end &&
    a.key === b.key &&
    a.role === b.role &&
    a.exclude === b.exclude
  )
}

function lastEnd(mentions: readonly OverlayMention[]): number {
  return mentions.reduce((last, { span }) => Math.max(last, span.end), 0)
}

/** Lines and columns of what stands before `end` follow from the text before it alone. */
function sameUpTo(end: number, a: string, b: string): boolean {
  return a.slice(0, end) === b.slice(0, end)
}

function sameList<T>(a: readonly T[], b: readonly T[], same: (own: T, other: T) => boolean): boolean {
  return a.length === b.length && a.every((own, i) => same(own, b[i] as T))
}

/** In the same order too: what is listed from a map is listed in its order. */
function sameMap<T>(
  a: ReadonlyMap<string, T>,
  b: ReadonlyMap<string, T>,
  same: (own: T, other: T) => boolean,
): boolean {
  return sameList([...a], [...b], ([key, own], [otherKey, other]) => key === otherKey && same(own, other))
}
