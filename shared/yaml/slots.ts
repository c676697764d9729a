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

const NO_TOKENS: readonly CST.SourceToken[] = []

/** The entries of a mapping in the order of the text. */
export function entriesOf(map: YAMLMap.Parsed): Entry[] {
  const inFlow = map.flow === true
  return map.items.map((pair: Pair<ParsedNode, ParsedNode | null>) => {
    const keyEnd = pair.key.range[1]
    return {
      key: { node: pair.key, before: pair.srcToken?.start ?? NO_TOKENS, near: keyEnd, inFlow },
      value: { node: pair.value, before: pair.srcToken?.sep ?? NO_TOKENS, near: keyEnd, inFlow },
    }
  })
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
  const property = before.find(({ type }) => isProperty(type))
  if (property) return property.offset
  if (isEmpty(node)) {
    if (inFlow) return skipBlank(text, node ? node.range[0] : near)
    const indicator = before.findLast(({ type }) => type.endsWith('-ind'))
    return indicator ? indicator.offset + indicator.source.length : near
  }
  if (isMap(node) && node.flow !== true) {
    // The library begins some block mappings only at their first colon, or behind the tag of their first key.
    const first = entriesOf(node)[0]
    if (first) return Math.min(node.range[0], startOf(first.key, text))
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

/** The first offset from `at` that is neither white space nor in a comment. */
function skipBlank(text: string, at: number): number {
  let offset = at
  for (;;) {
    const char = text.charAt(offset)
    if (char === '#') {
      const lineEnd = text.indexOf('\n', offset)
      if (lineEnd === -1) return text.length
      offset = lineEnd
    } else if (char === '' || !/\s/.test(char)) return offset
    else offset++
  }
}
