import type { Span } from '../text-lines.ts'
import type { CollectionNode, MappingNode } from '../yaml/nodes.ts'
import {
  beginsLine,
  commentsIn,
  indentAt,
  itemsIn,
  lineStart,
  nextLine,
  skipSpaces,
  standingComments,
  type EditSource,
  type SourceItem,
} from './edit-source.ts'
import { insertAt, removeBlockItem, removeFlowItem, type Splice } from './edit-splices.ts'

/** One way to take an item out of the text. */
export interface Removal {
  readonly splices: readonly Splice[]
  /** The item that goes: the comments on its lines, behind it, go with it. */
  readonly removed: Span
}

/** Takes the item at `index` out of `collection`, which stays. */
export function removeItem(source: EditSource, collection: CollectionNode, index: number): Removal[] {
  const items = itemsIn(collection)
  const item = items[index]
  const remove = collection.isFlow ? removeFlowItem : removeBlockItem
  const splices = remove(source, items, index)
  return item && splices ? [{ splices, removed: item.span }] : []
}

/**
 * The ways to take the entry at `index` out of a section, the best first.
 *
 * An emptied section goes with its last entry when it is written as a block, or stands in a document that is
 * one flow mapping: as a new section would be written, so that an edit and its opposite give the text back.
 * It stays as `{}`
 *
 * - where it is written in braces within a block: it may have been empty before;
 * - where a comment stands beside its key or among its entries;
 * - where a comment stands right above it and another section follows, of which that comment would then seem
 *   to speak (at the end of the document the comment stays the last line, and the section would come back
 *   below it);
 * - where the document would be refused without it.
 */
export function removeEntry(
  source: EditSource,
  root: MappingNode,
  section: SourceItem,
  index: number,
): Removal[] {
  const map = section.value
  if (map.kind !== 'mapping') return []
  const entries = itemsIn(map)
  const entry = entries[index]
  if (!entry) return []
  if (entries.length > 1) return removeItem(source, map, index)
  const sections = itemsIn(root)
  const place = sections.findIndex(({ span }) => span.start === section.span.start)
  const isSpokenOf =
    holdsOtherComments(source, section, entry) ||
    (place < sections.length - 1 && standsBelowComment(source, section))
  const whole = isSpokenOf
    ? []
    : removeItem(source, root, place).map(({ splices }) => ({ splices, removed: entry.span }))
  if (!map.isFlow) return [...whole, ...leaveBraces(source, section, entry)]
  const emptied = removeItem(source, map, index)
  return root.isFlow ? [...whole, ...emptied] : emptied
}

/** Whether the section holds comments other than those on the lines of its only entry. */
function holdsOtherComments(source: EditSource, section: SourceItem, entry: SourceItem): boolean {
  const inside = commentsIn(source, { start: section.span.start, end: nextLine(source, section.span.end) })
  if (inside.some(({ start }) => start < entry.span.start || beginsLine(source, start))) return true
  // Comments below that are indented deeper than the section's key belong to it as well.
  const depth = indentAt(source, section.span.start).length
  let line = nextLine(source, section.span.end)
  while (line < source.text.length) {
    const first = skipSpaces(source, line)
    if (source.lines[first] === '#') {
      if (first - line > depth) return true
    } else if (source.lines[first] !== '\n' && source.lines[first] !== '\r') return false
    line = nextLine(source, first)
  }
  return false
}

function standsBelowComment(source: EditSource, section: SourceItem): boolean {
  const start = lineStart(source, section.span.start)
  return start > 0 && standingComments(source, { start: lineStart(source, start - 1), end: start }).length > 0
}

function leaveBraces(source: EditSource, section: SourceItem, entry: SourceItem): Removal[] {
  const splices = removeBlockItem(source, [entry], 0)
  return splices ? [{ splices: [insertAt(section.valueAt, ' {}'), ...splices], removed: entry.span }] : []
}
