import { isBlank, isBreak } from './characters.ts'
import { NodeBuilder } from './node-builder.ts'
import type { NodeProperties } from './nodes.ts'
import { OpenList, OpenMapping, OpenUnread } from './open-collections.ts'
import { fault, type ScanFault } from './scan-fault.ts'
import { Scanner, type ByteOrderMark } from './scanner.ts'
import { misplacedProperty, noContent, unexpectedIn, type Context } from './syntax-advice.ts'
import { TagHandles } from './tag-handles.ts'
import type { TagSource, Token, TokenKind } from './tokens.ts'

/** After so many faults a text is read no further. */
export const MAX_FAULTS = 100

/** A fault, and how many events of the reference's parser came before it. */
export interface ParseFault extends ScanFault {
  readonly event: number
}

/** Reads single nodes from the tokens of a text, and passes tokens that have no place where they stand. */
export class NodeReader {
  readonly builder: NodeBuilder
  readonly handles = new TagHandles()
  readonly faults: ParseFault[] = []
  /** Whether the text is read no further. */
  isStopped = false
  readonly #text: string
  readonly #scanner: Scanner
  /** The end of the last token that stands for characters of the text. */
  #lastEnd = 0

  constructor(text: string, byteOrderMark: ByteOrderMark) {
    this.#text = text
    this.builder = new NodeBuilder(text)
    this.#scanner = new Scanner(text, byteOrderMark, (found) => this.note(found))
  }

  get comments(): Scanner['comments'] {
    return this.#scanner.comments
  }

  /** Notes a fault; answers whether the text is to be read no further. */
  note(found: ScanFault): boolean {
    if (this.isStopped) return true
    this.faults.push({ ...found, event: this.builder.events })
    if (found.spoils === 'rest' || this.faults.length >= MAX_FAULTS) {
      this.isStopped = true
      this.#scanner.stop()
    }
    return this.isStopped
  }

  peek(): Token {
    return this.#scanner.peek()
  }

  take({ start, end }: Token): void {
    if (end > start) this.#lastEnd = end
    this.#scanner.take()
  }

  /** Ends the innermost collection. */
  close(): void {
    this.builder.close(this.#lastEnd)
  }

  /** A node with its tag and anchor; `isBlock` outside of brackets; `allowsIndentless` where a list may
   * stand at the column of its key. */
  read(isBlock: boolean, allowsIndentless: boolean): void {
    let token = this.peek()
    if (token.kind === 'alias') {
      this.#alias(token)
      return
    }
    const properties = token.kind === 'anchor' || token.kind === 'tag' ? this.#properties(token) : null
    if (this.isStopped) return
    if (properties) token = this.peek()
    const opened = this.#collectionAt(token, properties, isBlock, allowsIndentless)
    if (opened) this.builder.openNode(opened)
    else if (token.kind === 'scalar') {
      this.take(token)
      this.builder.addScalar(token, properties)
    } else if (properties) this.builder.addMissing(properties.span.end, properties)
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
    if (kind === 'dash') {
      return allowsIndentless ? new OpenList('indentless-list', this.builder.events, properties, start) : null
    }
    if (kind === 'flow-list' || (isBlock && kind === 'block-list')) {
      this.take(token)
      return new OpenList(kind, this.builder.events, properties, start)
    }
    if (kind === 'flow-mapping' || (isBlock && kind === 'block-mapping')) {
      this.take(token)
      return new OpenMapping(kind, this.builder.events, properties, start)
    }
    return null
  }

  /** A tag and an anchor in either order, from the first of them. */
  #properties(first: Token): NodeProperties {
    let anchor: string | null = null
    let tag: string | null = null
    let hasTag = false
    let end = first.end
    let token = first
    while ((token.kind === 'anchor' && anchor === null) || (token.kind === 'tag' && !hasTag)) {
      const { content, start } = token
      end = token.end
      this.take(token)
      if (content?.kind === 'name') anchor = content.name
      else if (content?.kind === 'tag') {
        hasTag = true
        tag = this.#resolveTag(content, start)
      }
      token = this.peek()
    }
    return { anchor, tag, span: { start: first.start, end } }
  }

  #resolveTag({ handle, suffix }: TagSource, at: number): string | null {
    const tag = this.handles.resolve(handle, suffix)
    if (tag === null) {
      const message = `the tag handle ${handle} is not declared: remove it, or declare it with %TAG`
      this.note(fault(at, message, 'token'))
    }
    return tag
  }

  #alias(token: Token): void {
    const { start, end, content } = token
    const name = content?.kind === 'name' ? content.name : ''
    const target = this.builder.anchorNumber(name)
    if (target === null) {
      const message = `\`*${name}\` refers to no anchor above it: write \`&${name}\` before the value meant`
      this.note(fault(start, message, 'token'))
    }
    this.take(token)
    this.builder.add({
      kind: 'alias',
      name,
      target,
      properties: null,
      start,
      end,
      event: this.builder.events,
    })
  }

  /** Passes `token`, which has no place in a block collection, with the node that begins there. */
  pass(token: Token, context: Context): void {
    this.unexpected(token, context)
    if (this.isStopped) return
    if (NODE_STARTS.has(token.kind)) this.builder.open(new OpenUnread())
    else this.take(token)
  }

  #passNoContent(token: Token): void {
    const collection = this.builder.innermost
    const isList = collection?.kind === 'flow-list' || collection?.kind === 'flow-pair'
    this.note(noContent(token, isList ? ']' : collection?.kind === 'flow-mapping' ? '}' : null))
    if (!this.isStopped && token.kind !== 'comma') this.take(token)
  }

  unexpected(token: Token, context: Context): void {
    const { kind, start } = token
    const isProperty = kind === 'anchor' || kind === 'tag'
    if (this.builder.isBehindProperties && (isProperty || kind === 'alias')) {
      this.note(misplacedProperty(token))
    } else this.note(unexpectedIn(context, token, this.#startsLine(start)))
  }

  #startsLine(at: number): boolean {
    let before = at - 1
    while (isBlank(this.#text.charCodeAt(before))) before--
    return before < 0 || isBreak(this.#text.charCodeAt(before))
  }
}

const NODE_STARTS: ReadonlySet<TokenKind> = new Set([
  'scalar',
  'alias',
  'anchor',
  'tag',
  'flow-list',
  'flow-mapping',
  'block-list',
  'block-mapping',
])
