import {
  ScalarNode,
  type Entry,
  type ListNode,
  type MappingNode,
  type NodeProperties,
  type YamlNode,
} from './nodes.ts'
import type { Token } from './tokens.ts'

/** The collections that are open while a text is parsed, each with the node that it becomes. */
export type OpenCollection = OpenDocument | OpenUnread | OpenList | OpenMapping

type Writable<T> = { -readonly [K in keyof T]: T[K] }

/** The document, which holds one node. */
export class OpenDocument {
  readonly kind = 'document'
  root: YamlNode | null = null

  add(node: YamlNode): void {
    this.root = node
  }
}

/** Holds a node that has no place in the text and is dropped. */
export class OpenUnread {
  readonly kind = 'unread'
  isFilled = false

  add(): void {
    this.isFilled = true
  }
}

/** A list; an indentless one stands at the column of the mapping that it is a value of. */
export class OpenList {
  readonly kind: 'block-list' | 'indentless-list' | 'flow-list'
  readonly node: Writable<ListNode>
  readonly marks: number[] = []
  /** Whether an item was begun, so that a comma comes next. */
  needsComma = false
  readonly #items: YamlNode[] = []

  constructor(kind: OpenList['kind'], event: number, properties: NodeProperties | null, start: number) {
    this.kind = kind
    this.node = {
      kind: 'list',
      isFlow: kind === 'flow-list',
      items: this.#items,
      marks: this.marks,
      properties,
      start,
      end: start,
      event,
      endEvent: Infinity,
    }
  }

  add(node: YamlNode): void {
    this.#items.push(node)
  }
}

/** A mapping; a flow pair is one that stands in a list without braces of its own, as in `[a: b]`. */
export class OpenMapping {
  readonly kind: 'block-mapping' | 'flow-mapping' | 'flow-pair'
  readonly node: Writable<MappingNode>
  readonly marks: number[] = []
  needsComma = false
  /** What comes next; a pair ends behind its only value. */
  stage: 'key' | 'value' | 'end' = 'key'
  /** Whether the key stands in braces and has no `:`. */
  hasBareKey = false
  readonly #entries: Entry[] = []
  #start = 0
  #key: YamlNode | null = null
  #colon: number | null = null

  constructor(kind: OpenMapping['kind'], event: number, properties: NodeProperties | null, start: number) {
    this.kind = kind
    this.node = {
      kind: 'mapping',
      isFlow: kind !== 'block-mapping',
      entries: this.#entries,
      marks: this.marks,
      properties,
      start,
      end: start,
      event,
      endEvent: Infinity,
    }
  }

  /** An entry begins at `token`: its `?`, or what its key begins with. */
  beginEntry({ start }: Token, isBareKey = false): void {
    this.#start = start
    this.#colon = null
    this.hasBareKey = isBareKey
  }

  setColon(at: number): void {
    this.#colon = at
  }

  add(node: YamlNode): void {
    if (this.stage === 'key') {
      this.#key = node
      this.stage = 'value'
    } else if (this.#key) {
      this.#entries.push({ start: this.#start, key: this.#key, colon: this.#colon, value: node })
      this.#key = null
      this.stage = this.kind === 'flow-pair' ? 'end' : 'key'
    }
  }

  /** Gives the last key a value when the text is read no further. */
  breakOff(text: string): void {
    if (!this.#key) return
    const { end } = this.#key
    this.add(new ScalarNode(text, null, { properties: null, start: end, end, event: Infinity }))
  }
}
