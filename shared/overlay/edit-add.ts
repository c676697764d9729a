import { isAlias, isMap, isSeq, type ParsedNode, type YAMLMap } from 'yaml'
import { isEmpty, type Slot } from '../yaml/slots.ts'
import { quotingOf, writeScalar, type Quoting } from './edit-scalars.ts'
import {
  beginsLine,
  indentAt,
  insideOf,
  itemsIn,
  nextLine,
  nodeSpan,
  tagSpan,
  type Collection,
  type EditSource,
  type SourceItem,
} from './edit-source.ts'
import { insertAt, insertFlowItem, insertLines, type Splice } from './edit-splices.ts'
import type { OverlayStep } from './edit-step.ts'
import type { OverlayKey } from './types.ts'

const DEFAULT_INDENT = '  '

/** A role's new entry in a section: what it is to say. */
export type NewEntry = Extract<OverlayStep, { kind: 'set' | 'list' }>

/** The section that `entry` belongs to. */
export function sectionOf(entry: NewEntry): OverlayKey {
  return entry.kind === 'list' ? 'excludes' : entry.key
}

/**
 * Adds a section with one entry. In a block mapping it goes to the end of the document, behind the comments
 * there, which belong to what is above them.
 */
export function addSection(source: EditSource, root: ParsedNode | null, entry: NewEntry): Splice[] {
  const key = sectionOf(entry)
  if (isMap(root) && root.flow === true) {
    const items = itemsIn(root)
    const quoting = quotingOf(items.at(-1)?.key) ?? 'plain'
    return addFlowItem(source, root, `${writeScalar(key, quoting)}: {${entryLine(entry, inFlow(quoting))}}`)
  }
  const sections = isMap(root) ? itemsIn(root) : []
  const first = sections[0]
  const indent = first ? indentAt(source, first.span.start) : ''
  const inner = indent + (indentStep(source, sections) ?? DEFAULT_INDENT)
  return [insertLines(source, source.documentEnd, [`${indent}${key}:`, inner + entryLine(entry, PLAIN)])]
}

/** How much deeper than its sections the text indents their entries. */
function indentStep(source: EditSource, sections: readonly SourceItem[]): string | null {
  for (const { span, value } of sections) {
    const entry = isMap(value.node) && value.node.flow !== true ? itemsIn(value.node)[0] : undefined
    if (!entry || !beginsLine(source, entry.span.start)) continue
    const outer = indentAt(source, span.start)
    const inner = indentAt(source, entry.span.start)
    if (inner.startsWith(outer) && inner.length > outer.length) return inner.slice(outer.length)
  }
  return null
}

/** Adds an entry to a section that is there, as its last. */
export function addEntry(source: EditSource, section: SourceItem, entry: NewEntry): Splice[] | null {
  const { node } = section.value
  if (isEmpty(node)) {
    if (section.value.inFlow) {
      const quoting = quotingOf(section.key) ?? 'plain'
      return [fillValue(section, `{${entryLine(entry, inFlow(quoting))}}`)]
    }
    const indent = indentAt(source, section.span.start) + DEFAULT_INDENT
    return [insertLines(source, nextLine(source, section.span.end), [indent + entryLine(entry, PLAIN)])]
  }
  if (!isMap(node)) return null
  const last = itemsIn(node).at(-1)
  const style = entryStyle(node, last, section.key)
  if (node.flow === true || !last) return addFlowItem(source, node, entryLine(entry, style))
  const indent = indentAt(source, last.span.start)
  const sibling = last.value.node
  const listed = isSeq(sibling) && sibling.flow !== true ? itemsIn(sibling).at(-1) : undefined
  const lines =
    entry.kind === 'list' && listed
      ? [
          `${indent}${writeScalar(entry.role, style.key)}:`,
          indentAt(source, listed.span.start) +
            dashOf(source, listed) +
            writeScalar(entry.exclude, style.value),
        ]
      : [indent + entryLine(entry, style)]
  return [insertLines(source, nextLine(source, last.span.end), lines)]
}

/** Adds an exclude to a role's list that is there, as its last. */
export function addListed(source: EditSource, role: SourceItem, exclude: string): Splice[] | null {
  const { node } = role.value
  if (isEmpty(node)) return [fillValue(role, writeList([exclude], 'plain'))]
  if (!isSeq(node)) return null
  const last = itemsIn(node).at(-1)
  const quoting = quotingOf(last?.value.node) ?? (node.flow === true ? quotingOf(role.key) : null) ?? 'plain'
  const word = writeScalar(exclude, quoting)
  if (node.flow === true || !last) return addFlowItem(source, node, word)
  const line = indentAt(source, last.span.start) + dashOf(source, last) + word
  return [insertLines(source, nextLine(source, last.span.end), [line])]
}

/** Writes `text` where the value of `slot` stands, in place of its tag too; the value must be there. */
export function replaceValue(slot: Slot, text: string): Splice | null {
  const tag = tagSpan(slot)
  const own = slot.node && !isEmpty(slot.node) ? nodeSpan(slot.node) : null
  const first = tag ?? own
  const last = own ?? tag
  return first && last ? { start: first.start, end: last.end, text } : null
}

/** A list on one line. */
export function writeList(excludes: readonly string[], quoting: Quoting): string {
  return `[${excludes.map((exclude) => writeScalar(exclude, quoting)).join(', ')}]`
}

interface EntryStyle {
  readonly key: Quoting
  readonly value: Quoting
}

const PLAIN: EntryStyle = { key: 'plain', value: 'plain' }

function inFlow(quoting: Quoting): EntryStyle {
  return { key: quoting, value: quoting }
}

/**
 * New entries are quoted as the last one of their section is; in an empty one of flow style as its key is.
 */
function entryStyle(
  map: YAMLMap.Parsed,
  last: SourceItem | undefined,
  sectionKey: ParsedNode | null,
): EntryStyle {
  const key = quotingOf(last?.key) ?? quotingOf(sectionKey) ?? 'plain'
  const value = last?.value.node ?? null
  const word = isSeq(value) ? (itemsIn(value).at(-1)?.value.node ?? null) : value
  const fallback = map.flow === true ? key : 'plain'
  return { key, value: isAlias(word) ? fallback : (quotingOf(word) ?? fallback) }
}

/** An entry as one line, which is also how it stands in a flow mapping. */
function entryLine(entry: NewEntry, style: EntryStyle): string {
  return `${writeScalar(entry.role, style.key)}: ${entryValue(entry, style.value)}`
}

function entryValue(entry: NewEntry, quoting: Quoting): string {
  if (entry.kind === 'list') return writeList([entry.exclude], quoting)
  return entry.key === 'sticky' ? String(entry.value) : writeScalar(entry.value, quoting)
}

/** Gives a key without a value one. */
function fillValue(item: SourceItem, text: string): Splice {
  const hasColon = item.value.before.some(({ type }) => type === 'map-value-ind')
  return insertAt(item.valueAt, hasColon ? ` ${text}` : `: ${text}`)
}

function addFlowItem(source: EditSource, collection: Collection, body: string): Splice[] {
  const inside = insideOf(collection)
  return inside ? insertFlowItem(source, inside, itemsIn(collection), body) : []
}

/** The dash of a list item with the spaces behind it. */
function dashOf({ text }: EditSource, item: SourceItem): string {
  return /^- +(?=[^\s#])/.exec(text.slice(item.span.start, item.span.end))?.[0] ?? '- '
}
