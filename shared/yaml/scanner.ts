import { BYTE_ORDER_MARK, isBlankOrEnd, isDocumentMarker } from './characters.ts'
import { ColonAdvice } from './colon-advice.ts'
import { PossibleKeys, type TokenPlace } from './possible-keys.ts'
import { fault, TAB_MESSAGE, type ScanFault } from './scan-fault.ts'
import { scanDirective, scanName, scanTag } from './scan-properties.ts'
import { onLine, scanBlockScalar, scanPlain, scanQuoted, writtenEnd, type Reach } from './scan-scalars.ts'
import { TextCursor } from './text-cursor.ts'
import { TokenQueue } from './token-queue.ts'
import type { ScalarStyle, Token, TokenContent, TokenKind } from './tokens.ts'

/**
 * `column`: a leading byte order mark takes the first column, as in the reference; `skip`: it takes no room.
 */
export type ByteOrderMark = 'column' | 'skip'

const MISSING_COLON = 'a `:` is missing after this key, or the line should be indented further'

/**
 * Cuts a text into the tokens of YAML 1.1 (as libyaml reads it, docs/reference.md Y1). A token is handed out only when it is certain
 * that no `:` behind it makes a key of it: which faults a reader meets before which values depends on that.
 */
export class Scanner {
  readonly #text: string
  /** Notes a fault, and answers whether the text is to be read no further. */
  readonly #note: (found: ScanFault) => boolean
  readonly #keys: PossibleKeys
  readonly #queue = new TokenQueue()
  readonly #colons = new ColonAdvice()
  readonly #cursor: TextCursor
  #place: TokenPlace = { at: 0, line: 0, column: 0 }
  /** The column of the innermost block collection, -1 outside of any, and those around it. */
  #indent = -1
  readonly #outerIndents: number[] = []
  #flowDepth = 0
  /** Whether a key without `?` can begin at the next token. */
  #keyAllowed = true
  #isAtEnd = false
  /** Whether the first token of the queue can be handed out. */
  #isReady = false

  constructor(text: string, byteOrderMark: ByteOrderMark, note: (found: ScanFault) => boolean) {
    this.#text = text
    this.#note = note
    this.#keys = new PossibleKeys(text)
    const skipsMark = byteOrderMark === 'skip' && text.charCodeAt(0) === BYTE_ORDER_MARK
    this.#cursor = new TextCursor(text, skipsMark ? 1 : 0)
  }

  /** The comments that were passed, in the order of the text. */
  get comments(): TextCursor['comments'] {
    return this.#cursor.comments
  }

  /** The next token, which stays the next; `text-end` when there is none, or none that could be read. */
  peek(): Token {
    while (!this.#isReady && !this.#isAtEnd && this.#needsMore()) this.#scan()
    this.#isReady = true
    return (
      this.#queue.first ?? { kind: 'text-end', start: this.#cursor.at, end: this.#cursor.at, content: null }
    )
  }

  /** Takes the token that {@link peek} answered. */
  take(): void {
    this.#isReady = false
    this.#queue.take()
  }

  /** Hands out no further token but the end. */
  stop(): void {
    this.#isAtEnd = true
    this.#queue.close()
  }

  #needsMore(): boolean {
    if (!this.#queue.first) return true
    this.#dropStaleKeys()
    return this.#keys.earliestToken === this.#queue.firstNumber
  }

  #report(found: ScanFault): void {
    if (this.#note(found)) this.stop()
  }

  #emit(kind: TokenKind, end: number, content: TokenContent | null = null): void {
    this.#queue.add({ kind, start: this.#cursor.at, end, content })
    this.#cursor.at = end
  }

  /** Scans to the next token, and that token. */
  #scan(): void {
    this.#skipToToken()
    const at = this.#cursor.at
    this.#place = this.#cursor.place
    this.#dropStaleKeys()
    this.#closeBlocks(this.#place.column)
    const text = this.#text
    if (at >= text.length) {
      this.#beginDocumentPart()
      this.#emit('text-end', at)
      this.#isAtEnd = true
      return
    }
    if (this.#cursor.isAtLineStart) {
      if (text.charAt(at) === '%') {
        this.#directive()
        return
      }
      if (isDocumentMarker(text, at)) {
        this.#beginDocumentPart()
        this.#emit(text.charAt(at) === '-' ? 'document-start' : 'document-end', at + 3)
        return
      }
    }
    this.#scanContent(text.charAt(at))
  }

  #scanContent(char: string): void {
    const at = this.#cursor.at
    const inFlow = this.#flowDepth > 0
    switch (char) {
      case '[':
        this.#openFlow('flow-list')
        return
      case '{':
        this.#openFlow('flow-mapping')
        return
      case ']':
        this.#closeFlow('flow-list-end')
        return
      case '}':
        this.#closeFlow('flow-mapping-end')
        return
      case ',':
        this.#dropKey()
        this.#keyAllowed = true
        this.#emit('comma', at + 1)
        return
      case '-':
        if (this.#isIndicator(false)) this.#dash()
        else this.#plain()
        return
      case '?':
        if (this.#isIndicator(inFlow)) this.#explicitKey()
        else this.#plain()
        return
      case ':':
        if (this.#isIndicator(inFlow)) this.#colon()
        else this.#plain()
        return
      case '*':
        this.#name('alias')
        return
      case '&':
        this.#name('anchor')
        return
      case '!':
        this.#tag(inFlow)
        return
      case "'":
        this.#quoted('single')
        return
      case '"':
        this.#quoted('double')
        return
      case '|':
        if (inFlow) this.#badStart(char)
        else this.#blockScalar('literal')
        return
      case '>':
        if (inFlow) this.#badStart(char)
        else this.#blockScalar('folded')
        return
      case '%':
      case '@':
      case '`':
        this.#badStart(char)
        return
      default:
        this.#plain()
    }
  }

  #isIndicator(inFlow: boolean): boolean {
    return inFlow || isBlankOrEnd(this.#text.charCodeAt(this.#cursor.at + 1))
  }

  /** Passes white space and comments. */
  #skipToToken(): void {
    for (;;) {
      const refusesTab = this.#flowDepth === 0 && this.#keyAllowed
      if (!this.#cursor.skipLine(refusesTab ? this.#refuseTab : null)) return
      if (this.#flowDepth === 0) this.#keyAllowed = true
    }
  }

  readonly #refuseTab = (at: number): void => {
    this.#report(fault(at, TAB_MESSAGE, 'nearby'))
  }

  #dropStaleKeys(): void {
    const required = this.#keys.dropStale(this.#cursor.at, this.#cursor.line)
    if (required !== null) this.#report(fault(required, MISSING_COLON, 'nearby'))
  }

  /** Nothing before this place can be a key any more. */
  #dropKey(): void {
    const required = this.#keys.drop()
    if (required !== null) this.#report(fault(required, MISSING_COLON, 'nearby'))
  }

  /** Remembers that the next token may turn out to be the first of a key. */
  #beginNode(allowsKeyBehind: boolean): void {
    if (this.#keyAllowed) {
      this.#dropKey()
      const isRequired = this.#flowDepth === 0 && this.#indent === this.#place.column
      const token = this.#queue.nextNumber
      this.#keys.save({ ...this.#place, token, isRequired })
    }
    this.#keyAllowed = allowsKeyBehind
  }

  /** Opens a block collection at `column`, unless one is open there; it begins before the token `before`. */
  #openBlock(kind: 'block-list' | 'block-mapping', column: number, start: number, before: number): void {
    if (this.#flowDepth > 0 || this.#indent >= column) return
    this.#outerIndents.push(this.#indent)
    this.#indent = column
    this.#queue.insert(before, { kind, start, end: start, content: null })
  }

  #closeBlocks(column: number): void {
    if (this.#flowDepth > 0) return
    while (this.#indent > column) {
      this.#emit('block-end', this.#cursor.at)
      this.#indent = this.#outerIndents.pop() ?? -1
    }
  }

  /** A directive, the line of a document's start or end, or the end of the text. */
  #beginDocumentPart(): void {
    this.#closeBlocks(-1)
    this.#dropKey()
    this.#keyAllowed = false
  }

  #directive(): void {
    this.#beginDocumentPart()
    const { end, content, fault: found } = scanDirective(this.#text, this.#cursor.at)
    if (found) this.#report(found)
    else this.#emit('directive', end, content)
  }

  #openFlow(kind: 'flow-list' | 'flow-mapping'): void {
    this.#beginNode(true)
    this.#keys.openLevel()
    this.#flowDepth++
    this.#emit(kind, this.#cursor.at + 1)
  }

  #closeFlow(kind: 'flow-list-end' | 'flow-mapping-end'): void {
    this.#dropKey()
    this.#keys.closeLevel()
    this.#flowDepth = Math.max(0, this.#flowDepth - 1)
    this.#keyAllowed = false
    this.#emit(kind, this.#cursor.at + 1)
  }

  /** A `-` that begins an item of a list. */
  #dash(): void {
    if (this.#flowDepth === 0) {
      if (!this.#keyAllowed) {
        const message = 'a list item cannot begin here: put it on the next line, or quotes around it'
        this.#report(fault(this.#cursor.at, message, 'nearby'))
        this.#cursor.at++
        return
      }
      this.#openBlock('block-list', this.#place.column, this.#cursor.at, this.#queue.nextNumber)
    }
    this.#dropKey()
    this.#keyAllowed = true
    this.#emit('dash', this.#cursor.at + 1)
  }

  /** A `?` that begins a key. */
  #explicitKey(): void {
    if (this.#flowDepth === 0) {
      if (!this.#keyAllowed) {
        const message = 'a key cannot begin here: put its question mark on the next line, or quotes around it'
        this.#report(fault(this.#cursor.at, message))
        return
      }
      this.#openBlock('block-mapping', this.#place.column, this.#cursor.at, this.#queue.nextNumber)
    }
    this.#dropKey()
    this.#keyAllowed = this.#flowDepth === 0
    this.#emit('key', this.#cursor.at + 1)
  }

  /** A `:` between a key and its value. */
  #colon(): void {
    const key = this.#keys.take()
    if (key) {
      this.#queue.insert(key.token, { kind: 'key', start: key.at, end: key.at, content: null })
      this.#openBlock('block-mapping', key.column, key.at, key.token)
      this.#keyAllowed = false
    } else if (this.#flowDepth === 0) {
      if (!this.#keyAllowed) {
        this.#report(this.#colons.stray(this.#place))
        this.#cursor.at++
        return
      }
      this.#openBlock('block-mapping', this.#place.column, this.#cursor.at, this.#queue.nextNumber)
    }
    if (!key) this.#keyAllowed = this.#flowDepth === 0
    this.#colons.colon(this.#cursor.line)
    this.#emit('value', this.#cursor.at + 1)
  }

  #name(kind: 'alias' | 'anchor'): void {
    this.#beginNode(false)
    const { end, content, fault: found } = scanName(this.#text, this.#cursor.at)
    if (found) this.#report(found)
    if (content !== null) this.#emit(kind, end, { kind: 'name', name: content })
    else if (kind === 'alias') this.#emitText(end)
    else this.#skipProperty(end)
  }

  #tag(inFlow: boolean): void {
    this.#beginNode(false)
    const { end, content, fault: found } = scanTag(this.#text, this.#cursor.at, inFlow)
    if (found) this.#report(found)
    if (content !== null) this.#emit('tag', end, { kind: 'tag', ...content })
    else this.#skipProperty(end)
  }

  /** Passes a tag or an anchor that is refused; what stands behind it may still be a key. */
  #skipProperty(end: number): void {
    this.#cursor.at = end
    this.#keyAllowed ||= this.#keys.beginsAt(this.#place.at)
  }

  /** Something that is refused, taken for a text so that what follows can be read. */
  #emitText(end: number): void {
    this.#colons.scalar(this.#place)
    this.#emit('scalar', end, onLine('plain', true, this.#cursor.at, end))
  }

  #badStart(char: string): void {
    this.#report(fault(this.#cursor.at, `a text cannot begin with ${char}: put quotes around it`, 'token'))
    this.#plain()
  }

  #plain(): void {
    this.#beginNode(false)
    const reach = scanPlain(
      this.#text,
      this.#cursor.at,
      this.#cursor.lineStart,
      this.#indent + 1,
      this.#flowDepth > 0,
    )
    this.#emitScalar('plain', reach, this.#cursor.at, reach.end)
  }

  #quoted(style: 'single' | 'double'): void {
    this.#beginNode(false)
    const reach = scanQuoted(this.#text, this.#cursor.at, this.#cursor.lineStart)
    this.#emitScalar(style, reach, this.#cursor.at + 1, Math.max(this.#cursor.at + 1, reach.end - 1))
  }

  #emitScalar(style: ScalarStyle, reach: Reach, from: number, to: number): void {
    this.#colons.scalar(this.#place)
    for (const found of reach.faults) this.#report(found)
    this.#emit('scalar', reach.end, onLine(style, reach.isVerbatim, from, to))
    this.#cursor.resume(reach.resume, reach.lineStart, reach.breaks)
    if (reach.endsLine) this.#keyAllowed = true
  }

  #blockScalar(style: 'literal' | 'folded'): void {
    this.#dropKey()
    this.#keyAllowed = true
    const start = this.#cursor.at
    const scalar = scanBlockScalar(this.#text, start, this.#indent)
    if (scalar.commentEnd > scalar.blankEnd) {
      this.#cursor.comments.push({ start: scalar.blankEnd, end: scalar.commentEnd })
    }
    if (scalar.fault) this.#report(scalar.fault)
    this.#emit('scalar', writtenEnd(this.#text, start, scalar), {
      kind: 'scalar',
      style,
      isVerbatim: false,
      from: scalar.content,
      to: scalar.end,
      indent: scalar.indent,
      chomping: scalar.chomping,
    })
    this.#cursor.resume(scalar.end, scalar.end, scalar.breaks)
  }
}
