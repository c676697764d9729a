import type { Task } from '../task.ts'
import { NodeReader, type ParseFault } from './node-reader.ts'
import type { YamlNode } from './nodes.ts'
import { OpenDocument, OpenMapping, type OpenList, type OpenCollection } from './open-collections.ts'
import { fault } from './scan-fault.ts'
import { VERSION_MESSAGE } from './scan-properties.ts'
import type { ByteOrderMark } from './scanner.ts'
import { secondDocument } from './syntax-advice.ts'
import type { Token, TokenKind } from './tokens.ts'

/** About a millisecond's worth. */
const STEPS_A_PART = 512

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
 * Makes nodes of a text's tokens by the grammar of YAML 1.1 (as libyaml parses it, its oddities
 * included, docs/reference.md Y1).  Behind a fault that leaves the rest readable it passes what has no place and reads on.
 */
export class Parser {
  readonly #nodes: NodeReader
  #document: OpenDocument | null = null
  #endMarker: number | null = null

  constructor(text: string, byteOrderMark: ByteOrderMark) {
    this.#nodes = new NodeReader(text, byteOrderMark)
  }

  get comments(): NodeReader['comments'] {
    return this.#nodes.comments
  }

  /** Reads the text up to its end, or to the first fault behind which nothing can be read. */
  *parse(): Task<ParsedDocument> {
    this.#beginDocument()
    for (let steps = 1; !this.#nodes.isStopped; steps++) {
      if (steps % STEPS_A_PART === 0) yield
      const collection = this.#nodes.builder.innermost
      if (!collection) break
      this.#step(collection)
    }
    if (!this.#nodes.isStopped && this.#document) this.#endDocument()
    this.#nodes.builder.breakOff()
    return {
      root: this.#document?.root ?? null,
      anchored: this.#nodes.builder.anchored,
      faults: this.#nodes.faults,
      events: this.#nodes.builder.events,
      endMarker: this.#endMarker,
    }
  }

  #beginDocument(): void {
    let token = this.#nodes.peek()
    if (token.kind === 'text-end') return
    const directives = token.kind === 'directive'
    while (token.kind === 'directive') {
      const { content } = token
      if (content?.kind === 'version' || content?.kind === 'tag-handle') {
        const repeated = this.#nodes.handles.declare(content)
        if (repeated !== null) {
          this.#nodes.note(fault(token.start, `${repeated} is declared twice: remove one of the lines`))
        } else if (content.kind === 'version' && !content.isKnown) {
          this.#nodes.note(fault(token.start, VERSION_MESSAGE))
        }
      }
      this.#nodes.take(token)
      token = this.#nodes.peek()
      if (this.#nodes.isStopped) return
    }
    if (token.kind === 'document-start') {
      this.#document = new OpenDocument()
      this.#nodes.builder.open(this.#document)
      this.#nodes.take(token)
      const { kind, start } = this.#nodes.peek()
      if (!endsDocument(kind) || this.#nodes.isStopped) return
      this.#nodes.builder.addMissing(start)
    } else if (directives) {
      this.#nodes.note(
        fault(
          token.start,
          token.kind === 'text-end'
            ? 'directives must be followed by a line of --- and a document'
            : 'directives end with a line of ---: put one before this one',
        ),
      )
    } else {
      this.#document = new OpenDocument()
      this.#nodes.builder.open(this.#document)
    }
  }

  #endDocument(): void {
    let token = this.#nodes.peek()
    if (token.kind !== 'text-end' && token.kind !== 'document-end') {
      this.#nodes.unexpected(token, 'document')
      return
    }
    while (token.kind === 'document-end') {
      this.#endMarker ??= token.start
      this.#nodes.take(token)
      token = this.#nodes.peek()
    }
    if (token.kind !== 'text-end') this.#nodes.note(secondDocument(token.start))
  }

  #step(collection: OpenCollection): void {
    switch (collection.kind) {
      case 'document':
        if (collection.root) this.#nodes.close()
        else this.#nodes.read(true, false)
        return
      case 'unread':
        if (collection.isFilled) this.#nodes.close()
        else this.#nodes.read(true, false)
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
    const token = this.#nodes.peek()
    if (token.kind === 'dash') {
      list.marks.push(token.start)
      this.#nodes.take(token)
      const { kind } = this.#nodes.peek()
      if (kind !== 'dash' && kind !== 'block-end') this.#nodes.read(true, false)
      else this.#nodes.builder.addMissing(token.end)
    } else if (token.kind === 'block-end') {
      this.#nodes.take(token)
      this.#nodes.close()
    } else this.#nodes.pass(token, 'block-list')
  }

  #indentlessItem(list: OpenList): void {
    const token = this.#nodes.peek()
    if (token.kind !== 'dash') {
      this.#nodes.close()
      return
    }
    list.marks.push(token.start)
    this.#nodes.take(token)
    const { kind } = this.#nodes.peek()
    if (kind !== 'dash' && !endsBlockNode(kind)) this.#nodes.read(true, false)
    else this.#nodes.builder.addMissing(token.end)
  }

  #blockKey(mapping: OpenMapping): void {
    const token = this.#nodes.peek()
    if (token.kind === 'key') {
      mapping.beginEntry(token)
      this.#nodes.take(token)
      if (!endsBlockNode(this.#nodes.peek().kind)) this.#nodes.read(true, true)
      else this.#nodes.builder.addMissing(token.end)
    } else if (token.kind === 'block-end') {
      this.#nodes.take(token)
      this.#nodes.close()
    } else this.#nodes.pass(token, 'block-mapping')
  }

  #blockValue(mapping: OpenMapping): void {
    const token = this.#nodes.peek()
    if (token.kind !== 'value') {
      this.#nodes.builder.addMissing(token.start)
      return
    }
    mapping.setColon(token.start)
    this.#nodes.take(token)
    if (!endsBlockNode(this.#nodes.peek().kind)) this.#nodes.read(true, true)
    else this.#nodes.builder.addMissing(token.end)
  }

  #flowItem(list: OpenList): void {
    const token = this.#nextInFlow(list, 'flow-list-end')
    if (!token) return
    if (token.kind === 'key') {
      const pair = new OpenMapping('flow-pair', this.#nodes.builder.events, null, token.start)
      pair.beginEntry(token)
      this.#nodes.take(token)
      this.#nodes.builder.openNode(pair)
    } else this.#nodes.read(false, false)
  }

  /** The token that begins the next entry in brackets, behind the comma; null when the collection was closed. */
  #nextInFlow(collection: OpenList | OpenMapping, close: TokenKind): Token | null {
    let token = this.#nodes.peek()
    if (token.kind !== close && collection.needsComma) {
      if (token.kind === 'comma') {
        collection.marks.push(token.start)
        this.#nodes.take(token)
        token = this.#nodes.peek()
      } else {
        this.#nodes.unexpected(token, collection.kind === 'flow-list' ? 'flow-list' : 'flow-mapping')
        if (this.#nodes.isStopped) return null
      }
    }
    collection.needsComma = true
    if (token.kind !== close) return token
    this.#nodes.take(token)
    this.#nodes.close()
    return null
  }

  /** The reference passes whatever token follows a `?` without a key in a list. */
  #flowPair(pair: OpenMapping): void {
    const token = this.#nodes.peek()
    switch (pair.stage) {
      case 'key':
        if (token.kind !== 'value' && token.kind !== 'comma' && token.kind !== 'flow-list-end') {
          this.#nodes.read(false, false)
          return
        }
        this.#nodes.take(token)
        this.#nodes.builder.addMissing(token.end)
        return
      case 'value': {
        if (token.kind !== 'value') {
          this.#nodes.builder.addMissing(token.start)
          return
        }
        pair.setColon(token.start)
        this.#nodes.take(token)
        const next = this.#nodes.peek()
        if (next.kind !== 'comma' && next.kind !== 'flow-list-end') this.#nodes.read(false, false)
        else this.#nodes.builder.addMissing(next.start)
        return
      }
      case 'end':
        this.#nodes.close()
    }
  }

  #flowKey(mapping: OpenMapping): void {
    const token = this.#nextInFlow(mapping, 'flow-mapping-end')
    if (!token) return
    // A key without `:` has no value, whatever follows it.
    mapping.beginEntry(token, token.kind !== 'key')
    if (token.kind !== 'key') {
      this.#nodes.read(false, false)
      return
    }
    this.#nodes.take(token)
    const { kind, start } = this.#nodes.peek()
    if (kind !== 'value' && kind !== 'comma' && kind !== 'flow-mapping-end') this.#nodes.read(false, false)
    else this.#nodes.builder.addMissing(start)
  }

  #flowValue(mapping: OpenMapping): void {
    const token = this.#nodes.peek()
    if (mapping.hasBareKey || token.kind !== 'value') {
      this.#nodes.builder.addMissing(token.start)
      return
    }
    mapping.setColon(token.start)
    this.#nodes.take(token)
    const { kind, start } = this.#nodes.peek()
    if (kind !== 'comma' && kind !== 'flow-mapping-end') this.#nodes.read(false, false)
    else this.#nodes.builder.addMissing(start)
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
