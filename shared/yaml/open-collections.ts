import { LineContents, type PropertyKind } from './line-contents.ts'
import { canBeKey, type PossibleKey, type TokenPlace } from './possible-key.ts'
import { fault, type ScanFault } from './scan-fault.ts'

/** A flow collection that is open: its closing bracket, and how far its current entry is. */
interface OpenFlow {
  readonly close: ']' | '}'
  entry: 'start' | 'explicit key' | 'value'
  /** What stands of the entry's key or value so far. */
  holds: 'nothing' | 'property' | 'content'
  key: PossibleKey | null
}

/** A block collection that is open. */
interface OpenBlock {
  readonly column: number
  /** Whether a key that began with `?` has no value yet. */
  awaitsValue: boolean
  /** What stands behind its last indicator; a list may stand there at the mapping's own column. */
  holds: 'nothing' | 'list' | 'content'
}

const MISSING_COLON = 'a `:` is missing behind this key, or the line should be indented further'

/**
 * Block collections within block collections that are read; nobody needs as many, and each takes room on the
 * stack of the library's parser.
 */
const MAX_BLOCK_DEPTH = 160

/**
 * The collections that are open at a token, and what they allow there (YAML 1.1 as libyaml reads
 * it, docs/reference.md Y1). Every method that answers a fault or null is told of a token; it remembers the token
 * also when it finds a fault that leaves the rest readable.
 */
export class OpenCollections {
  readonly #text: string
  /** Outermost first. */
  readonly #blocks: OpenBlock[] = []
  readonly #flows: OpenFlow[] = []
  #blockKey: PossibleKey | null = null
  #rootIsFilled = false
  readonly #line = new LineContents()
  /** Whether a key without `?` can begin at the next token. */
  #keyAllowed = true

  constructor(text: string) {
    this.#text = text
  }

  get flowDepth(): number {
    return this.#flows.length
  }

  /** The column of the innermost block collection, -1 outside of any. */
  get indent(): number {
    return this.#blocks.at(-1)?.column ?? -1
  }

  /** Whether tabs separate tokens here: they do not where they would indent a key. */
  get allowsTab(): boolean {
    return this.#flows.length > 0 || !this.#keyAllowed
  }

  get #flow(): OpenFlow | undefined {
    return this.#flows.at(-1)
  }

  /** A line has ended outside of any scalar. */
  endLine(): void {
    if (this.#flows.length === 0) this.#keyAllowed = true
  }

  /** A token begins at `place`: block collections that are indented further end before it. */
  reach(place: TokenPlace): ScanFault | null {
    const key = this.#blockKey
    const missing = key?.isRequired && !canBeKey(this.#text, key, place) ? this.#dropKey() : null
    this.#closeBlocks(place.column)
    return missing ?? this.#checkIndent(place, this.#line.isFirstToken(place))
  }

  /** Whether the token at `place`, the `isFirst` of its line or not, can be indented as it is. */
  #checkIndent({ at, column }: TokenPlace, isFirst: boolean): ScanFault | null {
    if (this.#blocks.length > MAX_BLOCK_DEPTH) {
      return fault(at, `lists and mappings are nested deeper than ${MAX_BLOCK_DEPTH}: take some levels out`)
    }
    const block = this.#blocks.at(-1)
    if (!isFirst || !block || this.#flow || at >= this.#text.length) return null
    if (block.holds !== 'content' || column <= block.column) return null
    return fault(
      at,
      'this line is indented unlike the others it belongs to: begin all in the same column',
      'nearby',
    )
  }

  /** A directive or the line of a document's start or end, or the text's end. */
  endDocument(place: TokenPlace): ScanFault | null {
    const flow = this.#flow
    if (flow) return fault(place.at, `${flow.close} is missing: close what was opened with a bracket`)
    const found = this.#dropKey()
    this.#closeBlocks(-1)
    this.#keyAllowed = false
    return found
  }

  /** A plain or quoted scalar. */
  beginScalar(place: TokenPlace): ScanFault | null {
    this.#line.beginScalar(place)
    return this.#beginNode(place, false)
  }

  /** A scalar was read, up to `line`; `endsLine`: whether it ended on one above. */
  endScalar(line: number, endsLine: boolean): void {
    this.#endNode(endsLine ? null : line)
    if (endsLine) this.#keyAllowed = true
  }

  alias(place: TokenPlace): ScanFault | null {
    const found = this.#beginNode(place, false)
    this.#endNode(place.line)
    return found
  }

  /** A tag or an anchor, which stands before its node. */
  property(place: TokenPlace, kind: PropertyKind): ScanFault | null {
    const { at } = place
    if (this.#line.isSecond(kind, place)) {
      return fault(at, `a value can have only one ${kind}: remove the other`, 'nearby')
    }
    const flow = this.#flow
    if (flow?.holds === 'content') {
      return fault(at, 'a tag or an anchor stands before its value: move it, or put a comma here')
    }
    const found = this.#beginNode(place, false)
    if (flow) flow.holds = 'property'
    return found
  }

  blockScalar(place: TokenPlace): ScanFault | null {
    const misplaced = this.#checkRoom(place)
    const found = this.#dropKey()
    this.#keyAllowed = true
    this.#endNode(null)
    return misplaced ?? found
  }

  openFlow(place: TokenPlace, close: ']' | '}'): ScanFault | null {
    const found = this.#beginNode(place, true)
    this.#line.beginPart()
    this.#flows.push({ close, entry: 'start', holds: 'nothing', key: null })
    return found
  }

  closeFlow({ at, line }: TokenPlace, char: string): ScanFault | null {
    const flow = this.#flow
    if (!flow) return fault(at, `${char} closes nothing: remove it, or put quotes around the text`)
    if (flow.close !== char) return fault(at, `${char} stands where ${flow.close} must close first`)
    this.#flows.pop()
    this.#keyAllowed = false
    this.#endNode(line)
    return null
  }

  comma({ at }: TokenPlace): ScanFault | null {
    const flow = this.#flow
    if (!flow) return fault(at, 'a text cannot begin with a comma: put quotes around it')
    const isEmpty = flow.entry === 'start' && flow.holds === 'nothing'
    flow.key = null
    flow.entry = 'start'
    flow.holds = 'nothing'
    this.#keyAllowed = true
    this.#line.beginPart()
    return isEmpty ? fault(at, 'a comma too many: remove it', 'nearby') : null
  }

  /** A `-` that begins an item of a list. */
  dash(place: TokenPlace): ScanFault | null {
    const { at, column } = place
    if (this.#flow) return fault(at, 'a list item cannot stand in brackets: put quotes around the dash')
    if (!this.#keyAllowed) {
      return fault(
        at,
        'a list item cannot begin here: put it on the next line, or quotes around it',
        'nearby',
      )
    }
    const misplaced = this.#checkRoot(place)
    if (misplaced) return misplaced
    this.#line.beginPart()
    if (this.indent < column) this.#openBlock(column)
    else {
      const block = this.#blocks.at(-1)
      if (block?.holds === 'content' && block.awaitsValue) {
        return fault(at, 'a `:` is missing between the key above and this list')
      }
      if (block) block.holds = 'list'
    }
    return this.#dropKey()
  }

  /** A `?` that begins a key. */
  explicitKey(place: TokenPlace): ScanFault | null {
    const { at, column } = place
    const flow = this.#flow
    this.#line.beginPart()
    if (flow) {
      flow.key = null
      flow.entry = 'explicit key'
      flow.holds = 'nothing'
      this.#keyAllowed = false
      return null
    }
    if (!this.#keyAllowed) {
      return fault(at, 'a key cannot begin here: put its question mark on the next line, or quotes around it')
    }
    const misplaced = this.#checkRoot(place)
    if (misplaced) return misplaced
    this.#openBlock(column)
    const found = this.#dropKey()
    this.#beginValue(true)
    return found
  }

  /** A `:` between a key and its value. */
  colon(place: TokenPlace): ScanFault | null {
    const flow = this.#flow
    this.#line.beginPart()
    return flow ? this.#colonInFlow(flow, place) : this.#colonInBlock(place)
  }

  #colonInFlow(flow: OpenFlow, place: TokenPlace): ScanFault | null {
    const hasKey =
      flow.entry === 'explicit key' || (flow.key !== null && canBeKey(this.#text, flow.key, place))
    if (!hasKey) {
      return fault(place.at, 'there is no key before this `:` on its line: put quotes around the text')
    }
    flow.key = null
    flow.entry = 'value'
    flow.holds = 'nothing'
    this.#keyAllowed = false
    return null
  }

  #colonInBlock(place: TokenPlace): ScanFault | null {
    const key = this.#blockKey
    if (key && canBeKey(this.#text, key, place)) {
      this.#openBlock(key.column)
      this.#beginValue(false)
      this.#blockKey = null
      this.#keyAllowed = false
      return null
    }
    const { at, column } = place
    if (!this.#keyAllowed) {
      // Where the text began on a line above, all of it is a text to the reference, which stops only here.
      // And a line of colons would make as many mappings in mappings.
      const isMendable = this.#line.isFirstStrayColon(place) && this.#line.hasScalar(place)
      const spoils = isMendable ? 'nearby' : 'rest'
      return fault(at, 'a `:` with a space behind it cannot stand in a text: put quotes around it', spoils)
    }
    if (this.indent !== column || this.#blocks.at(-1)?.awaitsValue !== true) {
      return fault(at, 'there is no key before this `:`: put it there')
    }
    this.#beginValue(false)
    return null
  }

  /** A `?` or `:` of the innermost block mapping: what stands behind it is still to come. */
  #beginValue(awaitsValue: boolean): void {
    const block = this.#blocks.at(-1)
    if (!block) return
    block.awaitsValue = awaitsValue
    block.holds = 'nothing'
  }

  #endNode(line: number | null): void {
    this.#fill()
    this.#line.endNode(line)
  }

  /** Whether the document has room for a node at `place`, or for a collection that begins there. */
  #checkRoot({ at }: TokenPlace): ScanFault | null {
    if (this.#flow || this.#blocks.length > 0 || !this.#rootIsFilled) return null
    return fault(at, 'this stands outside of the value that the text holds: check its indentation')
  }

  /** Whether there is room for a node at `place`. */
  #checkRoom(place: TokenPlace): ScanFault | null {
    const { at, column } = place
    if (this.#line.isBehindNode(place)) {
      // A line of nodes is no better read to its end.
      const spoils = this.#line.isFirstStrayNode(place) ? 'nearby' : 'rest'
      const message = this.#flow
        ? 'a comma is missing between the entries in brackets'
        : 'this does not belong behind the value before it: put quotes around the whole text'
      return fault(at, message, spoils)
    }
    const block = this.#blocks.at(-1)
    if (!this.#flow && block?.awaitsValue && block.holds === 'content' && column > block.column) {
      return fault(at, 'a `:` is missing between the key and what stands here')
    }
    return this.#checkRoot(place)
  }

  /** Remembers that what begins at `place` may turn out to be a key. */
  #beginNode(place: TokenPlace, allowsKeyBehind: boolean): ScanFault | null {
    const flow = this.#flow
    const misplaced = this.#checkRoom(place)
    if (misplaced?.spoils === 'rest') return misplaced
    let found: ScanFault | null = null
    if (this.#keyAllowed) {
      found = this.#dropKey()
      const { at, line, column } = place
      const key = { at, line, column, isRequired: !flow && this.indent === column }
      if (flow) flow.key = key
      else this.#blockKey = key
    }
    this.#keyAllowed = allowsKeyBehind
    return misplaced ?? found
  }

  /** Nothing before this place can be a key any more. */
  #dropKey(): ScanFault | null {
    const flow = this.#flow
    if (flow) flow.key = null
    else {
      const key = this.#blockKey
      this.#blockKey = null
      if (key?.isRequired) return fault(key.at, MISSING_COLON, 'nearby')
    }
    return null
  }

  #closeBlocks(column: number): void {
    if (this.#flows.length > 0) return
    while (this.indent > column) this.#blocks.pop()
  }

  /** Opens a block collection at `column`, unless one is open there. */
  #openBlock(column: number): void {
    if (this.indent >= column) return
    this.#fill()
    this.#blocks.push({ column, awaitsValue: false, holds: 'nothing' })
  }

  /** Notes that the innermost collection got content. */
  #fill(): void {
    const flow = this.#flow
    const block = this.#blocks.at(-1)
    if (flow) flow.holds = 'content'
    else if (!block) this.#rootIsFilled = true
    else if (block.holds === 'nothing') block.holds = 'content'
  }
}
