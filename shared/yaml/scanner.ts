import { CST } from 'yaml'
import { utf8Length } from '../utf8.ts'
import { breakLength, BYTE_ORDER_MARK, isBlank, isBlankOrEnd, isBreakOrEnd, SPACE, TAB } from './characters.ts'
import {
  scanBlockScalar,
  scanDirective,
  scanName,
  scanPlain,
  scanQuoted,
  scanTag,
  TAB_MESSAGE,
  type Reach,
  type ScanFault,
} from './scan-rules.ts'

/** `column`: a leading byte order mark takes the first column, as in the reference; `skip`: it takes no room. */
export type ByteOrderMark = 'column' | 'skip'

/** A place where a key may have begun, until it is known whether a `:` follows. */
interface PossibleKey {
  readonly at: number
  readonly line: number
  readonly column: number
  /** Nothing but a key can stand here. */
  readonly isRequired: boolean
}

/** A flow collection that is open: its closing bracket, and how far its current entry is. */
interface OpenFlow {
  readonly close: ']' | '}'
  entry: 'start' | 'explicit key' | 'value'
  /** Whether the key or value that the entry is at has its content, behind which no tag or anchor can stand. */
  isFilled: boolean
  key: PossibleKey | null
}

/** A block collection that is open. */
interface OpenBlock {
  readonly column: number
  /** Whether a key that began with `?` stands without its value yet. */
  awaitsValue: boolean
  /** What stands behind its last indicator: a list can stand there at the mapping's own column. */
  holds: 'nothing' | 'list' | 'content'
}

/**
 * Flow collections within flow collections that are handed on. A deeper one is handed on as a scalar of one character
 * and white space, since the library's parser would exhaust the stack, and no reader looks as deep.
 */
const MAX_FLOW_DEPTH = 256

/** Most bytes of UTF-8 from the start of a key to its `:`. */
const MAX_KEY_BYTES = 1024

/**
 * Cuts a text into the lexemes that the `yaml` library's parser takes, by the rules of YAML 1.1 as libyaml has them. The
 * library's own lexer reads YAML 1.2, which takes and refuses other texts than the reference does: indentation within
 * brackets and quotes, tabs, line breaks, names of anchors, keys over several lines, directives.
 */
export class Scanner {
  readonly faults: ScanFault[] = []
  /** Whether a document was begun, be it empty. */
  get hasDocument(): boolean {
    return this.#phase === 'open' || this.#phase === 'closed'
  }
  /** The offset of a block scalar whose last line ends with the text and not with a line break. */
  openBlockScalar: number | null = null

  readonly #text: string
  readonly #handOn: (lexeme: string) => void
  readonly #hasOddBreaks: boolean
  #at = 0
  #lineStart = 0
  #line = 0
  /** Where the blanks before the next token begin; they are handed on with it. */
  #blanksFrom = 0
  #phase: 'before' | 'directives' | 'open' | 'closed' = 'before'
  /** The directives so far: `%YAML` and the handles of tags. */
  readonly #declared = new Set<string>()
  /** Outermost first. */
  readonly #blocks: OpenBlock[] = []
  readonly #flows: OpenFlow[] = []
  #keyAllowed = true
  #blockKey: PossibleKey | null = null
  #stopped = false

  constructor(text: string, byteOrderMark: ByteOrderMark, emit: (lexeme: string) => void) {
    this.#text = text
    this.#handOn = emit
    this.#hasOddBreaks = /\x85|\r(?!\n)/.test(text)
    if (byteOrderMark === 'skip' && text.charCodeAt(0) === BYTE_ORDER_MARK) {
      emit(CST.BOM)
      this.#at = 1
      this.#lineStart = 1
    }
  }

  /** Hands on every lexeme up to the end of the text, or to the first fault that cannot be mended. */
  scan(): void {
    while (!this.#stopped) {
      this.#skipToToken()
      this.#checkRequiredKey()
      if (this.#stopped) return
      this.#closeBlocks(this.#column)
      if (this.#at >= this.#text.length) {
        this.#finish()
        return
      }
      this.#scanToken()
    }
  }

  get #column(): number {
    return this.#at - this.#lineStart
  }

  /** The column of the innermost block collection, -1 outside of any. */
  get #indent(): number {
    return this.#blocks.at(-1)?.column ?? -1
  }

  get #flow(): OpenFlow | undefined {
    return this.#flows.at(-1)
  }

  get #key(): PossibleKey | null {
    const flow = this.#flow
    return flow ? flow.key : this.#blockKey
  }

  set #key(key: PossibleKey | null) {
    const flow = this.#flow
    if (flow) flow.key = key
    else this.#blockKey = key
  }

  #fail(at: number, message: string): void {
    this.faults.push({ at, message, mendable: false })
    this.#stopped = true
  }

  #note(faults: readonly ScanFault[]): void {
    for (const found of faults) {
      this.faults.push(found)
      if (!found.mendable) this.#stopped = true
    }
  }

  /** A lexeme of the text; line breaks that the library does not know become LF. */
  #slice(from: number, to: number): string {
    const slice = this.#text.slice(from, to)
    return this.#hasOddBreaks ? slice.replace(/\x85|\r(?!\n)/g, '\n') : slice
  }

  #emit(lexeme: string): void {
    const excess = this.#flows.length - MAX_FLOW_DEPTH
    if (excess <= 0) this.#handOn(lexeme)
    else if (excess === 1 && (lexeme === '[' || lexeme === '{')) {
      this.#handOn(CST.SCALAR)
      this.#handOn('~')
    } else if (lexeme !== CST.SCALAR) this.#handOn(' '.repeat(lexeme.length))
  }

  #emitBlanks(from: number, to: number): void {
    if (to > from) this.#emit(this.#slice(from, to).replace('\uFEFF', ' '))
  }

  #emitBreak(): void {
    const length = breakLength(this.#text, this.#at)
    this.#emit(length === 2 ? '\r\n' : '\n')
    this.#at += length
  }

  /** Passes white space and comments; the blanks right before the token are kept for it. */
  #skipToToken(): void {
    const text = this.#text
    for (;;) {
      const from = this.#at
      if (this.#column === 0 && text.charCodeAt(this.#at) === BYTE_ORDER_MARK) this.#at++
      for (;;) {
        const code = text.charCodeAt(this.#at)
        if (code === TAB && this.#flows.length === 0 && this.#keyAllowed) {
          this.faults.push({ at: this.#at, message: TAB_MESSAGE, mendable: true })
        } else if (code !== SPACE && code !== TAB) break
        this.#at++
      }
      const blanksEnd = this.#at
      if (text.charAt(this.#at) === '#') {
        while (!isBreakOrEnd(text.charCodeAt(this.#at))) this.#at++
      } else if (!isBreakOrEnd(text.charCodeAt(this.#at))) {
        this.#blanksFrom = from
        return
      }
      this.#emitBlanks(from, blanksEnd)
      if (this.#at > blanksEnd) this.#emit(this.#slice(blanksEnd, this.#at))
      if (this.#at >= text.length) return
      this.#emitBreak()
      this.#lineStart = this.#at
      this.#line++
      if (this.#flows.length === 0) this.#keyAllowed = true
    }
  }

  #scanToken(): void {
    const text = this.#text
    const char = text.charAt(this.#at)
    if (this.#column === 0) {
      if (char === '%') {
        this.#scanDirective()
        return
      }
      const marker = text.slice(this.#at, this.#at + 3)
      if ((marker === '---' || marker === '...') && isBlankOrEnd(text.charCodeAt(this.#at + 3))) {
        this.#scanMarker(marker)
        return
      }
    }
    this.#beginContent()
    if (this.#stopped) return
    const isFollowedByBlank = isBlankOrEnd(text.charCodeAt(this.#at + 1))
    const inFlow = this.#flows.length > 0
    switch (char) {
      case '[':
      case '{':
        this.#saveKey()
        this.#flows.push({ close: char === '[' ? ']' : '}', entry: 'start', isFilled: false, key: null })
        this.#keyAllowed = true
        this.#pass(1)
        return
      case ']':
      case '}':
        this.#closeFlow(char)
        return
      case ',':
        this.#nextFlowEntry()
        return
      case "'":
      case '"':
        this.#saveKey()
        this.#keyAllowed = false
        this.#passScalar(scanQuoted(text, this.#at, this.#lineStart))
        return
      case '*':
        this.#passName(scanName(text, this.#at))
        this.#fill()
        return
      case '&':
        this.#passProperty(scanName(text, this.#at))
        return
      case '!':
        this.#passProperty(scanTag(text, this.#at, inFlow, this.#declared))
        return
      case '-':
        if (isFollowedByBlank) this.#blockEntry()
        else this.#plain()
        return
      case '?':
        if (inFlow || isFollowedByBlank) this.#explicitKey()
        else this.#plain()
        return
      case ':':
        if (inFlow || isFollowedByBlank) this.#value()
        else this.#plain()
        return
      case '|':
      case '>':
        if (inFlow) this.#badStart(char)
        else this.#blockScalar()
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

  /** Hands on `length` units as one lexeme. */
  #pass(length: number): void {
    this.#emit(this.#slice(this.#at, this.#at + length))
    this.#at += length
  }

  #beginContent(): void {
    switch (this.#phase) {
      case 'before':
        this.#phase = 'open'
        this.#emit(CST.DOCUMENT)
        break
      case 'directives':
        this.#fail(this.#at, 'directives end with a line of ---: put one here')
        return
      case 'closed':
        this.#failAtSecondDocument()
        return
      case 'open':
    }
    this.#emitBlanks(this.#blanksFrom, this.#at)
  }

  #failAtSecondDocument(): void {
    this.#fail(this.#at, 'only one YAML document can be read: remove this one and what separates it from the first')
  }

  #scanDirective(): void {
    if (this.#phase === 'open' || this.#phase === 'closed') {
      this.#failAtSecondDocument()
      return
    }
    const { end, declares, fault } = scanDirective(this.#text, this.#at)
    if (fault) this.#note([fault])
    else if (this.#declared.has(declares)) {
      this.#fail(this.#at, `${declares} is declared twice: remove one of the lines`)
    }
    if (this.#stopped) return
    this.#declared.add(declares)
    this.#phase = 'directives'
    this.#keyAllowed = false
    this.#pass(end - this.#at)
  }

  #scanMarker(marker: string): void {
    if (this.#flow) {
      this.#fail(this.#at, `${marker} ends the document inside a flow collection: close that with ${this.#flow.close}`)
      return
    }
    this.#checkRequiredKey(true)
    if (this.#stopped) return
    this.#closeBlocks(-1)
    if (marker === '---') {
      if (this.#phase === 'open' || this.#phase === 'closed') {
        this.#failAtSecondDocument()
        return
      }
      this.#emit(CST.DOCUMENT)
      this.#phase = 'open'
      this.#pass(3)
    } else if (this.#phase === 'open') {
      this.#phase = 'closed'
      this.#pass(3)
    } else if (this.#phase === 'closed') {
      // The parser would take a second end for another document.
      this.#at += 3
    } else {
      this.#fail(this.#at, 'there is no document that ... could end: remove the line')
    }
    this.#keyAllowed = false
    this.#blockKey = null
  }

  #finish(): void {
    if (this.#phase === 'directives') {
      this.#fail(this.#at, 'directives must be followed by a line of --- and a document')
      return
    }
    this.#checkRequiredKey(true)
    if (!this.#stopped && this.#flows.length > 0) {
      this.#fail(this.#at, `a flow collection is not closed: put ${this.#flow?.close ?? ']'} where it ends`)
    }
  }

  /** Remembers that the token here may turn out to be a key. */
  #saveKey(): void {
    const block = this.#blocks.at(-1)
    const isInBlock = this.#flows.length === 0
    if (isInBlock && block?.awaitsValue && block.holds === 'content' && this.#column > block.column) {
      this.#fail(this.#at, 'a `:` is missing between the key and what stands here')
      return
    }
    if (!this.#keyAllowed) return
    const isRequired = isInBlock && this.#indent === this.#column
    this.#checkRequiredKey(true)
    this.#key = { at: this.#at, line: this.#line, column: this.#column, isRequired }
  }

  /** Whether a `:` here still makes a key of what began at `key`. */
  #canBeKey(key: PossibleKey): boolean {
    if (key.line !== this.#line) return false
    const units = this.#at - key.at
    return units <= MAX_KEY_BYTES && (units * 3 <= MAX_KEY_BYTES || utf8Length(this.#text.slice(key.at, this.#at)) <= MAX_KEY_BYTES)
  }

  /** Fails where nothing but a key could stand and it can no longer be one, or (`now`) is none yet. */
  #checkRequiredKey(now = false): void {
    const key = this.#blockKey
    if (!key?.isRequired || (now ? this.#flows.length > 0 : this.#canBeKey(key))) return
    const message = 'a `:` is missing behind this key, or this line belongs to the one above and must be indented further'
    this.#fail(key.at, message)
  }

  #dropKey(): void {
    this.#checkRequiredKey(true)
    this.#key = null
  }

  #closeBlocks(column: number): void {
    if (this.#flows.length > 0) return
    while (this.#indent > column) this.#blocks.pop()
  }

  /** Opens a block collection at `column`, unless one is open there. */
  #openBlock(column: number): void {
    if (this.#flows.length > 0 || this.#indent >= column) return
    this.#fill()
    this.#blocks.push({ column, awaitsValue: false, holds: 'nothing' })
  }

  #closeFlow(char: ']' | '}'): void {
    const flow = this.#flow
    if (flow?.close !== char) {
      const message = flow
        ? `${char} closes nothing here: the open collection ends with ${flow.close}`
        : `${char} closes nothing here: remove it, or put quotes around the text`
      this.#fail(this.#at, message)
      return
    }
    this.#keyAllowed = false
    this.#pass(1)
    this.#flows.pop()
    this.#fill()
  }

  /** Notes that a scalar, an alias or a collection stands where the innermost collection has room for one. */
  #fill(): void {
    const flow = this.#flow
    if (flow) {
      flow.isFilled = true
      return
    }
    const block = this.#blocks.at(-1)
    if (block?.holds === 'nothing') block.holds = 'content'
  }

  #nextFlowEntry(): void {
    const flow = this.#flow
    if (!flow) {
      this.#fail(this.#at, 'a text cannot begin with a comma: put quotes around it')
      return
    }
    flow.key = null
    flow.entry = 'start'
    flow.isFilled = false
    this.#keyAllowed = true
    this.#pass(1)
  }

  #blockEntry(): void {
    if (this.#flows.length > 0) {
      this.#fail(this.#at, 'a list with dashes cannot stand in brackets: remove the dash, or put quotes around it')
      return
    }
    if (!this.#keyAllowed) {
      this.#fail(this.#at, 'a list item cannot begin here: put the dash on a line of its own, or quotes around the text')
      return
    }
    if (this.#indent < this.#column) {
      this.#openBlock(this.#column)
    } else {
      const block = this.#blocks.at(-1)
      if (block?.holds === 'content' && block.awaitsValue) {
        this.#fail(this.#at, 'a `:` is missing behind the key above, before the list that should be its value')
        return
      }
      if (block) block.holds = 'list'
    }
    this.#dropKey()
    if (this.#stopped) return
    this.#keyAllowed = true
    this.#pass(1)
  }

  #explicitKey(): void {
    const flow = this.#flow
    if (!flow) {
      if (!this.#keyAllowed) {
        this.#fail(this.#at, 'a key cannot begin here: put the question mark on a line of its own, or quotes around it')
        return
      }
      this.#openBlock(this.#column)
    }
    this.#dropKey()
    if (this.#stopped) return
    if (flow) {
      flow.entry = 'explicit key'
      flow.isFilled = false
    } else this.#awaitValue(true)
    this.#keyAllowed = !flow
    this.#pass(1)
  }

  #awaitValue(awaits: boolean): boolean {
    const block = this.#blocks.at(-1)
    if (!block) return false
    const before = block.awaitsValue
    block.awaitsValue = awaits
    block.holds = 'nothing'
    return before
  }

  #value(): void {
    const flow = this.#flow
    const key = this.#key
    if (key && this.#canBeKey(key)) {
      this.#openBlock(key.column)
      if (!flow) this.#awaitValue(false)
      this.#key = null
      this.#keyAllowed = false
    } else if (flow) {
      if (flow.entry !== 'explicit key') {
        this.#fail(this.#at, 'there is no key before this `:` on its line: put quotes around a text that has one')
        return
      }
      this.#keyAllowed = false
    } else {
      if (!this.#keyAllowed) {
        this.#fail(this.#at, 'a `:` with a space behind it cannot stand in a text: put quotes around the text')
        return
      }
      if (this.#indent !== this.#column || !this.#awaitValue(false)) {
        this.#fail(this.#at, 'there is no key before this `:`: put the key in front of it')
        return
      }
      this.#keyAllowed = true
    }
    if (flow) {
      flow.entry = 'value'
      flow.isFilled = false
    }
    this.#pass(1)
  }

  #badStart(char: string): void {
    const message = `a text cannot begin with ${char}: put quotes around it`
    this.faults.push({ at: this.#at, message, mendable: true })
    this.#plain()
  }

  #plain(): void {
    this.#saveKey()
    if (this.#stopped) return
    this.#keyAllowed = false
    this.#emit(CST.SCALAR)
    const reach = scanPlain(this.#text, this.#at, this.#lineStart, this.#indent + 1, this.#flows.length > 0)
    this.#passScalar(reach)
  }

  /** Hands on a scalar and the white space that was read to find its end. */
  #passScalar(reach: Reach): void {
    this.#note(reach.faults)
    this.#emit(this.#slice(this.#at, reach.end))
    this.#at = reach.end
    while (this.#at < reach.resume) {
      const from = this.#at
      while (this.#at < reach.resume && isBlank(this.#text.charCodeAt(this.#at))) this.#at++
      this.#emitBlanks(from, this.#at)
      if (this.#at < reach.resume) this.#emitBreak()
    }
    this.#line += reach.breaks
    this.#lineStart = reach.lineStart
    if (reach.endsLine) this.#keyAllowed = true
    this.#fill()
  }

  #passProperty(property: { end: number; fault: ScanFault | null }): void {
    if (this.#flow?.isFilled) this.#fail(this.#at, 'a tag or an anchor stands before its value: move it, or put a comma here')
    else this.#passName(property)
  }

  #passName({ end, fault }: { end: number; fault: ScanFault | null }): void {
    this.#saveKey()
    if (fault) this.#note([fault])
    this.#keyAllowed = false
    if (!this.#stopped) this.#pass(end - this.#at)
  }

  #blockScalar(): void {
    this.#dropKey()
    if (this.#stopped) return
    this.#keyAllowed = true
    const start = this.#at
    const scalar = scanBlockScalar(this.#text, start, this.#indent)
    this.#emit(this.#slice(start, scalar.headerEnd))
    this.#emitBlanks(scalar.headerEnd, scalar.blankEnd)
    if (scalar.commentEnd > scalar.blankEnd) this.#emit(this.#slice(scalar.blankEnd, scalar.commentEnd))
    if (scalar.content > scalar.commentEnd) {
      this.#emit(scalar.content - scalar.commentEnd === 2 ? '\r\n' : '\n')
    }
    this.#emit(CST.SCALAR)
    // Within the library's block scalars only LF and CRLF end a line.
    this.#emit(this.#slice(scalar.content, scalar.end).replace(/[\u2028\u2029]/g, '\n'))
    if (scalar.isOpen) this.openBlockScalar = start
    this.#at = scalar.end
    this.#line += scalar.breaks
    this.#lineStart = scalar.end
    if (scalar.fault) this.#note([scalar.fault])
  }
}
