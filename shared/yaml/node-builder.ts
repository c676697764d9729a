import { ScalarNode, type NodeProperties, type YamlNode } from './nodes.ts'
import type { OpenCollection, OpenList, OpenMapping } from './open-collections.ts'
import type { Token } from './tokens.ts'

/**
 * Puts nodes into the collections that are open, and counts the events that the reference's parser would make
 * of them. The stack is its own, so that a text may nest collections as deep as it likes.
 */
export class NodeBuilder {
  readonly anchored: YamlNode[] = []
  /** Nodes begun and collections ended so far. */
  events = 0
  /** Whether the last node is nothing but a tag or an anchor. */
  isBehindProperties = false
  readonly #text: string
  readonly #open: OpenCollection[] = []
  readonly #anchorNumbers = new Map<string, number>()

  constructor(text: string) {
    this.#text = text
  }

  /** The innermost collection that is open. */
  get innermost(): OpenCollection | undefined {
    return this.#open.at(-1)
  }

  /** The number of the anchor of this name; null when there is none. */
  anchorNumber(name: string): number | null {
    return this.#anchorNumbers.get(name) ?? null
  }

  addScalar({ start, end, content }: Token, properties: NodeProperties | null): void {
    const scalar = content?.kind === 'scalar' ? content : null
    this.add(new ScalarNode(this.#text, scalar, { properties, start, end, event: this.events }))
  }

  /** A value that is not there, but for a tag or an anchor; its place is `at`. */
  addMissing(at: number, properties: NodeProperties | null = null): void {
    this.add(new ScalarNode(this.#text, null, { properties, start: at, end: at, event: this.events }))
    this.isBehindProperties = properties !== null
  }

  /**
   * Adds a node to the innermost collection. The reference numbers anchors by how many names it knows: where a
   * name is given again, the next new name gets the same number, and the aliases of both stand for its node.
   */
  add(node: YamlNode): void {
    this.events++
    this.isBehindProperties = false
    const anchor = node.properties?.anchor ?? null
    if (anchor !== null) {
      const number = this.#anchorNumbers.size
      this.#anchorNumbers.set(anchor, number)
      this.anchored[number] = node
    }
    this.innermost?.add(node)
  }

  /** Adds a collection, which is the innermost from here on. */
  openNode(collection: OpenList | OpenMapping): void {
    this.add(collection.node)
    this.#open.push(collection)
  }

  /** Opens what is no node itself. */
  open(collection: OpenCollection): void {
    this.#open.push(collection)
  }

  /** Ends the innermost collection, whose last character is before `end`. */
  close(end: number): void {
    const collection = this.#open.pop()
    if (!collection || !('node' in collection)) return
    collection.node.end = Math.max(collection.node.start, end)
    collection.node.endEvent = this.events++
  }

  /** Ends all collections where the text is read no further. */
  breakOff(): void {
    for (let collection = this.#open.pop(); collection; collection = this.#open.pop()) {
      if ('breakOff' in collection) collection.breakOff(this.#text)
    }
  }
}
