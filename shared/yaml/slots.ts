import {
  isAlias,
  isMap,
  isScalar,
  isSeq,
  type CST,
  type Pair,
  type ParsedNode,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'
import type { Span } from '../text-lines.ts'
import { skipBlank } from './characters.ts'

/**
 * A node where it stands: with the tokens before it, which hold its tag and its anchor. The `yaml` library's
 * own ranges begin after those, and say little of a value that is not there at all.
 */
export interface Slot {
  /** Null where a key of a flow mapping has no value at all, as in `{a}`. */
  readonly node: ParsedNode | null
  /**
   * Indicator, tag and anchor with the white space between them, if the node's parent is not a bare flow
   * pair.
   */
  readonly before: readonly CST.SourceToken[]
  /** Where to look when neither the node nor `before` says where this is. */
  readonly near: number
  readonly inFlow: boolean
}

/** One key of a mapping and its value. */
export interface Entry {
  readonly key: Slot
  readonly value: Slot
}

type ParsedPair = Pair<ParsedNode, ParsedNode | null>

const NO_TOKENS: readonly CST.SourceToken[] = []

/** The entries of a mapping in the order of the text. */
export function entriesOf(map: YAMLMap.Parsed): Entry[] {
  const inFlow = map.flow === true
  return map.items.map((pair) => ({ key: keyOf(pair, inFlow), value: valueOf(pair, inFlow) }))
}

function keyOf({ key, srcToken }: ParsedPair, inFlow: boolean): Slot {
  return { node: key, before: srcToken?.start ?? NO_TOKENS, near: key.range[1], inFlow }
}

function valueOf({ key, value, srcToken }: ParsedPair, inFlow: boolean): Slot {
  return { node: value, before: srcToken?.sep ?? NO_TOKENS, near: key.range[1], inFlow }
}

/** The items of a sequence in the order of the text. */
export function itemsOf(seq: YAMLSeq.Parsed): Slot[] {
  const inFlow = seq.flow === true
  // The library makes no item of the comments and blank lines that follow the last one.
  const tokens = seq.srcToken?.items.filter(
    (item) =>
      item.value !== undefined || item.key !== undefined || item.sep !== undefined || holdsNode(item.start),
  )
  return seq.items.map((node, index) => ({
    node,
    before: tokens?.[index]?.start ?? NO_TOKENS,
    near: node.range[0],
    inFlow,
  }))
}

function holdsNode(tokens: readonly CST.SourceToken[]): boolean {
  return tokens.some(({ type }) => type === 'seq-item-ind' || type === 'explicit-key-ind' || isProperty(type))
}

/** Whether `node` has a tag or an anchor, of which only the tokens before it know the place. */
function hasProperty(node: ParsedNode | null): boolean {
  return node?.tag !== undefined || node?.anchor !== undefined
}

function isProperty(type: CST.SourceToken['type']): boolean {
  return type === 'tag' || type === 'anchor'
}

/** Whether nothing is written where the node should be (a tag or an anchor may be). */
export function isEmpty(node: ParsedNode | null): node is Scalar.Parsed | null {
  return node === null || (isScalar(node) && node.type === 'PLAIN' && node.source === '')
}

/** Where the reference says that a node is: its tag or anchor if it has one, else its first character. */
export function spanOf(slot: Slot, text: string): Span {
  const { node } = slot
  const end = node && !isEmpty(node) ? trimmedEnd(node, text) : slot.near
  const start = startOf(slot, text)
  return { start, end: Math.max(start, end) }
}

function startOf({ node, before, near, inFlow }: Slot, text: string): number {
  const property = hasProperty(node) ? before.find(({ type }) => isProperty(type)) : undefined
  if (property) return property.offset
  if (isEmpty(node)) {
    if (inFlow) return skipBlank(text, node ? node.range[0] : near)
    const indicator = before.findLast(({ type }) => type.endsWith('-ind'))
    return indicator ? indicator.offset + indicator.source.length : near
  }
  if (isMap(node) && node.flow !== true) {
    // The library begins some block mappings only at their first colon, or behind the tag of their first key.
    const first = node.items[0]
    if (first) return Math.min(node.range[0], startOf(keyOf(first, false), text))
  }
  return node.range[0]
}

/** The end of a node's own text: block nodes reach to the next node, white space and comments included. */
function trimmedEnd(node: ParsedNode, text: string): number {
  let end = node.range[1]
  if (!isAlias(node) && (isMap(node) || isSeq(node) || node.type?.startsWith('BLOCK'))) {
    while (end > node.range[0] && /\s/.test(text.charAt(end - 1))) end--
  }
  return end
}
