import type { Span } from '../text-lines.ts'
import { isEmpty, spanOf, tagOf, type Entry, type YamlNode } from './nodes.ts'
import { MAX_FAULTS } from './node-reader.ts'
import type { ScalarStyle } from './tokens.ts'
import type { YamlSource } from './yaml-source.ts'

/** A problem found while a YAML text is read as what it should say. */
export interface ReadFault {
  readonly code: string
  readonly message: string
  readonly span: Span
  /** The roster role it concerns, when that is known. */
  readonly role?: string
}

/** What else is known of a fault: its role, and the event up to which the text had to be read to find it. */
export interface ReportOptions {
  readonly role?: string | undefined
  readonly foundAt?: number | undefined
}

/** A scalar as the reference sees one. */
export interface ScalarValue {
  /** Its text with quotes, escapes and folds resolved. */
  readonly text: string
  readonly style: ScalarStyle
  /** The resolved tag, such as `tag:yaml.org,2002:int` or `!local`; null when there is none. */
  readonly tag: string | null
}

/** Aliases that may be followed per event of the text (docs/reference.md Y2). */
const MAX_FOLLOWED_PER_EVENT = 100

/**
 * Nodes that are read through aliases before the text is taken for an attack: a bound of our own on time and
 * memory, which no text but an attack comes near.
 */
const MAX_NODES_READ = 2_000_000

/**
 * Reads typed values out of a parsed YAML text and collects everything that is not as it should be. No method
 * throws; a null answer has its fault recorded.
 */
export class YamlReader {
  readonly source: YamlSource
  readonly #reported: (ReadFault & { readonly metAt: number })[] = []
  /** How far the text is read, in events. */
  #readTo = 0
  #partStart = 0
  #followed = 0
  #nodesRead = 0
  #isExhausted = false

  constructor(source: YamlSource) {
    this.source = source
  }

  /**
   * Records a fault at `node`, unless the parser only guessed there: behind a syntax fault in the same part of
   * the text. `foundAt` is the event that had to be read to find it, where that is not the node's own.
   */
  report(node: YamlNode, code: string, message: string, { foundAt, role }: ReportOptions = {}): void {
    const at = Math.max(this.#readTo, foundAt ?? node.event)
    const isGuess = this.source.faults.some(
      ({ event, spoils }) =>
        event <= at && (spoils === 'rest' || (spoils === 'nearby' && event >= this.#partStart)),
    )
    if (isGuess) return
    this.#readTo = foundAt === Infinity ? this.#readTo : at
    const span = this.spanOf(node)
    this.#reported.push({ code, message, span, metAt: at, ...(role === undefined ? {} : { role }) })
  }

  /** Reads a part of the text, the node `part`: syntax faults before it do not make a guess of it. */
  readPart<T>(part: YamlNode, read: () => T): T {
    const outer = this.#partStart
    this.#partStart = part.event
    const result = read()
    this.#partStart = outer
    return result
  }

  /** How many faults were reported so far. */
  get reported(): number {
    return this.#reported.length
  }

  /**
   * The faults of the text, those of its syntax under `syntaxCode`, in the order in which the reference would
   * meet them if it did not stop at the first. Behind the first hundred one fault stands for the rest.
   */
  faults(syntaxCode: string): ReadFault[] {
    const syntax = this.source.faults.map(({ message, span, event }) => ({
      code: syntaxCode,
      message,
      span,
      metAt: event,
    }))
    // A fault of the syntax lies between the events before it and the one that it prevents.
    const all = [...syntax, ...this.#reported].sort((a, b) =>
      a.metAt < b.metAt ? -1 : a.metAt > b.metAt ? 1 : 0,
    )
    const next = all[MAX_FAULTS]
    if (!next) return all
    const message = `there are ${all.length - MAX_FAULTS} more problems from here on: fix those above first`
    return [...all.slice(0, MAX_FAULTS), { code: 'too-many-problems', message, span: next.span }]
  }

  /** Where `node` stands, its tag and anchor included. */
  spanOf(node: YamlNode): Span {
    return spanOf(node)
  }

  /** `node` itself or what its alias stands for; null when that is nothing, which a fault says already. */
  follow(node: YamlNode): YamlNode | null {
    if (node.event > this.#readTo) this.#readTo = node.event
    if (node.kind !== 'alias') return node
    if (node.target === null) return null
    this.#followed++
    if (this.#followed <= MAX_FOLLOWED_PER_EVENT * this.source.events && this.#nodesRead <= MAX_NODES_READ) {
      return this.source.anchored[node.target] ?? null
    }
    if (!this.#isExhausted) {
      this.#isExhausted = true
      this.report(node, 'yaml-too-many-aliases', 'aliases repeat too much of this text: write the values out')
    }
    return null
  }

  /** The resolved tag of what stands at `node`, such as `!local`; null when it has none. */
  tag(node: YamlNode): string | null {
    return tagOf(node)
  }

  /** The scalar at `node`, or null when it is none; nothing at all is an empty plain scalar. */
  scalar(node: YamlNode): ScalarValue | null {
    if (node.kind !== 'scalar') return null
    return { text: node.text, style: node.style, tag: tagOf(node) }
  }

  /** The items of the list at `node`, none where nothing is written, or null when it is no list. */
  items(node: YamlNode): readonly YamlNode[] | null {
    if (node.kind !== 'list') return isEmpty(node) ? [] : null
    this.#nodesRead += node.items.length
    return node.items
  }

  /** The entries of the mapping at `node`, none where nothing is written, or null when it is no mapping. */
  entries(node: YamlNode): readonly Entry[] | null {
    if (node.kind !== 'mapping') return isEmpty(node) ? [] : null
    this.#nodesRead += node.entries.length
    return node.entries
  }
}

const MAX_QUOTED = 40

/** What stands at `node`, for a message: `a list`, `a mapping`, `nothing`, or the scalar as written. */
export function describe(reader: YamlReader, node: YamlNode): string {
  switch (node.kind) {
    case 'list':
      return 'a list'
    case 'mapping':
      return 'a mapping'
    case 'alias':
      return `the alias \`*${node.name}\``
    case 'scalar': {
      if (isEmpty(node) && !node.properties?.tag) return 'nothing'
      const { start, end } = reader.spanOf(node)
      const written = reader.source.text.slice(start, Math.min(end, start + MAX_QUOTED))
      return end - start > MAX_QUOTED ? `${written}…` : written
    }
  }
}
