import { CST } from 'yaml'
import {
  BYTE_ORDER_MARK,
  isBlank,
  isBlankOrEnd,
  isBreakOrEnd,
  isDocumentMarker,
  SPACE,
  TAB,
} from './characters.ts'
import type { Task } from '../task.ts'
import { LexemeWriter } from './lexeme-writer.ts'
import { OpenCollections } from './open-collections.ts'
import type { TokenPlace } from './possible-key.ts'
import { fault, TAB_MESSAGE, type ScanFault } from './scan-fault.ts'
import { scanDirective, scanName, scanTag, type Scanned } from './scan-properties.ts'
import { scanBlockScalar, scanPlain, scanQuoted, type Reach } from './scan-scalars.ts'

/**
 * `column`: a leading byte order mark takes the first column, as in the reference; `skip`: it takes no room.
 */
export type ByteOrderMark = 'column' | 'skip'

/** About a millisecond's worth. */
const TOKENS_A_STEP = 256

/** After so many faults a text is read no further. */
export const MAX_FAULTS = 100

/**
 * Cuts a text into the lexemes that the `yaml` library's parser takes, by the rules of YAML 1.1 as libyaml
 * has them. The library's own lexer reads YAML 1.2, which takes and refuses other texts than the reference
 * does: indentation within brackets and quotes, tabs, line breaks, names of anchors, keys over several lines,
 * directives.
 */
export class Scanner {
  readonly faults: ScanFault[] = []
  /** The offset of a block scalar whose last line ends with the text and not with a line break. */
  openBlockScalar: number | null = null

  readonly #text: string
  readonly #writer: LexemeWriter
  readonly #open: OpenCollections
  #at = 0
  #lineStart = 0
  #line = 0
  /** Where the token that is read begins. */
  #token: TokenPlace = { at: 0, line: 0, column: 0 }
  /** Where the blanks before the next token begin; they are handed on with it. */
  #blanksFrom = 0
  #phase: 'before' | 'directives' | 'open' | 'closed' = 'before'
  /** What directives have declared: `%YAML`, and the handles of tags. */
  readonly #declared = new Set<string>()
  #stopped = false

  /**
   * `handOn` gets every lexeme in the order of the text; but for control characters they make up the text.
   */
  constructor(text: string, byteOrderMark: ByteOrderMark, handOn: (lexeme: string) => void) {
    this.#text = text
    this.#writer = new LexemeWriter(text, handOn)
    this.#open = new OpenCollections(text)
    if (byteOrderMark === 'skip' && text.charCodeAt(0) === BYTE_ORDER_MARK) {
      this.#writer.control(CST.BOM)
      this.#at = 1
      this.#lineStart = 1
    }
  }

  /** Whether a document was begun, be it empty. */
  get hasDocument(): boolean {
    return this.#phase === 'open' || this.#phase === 'closed'
  }

  /**
   * Hands on the text up to its end, or to the first fault behind which nothing can be read; stops after every so many
   * tokens, since a large text takes as long as several frames.
   */
  *steps(): Task<void> {
    for (let tokens = 1; !this.#stopped; tokens++) {
      if (tokens % TOKENS_A_STEP === 0) yield
      this.#skipToToken()
      this.#token = { at: this.#at, line: this.#line, column: this.#at - this.#lineStart }
      if (this.#stopsAt(this.#open.reach(this.#token))) return
      if (this.#at >= this.#text.length) {
        this.#finish()
        return
      }
      this.#scanToken()
    }
  }

  /** Notes what was found, and answers whether that is the end. */
  #stopsAt(found: ScanFault | null): boolean {
    if (found) this.#note(found)
    return this.#stopped
  }

  #note(found: ScanFault): void {
    this.faults.push(found)
    if (found.spoils === 'rest' || this.faults.length >= MAX_FAULTS) this.#stopped = true
  }

  /** Hands on the text up to `end` as one lexeme. */
  #pass(end: number): void {
    this.#writer.stretch(this.#at, end)
    this.#at = end
  }

  /** Hands on white space in place of the text up to `end`, which is refused. */
  #passAsBlanks(end: number): void {
    this.#writer.asBlanks(this.#at, end)
    this.#at = end
  }

  /** Passes white space and comments; the blanks right before the token are kept for it. */
  #skipToToken(): void {
    const text = this.#text
    for (;;) {
      const from = this.#at
      if (from === this.#lineStart && text.charCodeAt(from) === BYTE_ORDER_MARK) this.#at++
      for (;;) {
        const code = text.charCodeAt(this.#at)
        if (code === TAB && !this.#open.allowsTab) this.#note(fault(this.#at, TAB_MESSAGE, 'nearby'))
        else if (code !== SPACE && code !== TAB) break
        this.#at++
      }
      const blanksEnd = this.#at
      if (text.charAt(this.#at) === '#') {
        while (!isBreakOrEnd(text.charCodeAt(this.#at))) this.#at++
      } else if (!isBreakOrEnd(text.charCodeAt(this.#at))) {
        this.#blanksFrom = from
        return
      }
      this.#writer.blanks(from, blanksEnd)
      if (this.#at > blanksEnd) this.#writer.stretch(blanksEnd, this.#at)
      if (this.#at >= text.length) return
      this.#at += this.#writer.lineBreak(this.#at)
      this.#lineStart = this.#at
      this.#line++
      this.#open.endLine()
    }
  }

  #scanToken(): void {
    const text = this.#text
    const at = this.#at
    const char = text.charAt(at)
    if (at === this.#lineStart) {
      if (char === '%') {
        this.#directive()
        return
      }
      if (isDocumentMarker(text, at)) {
        this.#documentMarker(text.slice(at, at + 3))
        return
      }
    }
    this.#beginContent()
    if (this.#stopped) return
    const inFlow = this.#open.flowDepth > 0
    const isIndicator = isBlankOrEnd(text.charCodeAt(at + 1))
    switch (char) {
      case '[':
      case '{':
        this.#openFlow(char)
        return
      case ']':
      case '}':
        this.#closeFlow(char)
        return
      case ',':
        this.#comma()
        return
      case '-':
        if (isIndicator) this.#indicator(this.#open.dash(this.#token))
        else this.#plain()
        return
      case '?':
        if (inFlow || isIndicator) this.#indicator(this.#open.explicitKey(this.#token))
        else this.#plain()
        return
      case ':':
        if (inFlow || isIndicator) this.#indicator(this.#open.colon(this.#token))
        else this.#plain()
        return
      case '*':
        this.#named(this.#open.alias(this.#token), scanName(text, at))
        return
      case '&':
        this.#named(this.#open.property(this.#token, 'anchor'), scanName(text, at))
        return
      case '!':
        this.#named(this.#open.property(this.#token, 'tag'), scanTag(text, at, inFlow, this.#declared))
        return
      case "'":
      case '"':
        if (this.#stopsAt(this.#open.beginScalar(this.#token))) return
        this.#passScalar(scanQuoted(text, at, this.#lineStart), false)
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

  #beginContent(): void {
    switch (this.#phase) {
      case 'before':
        this.#phase = 'open'
        this.#writer.control(CST.DOCUMENT)
        break
      case 'directives':
        this.#note(fault(this.#at, 'directives end with a line of ---: put one before this one'))
        return
      case 'closed':
        this.#secondDocument()
        return
      case 'open':
    }
    this.#writer.blanks(this.#blanksFrom, this.#at)
  }

  #secondDocument(): void {
    const message = 'only one YAML document can be read: remove this one and what separates it from the first'
    this.#note(fault(this.#at, message))
  }

  #directive(): void {
    if (this.#stopsAt(this.#open.endDocument(this.#token))) return
    if (this.hasDocument) {
      this.#secondDocument()
      return
    }
    const { end, declares, fault: found } = scanDirective(this.#text, this.#at)
    if (found) this.#note(found)
    else if (this.#declared.has(declares)) {
      this.#note(fault(this.#at, `${declares} is declared twice: remove one of the lines`))
    }
    if (this.#stopped) return
    this.#declared.add(declares)
    this.#phase = 'directives'
    this.#pass(end)
  }

  #documentMarker(marker: string): void {
    if (this.#stopsAt(this.#open.endDocument(this.#token))) return
    if (marker === '---') {
      if (this.hasDocument) {
        this.#secondDocument()
        return
      }
      this.#phase = 'open'
      this.#writer.control(CST.DOCUMENT)
      this.#pass(this.#at + 3)
    } else if (this.#phase === 'open') {
      this.#phase = 'closed'
      this.#pass(this.#at + 3)
    } else if (this.#phase === 'closed') {
      // The parser would take a second end for another document; behind the first, offsets do not matter.
      this.#at += 3
    } else this.#note(fault(this.#at, 'there is no document that ... could end: remove the line'))
  }

  #finish(): void {
    if (this.#phase === 'directives') {
      this.#note(fault(this.#at, 'directives must be followed by a line of --- and a document'))
    } else this.#stopsAt(this.#open.endDocument(this.#token))
  }

  #indicator(found: ScanFault | null): void {
    if (!this.#stopsAt(found)) this.#pass(this.#at + 1)
  }

  #comma(): void {
    const found = this.#open.comma(this.#token)
    if (this.#stopsAt(found)) return
    // The parser is spared a comma too many, of which there may be many.
    if (found) this.#passAsBlanks(this.#at + 1)
    else this.#pass(this.#at + 1)
  }

  #openFlow(bracket: '[' | '{'): void {
    if (this.#stopsAt(this.#open.openFlow(this.#token, bracket === '[' ? ']' : '}'))) return
    this.#writer.openFlow(bracket)
    this.#at++
  }

  #closeFlow(bracket: string): void {
    if (this.#stopsAt(this.#open.closeFlow(this.#token, bracket))) return
    this.#writer.closeFlow(bracket)
    this.#at++
  }

  #named(misplaced: ScanFault | null, { end, fault: found }: Scanned): void {
    if (this.#stopsAt(misplaced)) return
    if (found) this.#note(found)
    if (misplaced || found) this.#passAsBlanks(end)
    else this.#pass(end)
  }

  #badStart(char: string): void {
    this.#note(fault(this.#at, `a text cannot begin with ${char}: put quotes around it`, 'token'))
    this.#plain()
  }

  #plain(): void {
    if (this.#stopsAt(this.#open.beginScalar(this.#token))) return
    this.#writer.control(CST.SCALAR)
    const { flowDepth, indent } = this.#open
    this.#passScalar(scanPlain(this.#text, this.#at, this.#lineStart, indent + 1, flowDepth > 0), true)
  }

  /** Hands on a scalar and the white space that was read to find its end. */
  #passScalar(reach: Reach, isPlain: boolean): void {
    for (const found of reach.faults) this.#note(found)
    if (reach.faults.length === 0 || isPlain) this.#writer.stretch(this.#at, reach.end)
    else this.#writer.asQuoted(this.#at, reach.end)
    this.#at = reach.end
    while (this.#at < reach.resume) {
      const from = this.#at
      while (this.#at < reach.resume && isBlank(this.#text.charCodeAt(this.#at))) this.#at++
      this.#writer.blanks(from, this.#at)
      if (this.#at < reach.resume) this.#at += this.#writer.lineBreak(this.#at)
    }
    this.#line += reach.breaks
    this.#lineStart = reach.lineStart
    this.#open.endScalar(this.#line, reach.endsLine)
  }

  #blockScalar(): void {
    const start = this.#at
    const scalar = scanBlockScalar(this.#text, start, this.#open.indent)
    if (this.#stopsAt(this.#open.blockScalar(this.#token))) return
    this.#pass(scalar.headerEnd)
    this.#writer.blanks(scalar.headerEnd, scalar.blankEnd)
    this.#at = scalar.blankEnd
    if (scalar.commentEnd > this.#at) this.#pass(scalar.commentEnd)
    if (scalar.content > this.#at) this.#at += this.#writer.lineBreak(this.#at)
    this.#writer.control(CST.SCALAR)
    this.#writer.blockLines(scalar.content, scalar.end)
    if (scalar.isOpen) this.openBlockScalar = start
    this.#at = scalar.end
    this.#line += scalar.breaks
    this.#lineStart = scalar.end
    if (scalar.fault) this.#note(scalar.fault)
  }
}
