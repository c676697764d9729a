import { sameOverlay } from './edit-step.ts'
import type { OverlayDocument, OverlayMention } from './types.ts'

/**
 * Whether two texts of an overlay read the same and name everything at the same places, so that nothing that is worked out
 * from one could differ for the other: a plan of either, with the places of its problems, is a plan of both. True of a
 * comment or an unfinished line typed below all that is named; false, to be safe, of a comment above it, which moves places.
 */
export function readsTheSame(a: OverlayDocument, b: OverlayDocument): boolean {
  return (
    a === b ||
    (a.file === b.file &&
      sameMentions(a.mentions, b.mentions) &&
      sameUpTo(lastEnd(a.mentions), a.lines.text, b.lines.text) &&
      sameOverlay(a.overlay, b.overlay))
  )
}

/** In the same order too: what is listed from an overlay is listed in the order of its text. */
function sameMentions(a: readonly OverlayMention[], b: readonly OverlayMention[]): boolean {
  return a.length === b.length && a.every((own, i) => sameMention(own, b[i] as OverlayMention))
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
