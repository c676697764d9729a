import { isAlias, isMap, isScalar, isSeq, type Scalar } from 'yaml'
import type { Span } from '../text-lines.ts'
import type { YamlSource } from './yaml-source.ts'
import { MAX_FAULTS } from './scanner.ts'
import { entriesOf, isEmpty, itemsOf, spanOf, type Entry, type Slot } from './slots.ts'

/** A problem found while a YAML text is read as what it should say. */
export interface ReadFault {
  readonly code: string
  readonly message: string
  readonly span: Span
  /** The roster role it concerns, when that is known. */
  readonly role?: string
}

/** What else is known of a fault: its role, and the offset that had to be read to know it. */
export interface ReportOptions {
  readonly role?: string | undefined
  readonly foundAt?: number | undefined
}

/** A scalar as the reference sees one. */
export interface ScalarValue {
  /** Its text with quotes, escapes and folds resolved. */
  readonly text: string
  readonly style: 'plain' | 'quoted' | 'literal' | 'folded'
  /** The resolved tag, such as `tag:yaml.org,2002:int` or `!local`; null when there is none. */
  readonly tag: string | null
}

/**
 * Aliases that may be followed per character of the text, and nodes that may be read in all, before the text
 * is taken for an attack. The reference allows 100 aliases per node, and a node takes a character at least.
 */
const MAX_FOLLOWED_PER_CHARACTER = 100
const MAX_NODES_READ = 2_000_000

/**
 * Reads typed values out of a parsed YAML text and collects everything that is not as it should be. No method
 * throws; a null answer has its fault recorded.
 */
export class YamlReader {
  readonly source: YamlSource
  readonly #reported: (ReadFault & { readonly metAt: number })[] = []
  /** How far the text was read when the last fault was found. */
  #metAt = 0
  #partStart = 0
  #followed = 0
  #nodesRead = 0
  #isExhausted = false

  constructor(source: YamlSource) {
    this.source = source
  }

  /**
   * Records a fault at `slot`, unless the parser only guessed there: behind a syntax fault in the same part
   * of the text. `foundAt` is the offset that had to be read to know it, where that is not the slot itself.
   */
  report(slot: Slot, code: string, message: string, { foundAt, role }: ReportOptions = {}): void {
    const span = this.spanOf(slot)
    const at = foundAt ?? span.start
    const isGuess = this.source.faults.some(
      ({ span: { start }, spoils }) =>
        start <= at && (spoils === 'rest' || (spoils === 'nearby' && start >= this.#partStart)),
    )
    if (isGuess) return
    this.#metAt = Math.max(this.#metAt, at)
    this.#reported.push({ code, message, span, metAt: this.#metAt, ...(role === undefined ? {} : { role }) })
  }

  /** Reads a part of the text that begins at `start`: syntax faults before it do not make a guess of it. */
  readPart<T>(start: number, read: () => T): T {
    const outer = this.#partStart
    this.#partStart = start
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
    const syntax = this.source.faults.map(({ message, span }) => ({
      code: syntaxCode,
      message,
      span,
      metAt: span.start,
    }))
    const all = [...this.#reported, ...syntax].sort((a, b) => a.metAt - b.metAt)
    const next = all[MAX_FAULTS]
    if (!next) return all
    const message = `there are ${all.length - MAX_FAULTS} more problems from here on: mend those above first`
    return [...all.slice(0, MAX_FAULTS), { code: 'too-many-problems', message, span: next.span }]
  }

  /** Where `slot` stands, its tag and anchor included. */
  spanOf(slot: Slot): Span {
    return spanOf(slot, this.source.text)
  }

  /** `slot` itself or what its alias stands for; null when that is nothing, which a fault says already. */
  follow(slot: Slot): Slot | null {
    const { node } = slot
    if (!isAlias(node)) return slot
    this.#followed++
    if (
      this.#followed <= MAX_FOLLOWED_PER_CHARACTER * this.source.text.length &&
      this.#nodesRead <= MAX_NODES_READ
    ) {
      return this.source.aliases.targets.get(node) ?? null
    }
    if (!this.#isExhausted) {
      this.#isExhausted = true
      this.report(slot, 'yaml-too-many-aliases', 'aliases repeat too much of this text: write the values out')
    }
    return null
  }

  /** The resolved tag of what stands at `slot`, such as `!local`; null when it has none. */
  tag({ node }: Slot): string | null {
    return node?.tag ?? null
  }

  /** The scalar at `slot`, or null when it is a collection; nothing at all is an empty plain scalar. */
  scalar(slot: Slot): ScalarValue | null {
    const { node } = slot
    if (node === null) return { text: '', style: 'plain', tag: null }
    if (!isScalar(node)) return null
    // The library ends every block scalar with a line break, also where the text has none.
    const isOpen = node.range[0] === this.source.openBlockScalar
    const text = isOpen ? node.source.replace(/\n$/, '') : node.source
    return { text, style: STYLES[node.type ?? 'PLAIN'], tag: node.tag ?? null }
  }

  /** The items of the sequence at `slot`, none where nothing is written, or null when it is no sequence. */
  items(slot: Slot): Slot[] | null {
    const { node } = slot
    if (isEmpty(node)) return []
    if (!isSeq(node)) return null
    this.#nodesRead += node.items.length
    return itemsOf(node)
  }

  /** The entries of the mapping at `slot`, none where nothing is written, or null when it is no mapping. */
  entries(slot: Slot): Entry[] | null {
    const { node } = slot
    if (isEmpty(node)) return []
    if (!isMap(node)) return null
    this.#nodesRead += node.items.length
    return entriesOf(node)
  }
}

const STYLES: Readonly<Record<Scalar.Type, ScalarValue['style']>> = {
  PLAIN: 'plain',
  QUOTE_DOUBLE: 'quoted',
  QUOTE_SINGLE: 'quoted',
  BLOCK_LITERAL: 'literal',
  BLOCK_FOLDED: 'folded',
}

/** What stands at `slot`, for a message: `a list`, `a mapping`, `nothing`, or the scalar as written. */
export function describe(reader: YamlReader, slot: Slot): string {
  const { node } = slot
  if (isSeq(node)) return 'a list'
  if (isMap(node)) return 'a mapping'
  if (isAlias(node)) return `the alias \`*${node.source}\``
  if (isEmpty(node) && !node?.tag) return 'nothing'
  const { start, end } = reader.spanOf(slot)
  const written = reader.source.text.slice(start, end)
  return written.length > 40 ? `${written.slice(0, 40)}…` : written
}
