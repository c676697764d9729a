import type { Span } from '../text-lines.ts'
import {
  breakLength,
  BYTE_ORDER_MARK,
  isBlankOrEnd,
  isBreakOrEnd,
  isDocumentMarker,
  SPACE,
  TAB,
} from './characters.ts'
import { PossibleKeys, type TokenPlace } from './possible-keys.ts'
import { fault, TAB_MESSAGE, type ScanFault } from './scan-fault.ts'
import { scanDirective, scanName, scanTag } from './scan-properties.ts'
import { scanBlockScalar, scanPlain, scanQuoted, type Reach } from './scan-scalars.ts'
import type { ScalarStyle, Token, TokenContent, TokenKind } from './tokens.ts'

/**
 * `column`: a leading byte order mark takes the first column, as in the reference; `skip`: it takes no room.
 */
export type ByteOrderMark = 'column' | 'skip'

const MISSING_COLON = 'a `:` is missing behind this key, or the line should be indented further'

/** Tokens that are taken stay in the queue until there are so many. */
const FORGET_TOKENS_AFTER = 4096

/**
 * Cuts a text into the tokens of YAML 1.1 (reference: libyaml). A token is handed out only when it is certain
 * that no `:` behind it makes a key of it: which faults a reader meets before which values depends on that.
 */
export class Scanner {
  /** The comments that were passed, in the order of the text. */
  readonly comments: Span[] = []

  readonly #text: string
  /** Notes a fault, and answers whether the text is to be read no further. */
  readonly #note: (found: ScanFault) => boolean
  readonly #keys: PossibleKeys
  /** Tokens that are not taken yet begin at `#head`; `#taken` were taken in all. */
  #queue: Token[] = []
  #head = 0
  #taken = 0
  #at = 0
  #lineStart = 0
  #line = 0
  #place: TokenPlace = { at: 0, line: 0, column: 0 }
  /** The column of the innermost block collection, -1 outside of any, and those around it. */
  #indent = -1
  readonly #outerIndents: number[] = []
  #flowDepth = 0
  /** Whether a key without `?` can begin at the next token. */
  #keyAllowed = true
  #isAtEnd = false
  #isStopped = false
  /** Whether the first token of the queue can be handed out. */
  #isReady = false
  /** For the advice on colons: the last scalar, the line of the last `:`, and that of the last one too many. */
  #lastScalar: TokenPlace = { at: 0, line: -1, column: 0 }
  #valueLine = -1
  #strayColonLine = -1

  constructor(text: string, byteOrderMark: ByteOrderMark, note: (found: ScanFault) => boolean) {
    this.#text = text
    this.#note = note
    this.#keys = new PossibleKeys(text)
    if (byteOrderMark === 'skip' && text.charCodeAt(0) === BYTE_ORDER_MARK) {
      this.#at = 1
      this.#lineStart = 1
    }
  }

  /** The next token, which stays the next; `text-end` when there is none, or none that could be read. */
  peek(): Token {
    while (!this.#isReady && !this.#isAtEnd && this.#needsMore()) this.#scan()
    this.#isReady = true
    return this.#queue[this.#head] ?? this.#end()
  }

  /** Takes the token that {@link peek} answered. */
  take(): void {
    this.#isReady = false
    this.#head++
    this.#taken++
    if (this.#head < FORGET_TOKENS_AFTER && this.#head < this.#queue.length) return
    this.#queue = this.#queue.slice(this.#head)
    this.#head = 0
  }

  /** Hands out no further token but the end. */
  stop(): void {
    this.#isStopped = true
    this.#isAtEnd = true
    this.#queue = []
    this.#head = 0
  }

  #end(): Token {
    return { kind: 'text-end', start: this.#at, end: this.#at, content: null }
  }

  #needsMore(): boolean {
    if (this.#head >= this.#queue.length) return true
    this.#dropStaleKeys()
    return this.#keys.earliestToken === this.#taken
  }

  #report(found: ScanFault): void {
    if (this.#note(found)) this.stop()
  }

  #emit(kind: TokenKind, end: number, content: TokenContent | null = null): void {
    if (!this.#isStopped) this.#queue.push({ kind, start: this.#at, end, content })
    this.#at = end
  }

  /** Scans to the next token, and that token. */
  #scan(): void {
    this.#skipToToken()
    const at = this.#at
    this.#place = { at, line: this.#line, column: at - this.#lineStart }
    this.#dropStaleKeys()
    if (this.#isAtEnd) return
    this.#closeBlocks(this.#place.column)
    const text = this.#text
    if (at >= text.length) {
      this.#beginDocumentPart()
      if (this.#isAtEnd) return
      this.#emit('text-end', at)
      this.#isAtEnd = true
      return
    }
    if (at === this.#lineStart) {
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
    const at = this.#at
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
    return inFlow || isBlankOrEnd(this.#text.charCodeAt(this.#at + 1))
  }

  /** Passes white space and comments. */
  #skipToToken(): void {
    const text = this.#text
    for (;;) {
      if (this.#at === this.#lineStart && text.charCodeAt(this.#at) === BYTE_ORDER_MARK) this.#at++
      for (;;) {
        const code = text.charCodeAt(this.#at)
        if (code === TAB && this.#flowDepth === 0 && this.#keyAllowed) {
          this.#report(fault(this.#at, TAB_MESSAGE, 'nearby'))
        } else if (code !== SPACE && code !== TAB) break
        this.#at++
      }
      if (text.charAt(this.#at) === '#') {
        const start = this.#at
        while (!isBreakOrEnd(text.charCodeAt(this.#at))) this.#at++
        this.comments.push({ start, end: this.#at })
      }
      if (this.#at >= text.length || !isBreakOrEnd(text.charCodeAt(this.#at))) return
      this.#at += breakLength(text, this.#at)
      this.#lineStart = this.#at
      this.#line++
      if (this.#flowDepth === 0) this.#keyAllowed = true
    }
  }

  #dropStaleKeys(): void {
    const required = this.#keys.dropStale(this.#at, this.#line)
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
      const token = this.#taken + this.#queue.length - this.#head
      this.#keys.save({ ...this.#place, token, isRequired })
    }
    this.#keyAllowed = allowsKeyBehind
  }

  /** Opens a block collection at `column`, unless one is open there; it begins before the token `before`. */
  #openBlock(kind: 'block-list' | 'block-mapping', column: number, start: number, before: number): void {
    if (this.#flowDepth > 0 || this.#indent >= column) return
    this.#outerIndents.push(this.#indent)
    this.#indent = column
    this.#queue.splice(before, 0, { kind, start, end: start, content: null })
  }

  #closeBlocks(column: number): void {
    if (this.#flowDepth > 0) return
    while (this.#indent > column) {
      this.#emit('block-end', this.#at)
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
    const { end, content, fault: found } = scanDirective(this.#text, this.#at)
    if (found) this.#report(found)
    else this.#emit('directive', end, content)
  }

  #openFlow(kind: 'flow-list' | 'flow-mapping'): void {
    this.#beginNode(true)
    this.#keys.openLevel()
    this.#flowDepth++
    this.#emit(kind, this.#at + 1)
  }

  #closeFlow(kind: 'flow-list-end' | 'flow-mapping-end'): void {
    this.#dropKey()
    this.#keys.closeLevel()
    this.#flowDepth = Math.max(0, this.#flowDepth - 1)
    this.#keyAllowed = false
    this.#emit(kind, this.#at + 1)
  }

  /** A `-` that begins an item of a list. */
  #dash(): void {
    if (this.#flowDepth === 0) {
      if (!this.#keyAllowed) {
        const message = 'a list item cannot begin here: put it on the next line, or quotes around it'
        this.#report(fault(this.#at, message, 'nearby'))
        this.#at++
        return
      }
      this.#openBlock('block-list', this.#place.column, this.#at, this.#queue.length)
    }
    this.#dropKey()
    this.#keyAllowed = true
    this.#emit('dash', this.#at + 1)
  }

  /** A `?` that begins a key. */
  #explicitKey(): void {
    if (this.#flowDepth === 0) {
      if (!this.#keyAllowed) {
        const message = 'a key cannot begin here: put its question mark on the next line, or quotes around it'
        this.#report(fault(this.#at, message))
        return
      }
      this.#openBlock('block-mapping', this.#place.column, this.#at, this.#queue.length)
    }
    this.#dropKey()
    this.#keyAllowed = this.#flowDepth === 0
    this.#emit('key', this.#at + 1)
  }

  /** A `:` between a key and its value. */
  #colon(): void {
    const key = this.#keys.take()
    if (key) {
      const index = key.token - this.#taken + this.#head
      this.#queue.splice(index, 0, { kind: 'key', start: key.at, end: key.at, content: null })
      this.#openBlock('block-mapping', key.column, key.at, index)
      this.#keyAllowed = false
    } else if (this.#flowDepth === 0) {
      if (!this.#keyAllowed) {
        this.#strayColon()
        return
      }
      this.#openBlock('block-mapping', this.#place.column, this.#at, this.#queue.length)
    }
    if (!key) this.#keyAllowed = this.#flowDepth === 0
    this.#valueLine = this.#line
    this.#emit('value', this.#at + 1)
  }

  /** A `:` that makes no key of anything, since a key cannot stand there. */
  #strayColon(): void {
    const at = this.#at
    const isFirst = this.#strayColonLine !== this.#line
    this.#strayColonLine = this.#line
    const isText = this.#lastScalar.line === this.#line
    if (isText && this.#valueLine === this.#line && isFirst) {
      const message = 'a second `:` on one line: put quotes around the text, or begin a new line'
      this.#report(fault(this.#lastScalar.at, message, 'nearby'))
    } else {
      // Where the text began on a line above, all of it is a text to the reference, which stops only here.
      const message = 'a `:` with a space behind it cannot stand in a text: put quotes around it'
      this.#report(fault(at, message, isFirst && isText ? 'nearby' : 'rest'))
    }
    this.#at = at + 1
  }

  #name(kind: 'alias' | 'anchor'): void {
    this.#beginNode(false)
    const { end, content, fault: found } = scanName(this.#text, this.#at)
    if (found) this.#report(found)
    if (content !== null) this.#emit(kind, end, { kind: 'name', name: content })
    else if (kind === 'alias') this.#emitText(end)
    else this.#skipProperty(end)
  }

  #tag(inFlow: boolean): void {
    this.#beginNode(false)
    const { end, content, fault: found } = scanTag(this.#text, this.#at, inFlow)
    if (found) this.#report(found)
    if (content !== null) this.#emit('tag', end, { kind: 'tag', ...content })
    else this.#skipProperty(end)
  }

  /** Passes a tag or an anchor that is refused; what stands behind it may still be a key. */
  #skipProperty(end: number): void {
    this.#at = end
    this.#keyAllowed ||= this.#keys.beginsAt(this.#place.at)
  }

  /** Something that is refused, taken for a text so that what follows can be read. */
  #emitText(end: number): void {
    this.#lastScalar = this.#place
    this.#emit('scalar', end, {
      kind: 'scalar',
      style: 'plain',
      isVerbatim: true,
      from: this.#at,
      to: end,
      indent: 0,
      chomping: 'clip',
    })
  }

  #badStart(char: string): void {
    this.#report(fault(this.#at, `a text cannot begin with ${char}: put quotes around it`, 'token'))
    this.#plain()
  }

  #plain(): void {
    this.#beginNode(false)
    const reach = scanPlain(this.#text, this.#at, this.#lineStart, this.#indent + 1, this.#flowDepth > 0)
    this.#emitScalar('plain', reach, this.#at, reach.end)
  }

  #quoted(style: 'single' | 'double'): void {
    this.#beginNode(false)
    const reach = scanQuoted(this.#text, this.#at, this.#lineStart)
    this.#emitScalar(style, reach, this.#at + 1, Math.max(this.#at + 1, reach.end - 1))
  }

  #emitScalar(style: ScalarStyle, reach: Reach, from: number, to: number): void {
    this.#lastScalar = this.#place
    for (const found of reach.faults) this.#report(found)
    const { isVerbatim } = reach
    this.#emit('scalar', reach.end, {
      kind: 'scalar',
      style,
      isVerbatim,
      from,
      to,
      indent: 0,
      chomping: 'clip',
    })
    this.#at = reach.resume
    this.#line += reach.breaks
    this.#lineStart = reach.lineStart
    if (reach.endsLine) this.#keyAllowed = true
  }

  #blockScalar(style: 'literal' | 'folded'): void {
    this.#dropKey()
    this.#keyAllowed = true
    const start = this.#at
    const scalar = scanBlockScalar(this.#text, start, this.#indent)
    if (scalar.commentEnd > scalar.blankEnd) {
      this.comments.push({ start: scalar.blankEnd, end: scalar.commentEnd })
    }
    if (scalar.fault) this.#report(scalar.fault)
    let end = scalar.end
    // Its blank lines at the end belong to the text around it as much as to itself.
    while (end > start && isBlankOrEnd(this.#text.charCodeAt(end - 1))) end--
    if (end <= scalar.content) end = Math.min(end, scalar.blankEnd)
    this.#emit('scalar', end, {
      kind: 'scalar',
      style,
      isVerbatim: false,
      from: scalar.content,
      to: scalar.end,
      indent: scalar.indent,
      chomping: scalar.chomping,
    })
    this.#at = scalar.end
    this.#line += scalar.breaks
    this.#lineStart = scalar.end
  }
}
