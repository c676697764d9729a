import type { Span } from '../text-lines.ts'
import { scalarText } from './scalar-text.ts'
import type { ScalarSource, ScalarStyle } from './tokens.ts'

/** The tag and the anchor of a node, and where both stand. */
export interface NodeProperties {
  readonly anchor: string | null
  /** The resolved tag, such as `tag:yaml.org,2002:int` or `!local`. */
  readonly tag: string | null
  readonly span: Span
}

interface NodePlace {
  /** Null without tag and anchor. */
  readonly properties: NodeProperties | null
  /**
   * Where the node's own text begins and ends, without tag and anchor, white space and comments. Both are the
   * place where a node would go that is not there.
   */
  readonly start: number
  readonly end: number
  /** How many events of the reference's parser (nodes begun, collections ended) came before this node's. */
  readonly event: number
}

/** A plain scalar without any text stands for a value that is not there. */
export class ScalarNode implements NodePlace {
  readonly kind = 'scalar'
  readonly properties: NodeProperties | null
  readonly start: number
  readonly end: number
  readonly event: number
  readonly #source: string
  readonly #scalar: ScalarSource | null
  #text: string | null = null

  /** `scalar` is null for a value that is not there. */
  constructor(source: string, scalar: ScalarSource | null, { properties, start, end, event }: NodePlace) {
    this.properties = properties
    this.start = start
    this.end = end
    this.event = event
    this.#source = source
    this.#scalar = scalar
  }

  get style(): ScalarStyle {
    return this.#scalar?.style ?? 'plain'
  }

  /** The text with quotes, escapes and folds resolved. */
  get text(): string {
    this.#text ??= this.#scalar ? scalarText(this.#source, this.#scalar) : ''
    return this.#text
  }
}

interface AliasNode extends NodePlace {
  readonly kind: 'alias'
  readonly name: string
  /** What the alias stands for is the anchored node of this number; null when there is no such anchor. */
  readonly target: number | null
}

export interface ListNode extends NodePlace {
  readonly kind: 'list'
  readonly isFlow: boolean
  readonly items: readonly YamlNode[]
  /** Where the dash of each item stands (in a block), or the comma behind it (in brackets; the last may have none). */
  readonly marks: readonly number[]
  /** The number of the event that ends it; infinite where the text is not read that far. */
  readonly endEvent: number
}

export interface MappingNode extends NodePlace {
  readonly kind: 'mapping'
  readonly isFlow: boolean
  readonly entries: readonly Entry[]
  /** Where the comma behind each entry stands, in braces; the last may have none. */
  readonly marks: readonly number[]
  readonly endEvent: number
}

/** One key of a mapping and its value. */
export interface Entry {
  /** Where the `?` before the key stands, or else the key. */
  readonly start: number
  readonly key: YamlNode
  /** Where the `:` stands; null without one. */
  readonly colon: number | null
  readonly value: YamlNode
}

export type CollectionNode = ListNode | MappingNode
export type YamlNode = ScalarNode | AliasNode | CollectionNode

/** Whether nothing is written where the node should be (a tag or an anchor may be). */
export function isEmpty(node: YamlNode): boolean {
  return node.kind === 'scalar' && node.style === 'plain' && node.start === node.end
}

/** Where the reference says that a node is: its tag or anchor if it has one, else its first character. */
export function spanOf(node: YamlNode): Span {
  const { properties, start, end } = node
  return properties
    ? { start: properties.span.start, end: Math.max(properties.span.end, end) }
    : { start, end }
}

/** The resolved tag of `node`, such as `!local`; null when it has none. */
export function tagOf({ properties }: YamlNode): string | null {
  return properties?.tag ?? null
}
