import type { Span } from '../text-lines.ts'
import {
  beginsLine,
  breakBefore,
  breakNear,
  commentsIn,
  indentAt,
  isLineRest,
  lineStart,
  nextLine,
  skipSpaces,
  skipSpacesBack,
  standingComments,
  type EditSource,
  type SourceItem,
} from './edit-source.ts'

/** A stretch of a text and what takes its place. */
export interface Splice extends Span {
  readonly text: string
}

/** `text` with `splices` applied, which do not overlap; those at one offset go in their order. */
export function applySplices(text: string, splices: readonly Splice[]): string {
  let result = ''
  let at = 0
  for (const splice of [...splices].sort((a, b) => a.start - b.start)) {
    result += text.slice(at, splice.start) + splice.text
    at = splice.end
  }
  return result + text.slice(at)
}

/** The stretch of the new text that `splices` changed: from the first of them to the last. */
export function changedSpan(splices: readonly Splice[]): Span {
  const start = Math.min(...splices.map((splice) => splice.start))
  const growth = splices.reduce((sum, splice) => sum + splice.text.length - (splice.end - splice.start), 0)
  return { start, end: Math.max(...splices.map((splice) => splice.end)) + growth }
}

/** The stretch `span` of a text after `splices`, where what they changed belongs to it as well. */
export function widenSpan(span: Span, splices: readonly Splice[]): Span {
  const changed = changedSpan(splices)
  const growthUpTo = (offset: number): number =>
    splices
      .filter((splice) => splice.end <= offset)
      .reduce((sum, splice) => sum + splice.text.length - (splice.end - splice.start), 0)
  return {
    start: Math.min(span.start + growthUpTo(span.start), changed.start),
    end: Math.max(span.end + growthUpTo(span.end), changed.end),
  }
}

export function insertAt(offset: number, text: string): Splice {
  return { start: offset, end: offset, text }
}

function cut(start: number, end: number): Splice {
  return { start, end, text: '' }
}

/**
 * New lines at `offset`, where a line begins or the text ends. A text without a final line break stays
 * without one, but an empty text becomes one with.
 */
export function insertLines(source: EditSource, offset: number, lines: readonly string[]): Splice {
  const lineBreak = breakNear(source, offset)
  const body = lines.join(lineBreak)
  const isAfterText = offset > lineStart(source, offset)
  return insertAt(offset, isAfterText ? lineBreak + body : body + lineBreak)
}

/** Takes out an item of a block collection; null when it shares its line with what holds it. */
export function removeBlockItem(
  source: EditSource,
  items: readonly SourceItem[],
  index: number,
): Splice[] | null {
  const item = items[index]
  if (!item || !beginsLine(source, item.span.start)) return null
  return [cutLines(source, lineStart(source, item.span.start), nextLine(source, item.span.end))]
}

/** Takes out whole lines, but for the comments among them that have a line of their own. */
function cutLines(source: EditSource, start: number, end: number): Splice {
  const kept = standingComments(source, { start, end })
    .map((comment) => source.text.slice(lineStart(source, comment.start), nextLine(source, comment.end)))
    .join('')
  if (breakBefore(source, end) !== null) return { start, end, text: kept }
  // These lines end a text without a final line break, which the new last line must then lose.
  const whole = source.text.slice(0, start) + kept
  const shorter = whole.replace(/(?:\r\n|[\n\r\x85\u2028\u2029])$/, '')
  if (kept === '') return cut(Math.min(start, shorter.length), end)
  return { start, end, text: shorter.slice(start) }
}

/** Whether a flow item has lines to itself, with its comma and a comment on it at most. */
function hasOwnLines(source: EditSource, { span, commaAfter }: SourceItem): boolean {
  if (!beginsLine(source, span.start)) return false
  const rest = skipSpaces(source, span.end)
  if (!commaAfter) return isLineRest(source, rest)
  return rest === commaAfter.start && isLineRest(source, skipSpaces(source, commaAfter.end))
}

/** Adds `body` as the last item of a flow collection whose brackets hold `inside`. */
export function insertFlowItem(
  source: EditSource,
  inside: Span,
  items: readonly SourceItem[],
  body: string,
): Splice[] {
  const last = items.at(-1)
  if (!last) {
    const isBlank = skipSpaces(source, inside.start) === inside.end
    const padding = isBlank ? source.text.slice(inside.start, inside.end) : ''
    return [insertAt(inside.start, padding + body)]
  }
  const { span, commaAfter } = last
  if (hasOwnLines(source, last)) {
    const line = indentAt(source, span.start) + body + (commaAfter ? ',' : '')
    const added = insertLines(source, nextLine(source, (commaAfter ?? span).end), [line])
    return commaAfter ? [added] : [insertAt(span.end, ','), added]
  }
  if (commaAfter) return [insertAt(commaAfter.end, ` ${body},${gapAt(source, commaAfter.end)}`)]
  return [insertAt(span.end, `, ${body}${gapAt(source, span.end)}`)]
}

/**
 * A comment may follow a bracket, a quote or a comma at once, but of a plain scalar it would become a part.
 */
function gapAt({ text }: EditSource, offset: number): string {
  return text[offset] === '#' ? ' ' : ''
}

/** Takes out an item of a flow collection and one comma. */
export function removeFlowItem(
  source: EditSource,
  items: readonly SourceItem[],
  index: number,
): Splice[] | null {
  const item = items[index]
  if (!item) return null
  const { span, commaBefore, commaAfter } = item
  if (hasOwnLines(source, item)) {
    const lines = cutLines(source, lineStart(source, span.start), nextLine(source, (commaAfter ?? span).end))
    return commaAfter || !commaBefore ? [lines] : [cutComma(source, commaBefore), lines]
  }
  // The spaces in front go along, unless they indent what follows.
  const before = beginsLine(source, span.start) ? span.start : skipSpacesBack(source, span.start)
  if (!commaAfter) {
    if (!commaBefore) return [cut(before, span.end)]
    if (hasCommentBetween(source, commaBefore, span))
      return [cutComma(source, commaBefore), cut(before, span.end)]
    return [cut(commaBefore.start, span.end)]
  }
  if (hasCommentBetween(source, span, commaAfter))
    return [cut(before, span.end), cutComma(source, commaAfter)]
  const behind = skipSpaces(source, commaAfter.end)
  const isLast = index === items.length - 1
  if (isLast || isLineRest(source, behind)) {
    const gap = source.text[before - 1] === ',' ? '' : gapAt(source, commaAfter.end)
    return [{ start: before, end: commaAfter.end, text: gap }]
  }
  return [cut(span.start, behind)]
}

function hasCommentBetween(source: EditSource, before: Span, after: Span): boolean {
  return commentsIn(source, { start: before.end, end: after.start }).length > 0
}

function cutComma(source: EditSource, { start, end }: Span): Splice {
  return { start, end, text: gapAt(source, end) }
}
