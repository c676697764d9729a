import { isEmpty, type CollectionNode, type MappingNode, type YamlNode } from '../yaml/nodes.ts'
import { quotingOf, writeScalar, type Quoting } from './edit-scalars.ts'
import {
  beginsLine,
  indentAt,
  insideOf,
  itemsIn,
  nextLine,
  type EditSource,
  type SourceItem,
} from './edit-source.ts'
import { insertAt, insertFlowItem, insertLines, type Splice } from './edit-splices.ts'
import type { OverlayStep } from './edit-step.ts'
import type { OverlayKey } from './types.ts'

const DEFAULT_INDENT = '  '

/** A role's new entry in a section: what it is to say. */
export type NewEntry = Extract<OverlayStep, { kind: 'set' | 'list' }>

/** The section that `step` is about. */
export function sectionOf(step: OverlayStep): OverlayKey {
  return step.kind === 'list' || step.kind === 'unlist' ? 'excludes' : step.key
}

/**
 * Adds a section with one entry. In a block mapping it goes to the end of the document, behind the comments
 * there, which belong to what is above them.
 */
export function addSection(source: EditSource, root: YamlNode | null, entry: NewEntry): Splice[] {
  const key = sectionOf(entry)
  if (root?.kind === 'mapping' && root.isFlow) {
    const items = itemsIn(root)
    const quoting = quotingOf(items.at(-1)?.key) ?? 'plain'
    return addFlowItem(source, root, `${writeScalar(key, quoting)}: {${entryLine(entry, inFlow(quoting))}}`)
  }
  const sections = root?.kind === 'mapping' ? itemsIn(root) : []
  const first = sections[0]
  const indent = first ? indentAt(source, first.span.start) : ''
  const inner = indent + (indentStep(source, sections) ?? DEFAULT_INDENT)
  return [insertLines(source, source.documentEnd, [`${indent}${key}:`, inner + entryLine(entry, PLAIN)])]
}

/** How much deeper than its sections the text indents their entries. */
function indentStep(source: EditSource, sections: readonly SourceItem[]): string | null {
  for (const { span, value } of sections) {
    const entry = value.kind === 'mapping' && !value.isFlow ? itemsIn(value)[0] : undefined
    if (!entry || !beginsLine(source, entry.span.start)) continue
    const outer = indentAt(source, span.start)
    const inner = indentAt(source, entry.span.start)
    if (inner.startsWith(outer) && inner.length > outer.length) return inner.slice(outer.length)
  }
  return null
}

/** Adds an entry to a section that is there, as its last. */
export function addEntry(source: EditSource, section: SourceItem, entry: NewEntry): Splice[] | null {
  const node = section.value
  if (isEmpty(node)) {
    if (section.isInFlow) {
      const quoting = quotingOf(section.key) ?? 'plain'
      return [fillValue(section, `{${entryLine(entry, inFlow(quoting))}}`)]
    }
    const indent = indentAt(source, section.span.start) + DEFAULT_INDENT
    return [insertLines(source, nextLine(source, section.span.end), [indent + entryLine(entry, PLAIN)])]
  }
  if (node.kind !== 'mapping') return null
  const last = itemsIn(node).at(-1)
  const style = entryStyle(node, last, section.key)
  if (node.isFlow || !last) return addFlowItem(source, node, entryLine(entry, style))
  const indent = indentAt(source, last.span.start)
  const sibling = last.value
  const listed = sibling.kind === 'list' && !sibling.isFlow ? itemsIn(sibling).at(-1) : undefined
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
  const node = role.value
  if (isEmpty(node)) return [fillValue(role, writeList([exclude], 'plain'))]
  if (node.kind !== 'list') return null
  const last = itemsIn(node).at(-1)
  const quoting = quotingOf(last?.value) ?? (node.isFlow ? quotingOf(role.key) : null) ?? 'plain'
  const word = writeScalar(exclude, quoting)
  if (node.isFlow || !last) return addFlowItem(source, node, word)
  const line = indentAt(source, last.span.start) + dashOf(source, last) + word
  return [insertLines(source, nextLine(source, last.span.end), [line])]
}

/** Writes `text` where `node` stands; the value must be there. */
export function replaceValue(node: YamlNode, text: string): Splice[] | null {
  return isEmpty(node) ? null : [{ start: node.start, end: node.end, text }]
}

/** A list on one line. */
function writeList(excludes: readonly string[], quoting: Quoting): string {
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
function entryStyle(map: MappingNode, last: SourceItem | undefined, sectionKey: YamlNode | null): EntryStyle {
  const key = quotingOf(last?.key) ?? quotingOf(sectionKey) ?? 'plain'
  const value = last?.value ?? null
  const word = value?.kind === 'list' ? (itemsIn(value).at(-1)?.value ?? null) : value
  const fallback = map.isFlow ? key : 'plain'
  return { key, value: quotingOf(word) ?? fallback }
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
  return insertAt(item.valueAt, item.hasColon ? ` ${text}` : `: ${text}`)
}

function addFlowItem(source: EditSource, collection: CollectionNode, body: string): Splice[] {
  const inside = insideOf(collection)
  return inside ? insertFlowItem(source, inside, itemsIn(collection), body) : []
}

/** The dash of a list item with the spaces behind it. */
function dashOf({ text }: EditSource, item: SourceItem): string {
  return /^- +(?=[^\s#])/.exec(text.slice(item.span.start, item.span.end))?.[0] ?? '- '
}
