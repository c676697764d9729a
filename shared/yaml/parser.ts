import type { Task } from '../task.ts'
import { isBlank, isBreak } from './characters.ts'
import { ScalarNode, type NodeProperties, type YamlNode } from './nodes.ts'
import { OpenDocument, OpenList, OpenMapping, OpenUnread, type OpenCollection } from './open-collections.ts'
import { fault, type ScanFault } from './scan-fault.ts'
import { Scanner, type ByteOrderMark } from './scanner.ts'
import { misplacedProperty, noContent, secondDocument, unexpectedIn, type Context } from './syntax-advice.ts'
import { TagHandles } from './tag-handles.ts'
import type { TagSource, Token, TokenKind } from './tokens.ts'

/** After so many faults a text is read no further. */
export const MAX_FAULTS = 100

/** About a millisecond's worth. */
const STEPS_A_PART = 512

/** A fault, and how many events of the reference's parser came before it. */
export interface ParseFault extends ScanFault {
  readonly event: number
}

/** The document of a text. */
export interface ParsedDocument {
  /** Null when the text holds no document at all. */
  readonly root: YamlNode | null
  readonly anchored: readonly YamlNode[]
  readonly faults: readonly ParseFault[]
  readonly events: number
  /** Where the line of the document's end stands; null without one. */
  readonly endMarker: number | null
}

/**
 * Makes nodes of a text's tokens by the grammar of YAML 1.1 (reference: libyaml's parser, its oddities
 * included). It keeps the collections that are open on a stack of its own, so that a text may nest them as
 * deep as it likes. Behind a fault that leaves the rest readable it passes what has no place and reads on.
 */
export class Parser {
  readonly #text: string
  readonly #scanner: Scanner
  readonly #handles = new TagHandles()
  readonly #faults: ParseFault[] = []
  readonly #open: OpenCollection[] = []
  readonly #anchorNumbers = new Map<string, number>()
  readonly #anchored: YamlNode[] = []
  #document: OpenDocument | null = null
  #events = 0
  #endMarker: number | null = null
  #isStopped = false
  /** Whether the last node is nothing but a tag or an anchor. */
  #isBehindProperties = false
  /** The end of the last token that stands for characters of the text. */
  #lastEnd = 0

  constructor(text: string, byteOrderMark: ByteOrderMark) {
    this.#text = text
    this.#scanner = new Scanner(text, byteOrderMark, (found) => this.#note(found))
  }

  get comments(): Scanner['comments'] {
    return this.#scanner.comments
  }

  /** Reads the text up to its end, or to the first fault behind which nothing can be read. */
  *parse(): Task<ParsedDocument> {
    this.#beginDocument()
    for (let steps = 1; !this.#isStopped; steps++) {
      if (steps % STEPS_A_PART === 0) yield
      const collection = this.#open.at(-1)
      if (!collection) break
      this.#step(collection)
    }
    if (!this.#isStopped && this.#document) this.#endDocument()
    for (let collection = this.#open.pop(); collection; collection = this.#open.pop()) {
      if ('breakOff' in collection) collection.breakOff(this.#text)
    }
    return {
      root: this.#document?.root ?? null,
      anchored: this.#anchored,
      faults: this.#faults,
      events: this.#events,
      endMarker: this.#endMarker,
    }
  }

  /** Notes a fault; answers whether the text is to be read no further. */
  #note(found: ScanFault): boolean {
    if (this.#isStopped) return true
    this.#faults.push({ ...found, event: this.#events })
    if (found.spoils === 'rest' || this.#faults.length >= MAX_FAULTS) {
      this.#isStopped = true
      this.#scanner.stop()
    }
    return this.#isStopped
  }

  #peek(): Token {
    return this.#scanner.peek()
  }

  #take({ start, end }: Token): void {
    if (end > start) this.#lastEnd = end
    this.#scanner.take()
  }

  #beginDocument(): void {
    let token = this.#peek()
    if (token.kind === 'text-end') return
    const directives = token.kind === 'directive'
    while (token.kind === 'directive') {
      const { content } = token
      if (content?.kind === 'version' || content?.kind === 'tag-handle') {
        const repeated = this.#handles.declare(content)
        if (repeated !== null) {
          this.#note(fault(token.start, `${repeated} is declared twice: remove one of the lines`))
        }
      }
      this.#take(token)
      token = this.#peek()
      if (this.#isStopped) return
    }
    if (token.kind === 'document-start') {
      this.#document = new OpenDocument()
      this.#open.push(this.#document)
      this.#take(token)
      const { kind, start } = this.#peek()
      if (!endsDocument(kind) || this.#isStopped) return
      this.#addMissing(start)
    } else if (directives) {
      this.#note(
        fault(
          token.start,
          token.kind === 'text-end'
            ? 'directives must be followed by a line of --- and a document'
            : 'directives end with a line of ---: put one before this one',
        ),
      )
    } else {
      this.#document = new OpenDocument()
      this.#open.push(this.#document)
    }
  }

  #endDocument(): void {
    let token = this.#peek()
    if (token.kind !== 'text-end' && token.kind !== 'document-end') {
      this.#unexpected(token, 'document')
      return
    }
    while (token.kind === 'document-end') {
      this.#endMarker ??= token.start
      this.#take(token)
      token = this.#peek()
    }
    if (token.kind !== 'text-end') this.#note(secondDocument(token.start))
  }

  #step(collection: OpenCollection): void {
    switch (collection.kind) {
      case 'document':
        if (collection.root) this.#open.pop()
        else this.#node(true, false)
        return
      case 'unread':
        if (collection.isFilled) this.#open.pop()
        else this.#node(true, false)
        return
      case 'block-list':
        this.#blockItem(collection)
        return
      case 'indentless-list':
        this.#indentlessItem(collection)
        return
      case 'flow-list':
        this.#flowItem(collection)
        return
      case 'block-mapping':
        if (collection.stage === 'key') this.#blockKey(collection)
        else this.#blockValue(collection)
        return
      case 'flow-mapping':
        if (collection.stage === 'key') this.#flowKey(collection)
        else this.#flowValue(collection)
        return
      case 'flow-pair':
        this.#flowPair(collection)
    }
  }

  #blockItem(list: OpenList): void {
    const token = this.#peek()
    if (token.kind === 'dash') {
      list.marks.push(token.start)
      this.#take(token)
      const { kind } = this.#peek()
      if (kind !== 'dash' && kind !== 'block-end') this.#node(true, false)
      else this.#addMissing(token.end)
    } else if (token.kind === 'block-end') {
      this.#take(token)
      this.#close()
    } else this.#pass(token, 'block-list')
  }

  #indentlessItem(list: OpenList): void {
    const token = this.#peek()
    if (token.kind !== 'dash') {
      this.#close()
      return
    }
    list.marks.push(token.start)
    this.#take(token)
    const { kind } = this.#peek()
    if (kind !== 'dash' && !endsBlockNode(kind)) this.#node(true, false)
    else this.#addMissing(token.end)
  }

  #blockKey(mapping: OpenMapping): void {
    const token = this.#peek()
    if (token.kind === 'key') {
      mapping.beginEntry(token)
      this.#take(token)
      if (!endsBlockNode(this.#peek().kind)) this.#node(true, true)
      else this.#addMissing(token.end)
    } else if (token.kind === 'block-end') {
      this.#take(token)
      this.#close()
    } else this.#pass(token, 'block-mapping')
  }

  #blockValue(mapping: OpenMapping): void {
    const token = this.#peek()
    if (token.kind !== 'value') {
      this.#addMissing(token.start)
      return
    }
    mapping.setColon(token.start)
    this.#take(token)
    if (!endsBlockNode(this.#peek().kind)) this.#node(true, true)
    else this.#addMissing(token.end)
  }

  #flowItem(list: OpenList): void {
    const token = this.#nextInFlow(list, 'flow-list-end')
    if (!token) return
    if (token.kind === 'key') {
      const pair = new OpenMapping('flow-pair', this.#events, null, token.start)
      pair.beginEntry(token)
      this.#take(token)
      this.#openCollection(pair)
    } else this.#node(false, false)
  }

  /** The token that begins the next entry in brackets, behind the comma; null when the collection was closed. */
  #nextInFlow(collection: OpenList | OpenMapping, close: TokenKind): Token | null {
    let token = this.#peek()
    if (token.kind !== close && collection.needsComma) {
      if (token.kind === 'comma') {
        collection.marks.push(token.start)
        this.#take(token)
        token = this.#peek()
      } else {
        this.#unexpected(token, collection.kind === 'flow-list' ? 'flow-list' : 'flow-mapping')
        if (this.#isStopped) return null
      }
    }
    collection.needsComma = true
    if (token.kind !== close) return token
    this.#take(token)
    this.#close()
    return null
  }

  /** The reference passes whatever token follows a `?` without a key in a list. */
  #flowPair(pair: OpenMapping): void {
    const token = this.#peek()
    switch (pair.stage) {
      case 'key':
        if (token.kind !== 'value' && token.kind !== 'comma' && token.kind !== 'flow-list-end') {
          this.#node(false, false)
          return
        }
        this.#take(token)
        this.#addMissing(token.end)
        return
      case 'value': {
        if (token.kind !== 'value') {
          this.#addMissing(token.start)
          return
        }
        pair.setColon(token.start)
        this.#take(token)
        const next = this.#peek()
        if (next.kind !== 'comma' && next.kind !== 'flow-list-end') this.#node(false, false)
        else this.#addMissing(next.start)
        return
      }
      case 'end':
        this.#close()
    }
  }

  #flowKey(mapping: OpenMapping): void {
    const token = this.#nextInFlow(mapping, 'flow-mapping-end')
    if (!token) return
    // A key without `:` has no value, whatever follows it.
    mapping.beginEntry(token, token.kind !== 'key')
    if (token.kind !== 'key') {
      this.#node(false, false)
      return
    }
    this.#take(token)
    const { kind, start } = this.#peek()
    if (kind !== 'value' && kind !== 'comma' && kind !== 'flow-mapping-end') this.#node(false, false)
    else this.#addMissing(start)
  }

  #flowValue(mapping: OpenMapping): void {
    const token = this.#peek()
    if (mapping.hasBareKey || token.kind !== 'value') {
      this.#addMissing(token.start)
      return
    }
    mapping.setColon(token.start)
    this.#take(token)
    const { kind, start } = this.#peek()
    if (kind !== 'comma' && kind !== 'flow-mapping-end') this.#node(false, false)
    else this.#addMissing(start)
  }

  /** A node with its tag and anchor; in a block's `isBlock`, where a list may stand at the column of its key. */
  #node(isBlock: boolean, allowsIndentless: boolean): void {
    let token = this.#peek()
    if (token.kind === 'alias') {
      this.#alias(token)
      return
    }
    const properties = token.kind === 'anchor' || token.kind === 'tag' ? this.#properties(token) : null
    if (this.#isStopped) return
    if (properties) token = this.#peek()
    const opened = this.#collectionAt(token, properties, isBlock, allowsIndentless)
    if (opened) this.#openCollection(opened)
    else if (token.kind === 'scalar') {
      this.#take(token)
      this.#addScalar(token, properties)
    } else if (properties) this.#addMissing(properties.span.end, properties)
    else this.#passNoContent(token)
  }

  /** The collection that begins at `token`; null when none does, or none can stand there. */
  #collectionAt(
    token: Token,
    properties: NodeProperties | null,
    isBlock: boolean,
    allowsIndentless: boolean,
  ): OpenList | OpenMapping | null {
    const { kind, start } = token
    switch (kind) {
      case 'flow-list':
        this.#take(token)
        return new OpenList(kind, this.#events, properties, start)
      case 'flow-mapping':
        this.#take(token)
        return new OpenMapping(kind, this.#events, properties, start)
      case 'dash':
        return allowsIndentless ? new OpenList('indentless-list', this.#events, properties, start) : null
      case 'block-list':
        if (!isBlock) return null
        this.#take(token)
        return new OpenList(kind, this.#events, properties, start)
      case 'block-mapping':
        if (!isBlock) return null
        this.#take(token)
        return new OpenMapping(kind, this.#events, properties, start)
      default:
        return null
    }
  }

  /** A tag and an anchor in either order, from the first of them. */
  #properties(first: Token): NodeProperties {
    let anchor: string | null = null
    let tag: string | null = null
    let tagSpan: NodeProperties['tagSpan'] = null
    let end = first.end
    let token = first
    while ((token.kind === 'anchor' && anchor === null) || (token.kind === 'tag' && tagSpan === null)) {
      const { content, start } = token
      end = token.end
      this.#take(token)
      if (content?.kind === 'name') anchor = content.name
      else if (content?.kind === 'tag') {
        tagSpan = { start, end }
        tag = this.#resolveTag(content, start)
      }
      token = this.#peek()
    }
    return { anchor, tag, tagSpan, span: { start: first.start, end } }
  }

  #resolveTag({ handle, suffix }: TagSource, at: number): string | null {
    const tag = this.#handles.resolve(handle, suffix)
    if (tag === null) {
      const message = `the tag handle ${handle} is not declared: remove it, or declare it with %TAG`
      this.#note(fault(at, message, 'token'))
    }
    return tag
  }

  #alias(token: Token): void {
    const { start, end, content } = token
    const name = content?.kind === 'name' ? content.name : ''
    const target = this.#anchorNumbers.get(name) ?? null
    if (target === null) {
      const message = `\`*${name}\` refers to no anchor above it: write \`&${name}\` before the value meant`
      this.#note(fault(start, message, 'token'))
    }
    this.#take(token)
    this.#add({ kind: 'alias', name, target, properties: null, start, end, event: this.#events })
  }

  #addScalar({ start, end, content }: Token, properties: NodeProperties | null): void {
    const scalar = content?.kind === 'scalar' ? content : null
    this.#add(new ScalarNode(this.#text, scalar, { properties, start, end, event: this.#events }))
  }

  #addMissing(at: number, properties: NodeProperties | null = null): void {
    this.#add(new ScalarNode(this.#text, null, { properties, start: at, end: at, event: this.#events }))
    this.#isBehindProperties = properties !== null
  }

  #openCollection(collection: OpenList | OpenMapping): void {
    this.#add(collection.node)
    this.#open.push(collection)
  }

  /**
   * Adds a node to the innermost collection. The reference numbers anchors by how many names it knows: where a
   * name is given again, the next new name gets the same number, and the aliases of both stand for its node.
   */
  #add(node: YamlNode): void {
    this.#events++
    this.#isBehindProperties = false
    const anchor = node.properties?.anchor ?? null
    if (anchor !== null) {
      const number = this.#anchorNumbers.size
      this.#anchorNumbers.set(anchor, number)
      this.#anchored[number] = node
    }
    this.#open.at(-1)?.add(node)
  }

  /** Ends the innermost collection. */
  #close(): void {
    const collection = this.#open.pop()
    if (!collection || !('node' in collection)) return
    collection.node.end = Math.max(collection.node.start, this.#lastEnd)
    collection.node.endEvent = this.#events++
  }

  /** Passes `token`, which has no place in a block collection, with the node that begins there. */
  #pass(token: Token, context: Context): void {
    this.#unexpected(token, context)
    if (this.#isStopped) return
    if (beginsNode(token.kind)) this.#open.push(new OpenUnread())
    else this.#take(token)
  }

  #passNoContent(token: Token): void {
    const collection = this.#open.at(-1)
    const isList = collection?.kind === 'flow-list' || collection?.kind === 'flow-pair'
    this.#note(noContent(token, isList ? ']' : collection?.kind === 'flow-mapping' ? '}' : null))
    if (!this.#isStopped && token.kind !== 'comma') this.#take(token)
  }

  #unexpected(token: Token, context: Context): void {
    const { kind, start } = token
    const isProperty = kind === 'anchor' || kind === 'tag'
    if (this.#isBehindProperties && (isProperty || kind === 'alias')) {
      this.#note(misplacedProperty(token))
    } else this.#note(unexpectedIn(context, token, this.#startsLine(start)))
  }

  #startsLine(at: number): boolean {
    let before = at - 1
    while (isBlank(this.#text.charCodeAt(before))) before--
    return before < 0 || isBreak(this.#text.charCodeAt(before))
  }
}

function beginsNode(kind: TokenKind): boolean {
  switch (kind) {
    case 'scalar':
    case 'alias':
    case 'anchor':
    case 'tag':
    case 'flow-list':
    case 'flow-mapping':
    case 'block-list':
    case 'block-mapping':
      return true
    default:
      return false
  }
}

/** Whether a token ends a document that is begun. */
function endsDocument(kind: TokenKind): boolean {
  return kind === 'directive' || kind === 'document-start' || kind === 'document-end' || kind === 'text-end'
}

/** Whether a token leaves the key or value of a block mapping before it empty. */
function endsBlockNode(kind: TokenKind): boolean {
  return kind === 'key' || kind === 'value' || kind === 'block-end'
}
