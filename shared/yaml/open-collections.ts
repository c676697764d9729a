import { utf8Length } from '../utf8.ts'
import { fault, type ScanFault } from './scan-fault.ts'

/** Where a token begins. Columns count from 0. */
export interface TokenPlace {
  readonly at: number
  readonly line: number
  readonly column: number
}

/** A place where a key may have begun, until it is known whether a `:` follows. */
interface PossibleKey extends TokenPlace {
  /** Nothing but a key can stand there. */
  readonly isRequired: boolean
}

/** A flow collection that is open: its closing bracket, and how far its current entry is. */
interface OpenFlow {
  readonly close: ']' | '}'
  entry: 'start' | 'explicit key' | 'value'
  /** Whether the entry's key or value has its content, behind which no tag or anchor can stand. */
  isFilled: boolean
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

/** Most bytes of UTF-8 from the start of a key to its `:`. */
const MAX_KEY_BYTES = 1024

/**
 * The collections that are open at a token, and what they allow there (reference: libyaml, which reads YAML
 * 1.1). Every method that answers a fault or null is told of a token; it remembers the token also when it
 * finds a fault that leaves the rest readable.
 */
export class OpenCollections {
  readonly #text: string
  /** Outermost first. */
  readonly #blocks: OpenBlock[] = []
  readonly #flows: OpenFlow[] = []
  #blockKey: PossibleKey | null = null
  /** The line that the last plain or quoted scalar began on. */
  #scalarLine = -1
  /** Whether a key without `?` can begin at the next token. */
  #keyAllowed = true

  constructor(text: string) {
    this.#text = text
  }

  get flowDepth(): number {
    return this.#flows.length
  }

  /** The bracket that closes the innermost flow collection; null outside of any. */
  get closing(): ']' | '}' | null {
    return this.#flow?.close ?? null
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
    const found = key?.isRequired && !this.#canBeKey(key, place) ? this.#dropKey() : null
    this.#closeBlocks(place.column)
    return found
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
    this.#scalarLine = place.line
    return this.#beginNode(place, false)
  }

  /** `endsLine`: whether the line was read to its end to find the end of the scalar. */
  endScalar(endsLine: boolean): void {
    this.#fill()
    if (endsLine) this.#keyAllowed = true
  }

  alias(place: TokenPlace): ScanFault | null {
    const found = this.#beginNode(place, false)
    this.#fill()
    return found
  }

  /** A tag or an anchor. */
  property(place: TokenPlace): ScanFault | null {
    if (!this.#flow?.isFilled) return this.#beginNode(place, false)
    return fault(place.at, 'a tag or an anchor stands before its value: move it, or put a comma here')
  }

  blockScalar(): ScanFault | null {
    const found = this.#dropKey()
    this.#keyAllowed = true
    this.#fill()
    return found
  }

  openFlow(place: TokenPlace, close: ']' | '}'): ScanFault | null {
    const found = this.#beginNode(place, true)
    this.#flows.push({ close, entry: 'start', isFilled: false, key: null })
    return found
  }

  closeFlow({ at }: TokenPlace, char: string): ScanFault | null {
    const flow = this.#flow
    if (!flow) return fault(at, `${char} closes nothing: remove it, or put quotes around the text`)
    if (flow.close !== char) return fault(at, `${char} stands where ${flow.close} must close first`)
    this.#flows.pop()
    this.#keyAllowed = false
    this.#fill()
    return null
  }

  comma({ at }: TokenPlace): ScanFault | null {
    const flow = this.#flow
    if (!flow) return fault(at, 'a text cannot begin with a comma: put quotes around it')
    flow.key = null
    flow.entry = 'start'
    flow.isFilled = false
    this.#keyAllowed = true
    return null
  }

  /** A `-` that begins an item of a list. */
  dash({ at, column }: TokenPlace): ScanFault | null {
    if (this.#flow) return fault(at, 'a list item cannot stand in brackets: put quotes around the dash')
    if (!this.#keyAllowed) {
      return fault(
        at,
        'a list item cannot begin here: put it on the next line, or quotes around it',
        'nearby',
      )
    }
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
  explicitKey({ at, column }: TokenPlace): ScanFault | null {
    const flow = this.#flow
    if (flow) {
      flow.key = null
      flow.entry = 'explicit key'
      flow.isFilled = false
      this.#keyAllowed = false
      return null
    }
    if (!this.#keyAllowed) {
      return fault(at, 'a key cannot begin here: put its question mark on the next line, or quotes around it')
    }
    this.#openBlock(column)
    const found = this.#dropKey()
    this.#beginValue(true)
    return found
  }

  /** A `:` between a key and its value. */
  colon(place: TokenPlace): ScanFault | null {
    const flow = this.#flow
    return flow ? this.#colonInFlow(flow, place) : this.#colonInBlock(place)
  }

  #colonInFlow(flow: OpenFlow, place: TokenPlace): ScanFault | null {
    const hasKey = flow.entry === 'explicit key' || (flow.key !== null && this.#canBeKey(flow.key, place))
    if (!hasKey) {
      return fault(place.at, 'there is no key before this `:` on its line: put quotes around the text')
    }
    flow.key = null
    flow.entry = 'value'
    flow.isFilled = false
    this.#keyAllowed = false
    return null
  }

  #colonInBlock(place: TokenPlace): ScanFault | null {
    const key = this.#blockKey
    if (key && this.#canBeKey(key, place)) {
      this.#openBlock(key.column)
      this.#beginValue(false)
      this.#blockKey = null
      this.#keyAllowed = false
      return null
    }
    const { at, column } = place
    if (!this.#keyAllowed) {
      // Where the text began on a line above, all of it is a text to the reference, which stops only here.
      const spoils = this.#scalarLine === place.line ? 'nearby' : 'rest'
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

  /** Remembers that what begins at `place` may turn out to be a key. */
  #beginNode(place: TokenPlace, allowsKeyBehind: boolean): ScanFault | null {
    const flow = this.#flow
    const block = this.#blocks.at(-1)
    if (!flow && block?.awaitsValue && block.holds === 'content' && place.column > block.column) {
      return fault(place.at, 'a `:` is missing between the key and what stands here')
    }
    let found: ScanFault | null = null
    if (this.#keyAllowed) {
      found = this.#dropKey()
      const { at, line, column } = place
      const key = { at, line, column, isRequired: !flow && this.indent === column }
      if (flow) flow.key = key
      else this.#blockKey = key
    }
    this.#keyAllowed = allowsKeyBehind
    return found
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

  /** Whether a `:` at `place` still makes a key of what began at `key`. */
  #canBeKey(key: PossibleKey, { at, line }: TokenPlace): boolean {
    const units = at - key.at
    if (key.line !== line || units > MAX_KEY_BYTES) return false
    // No UTF-16 unit takes more than three bytes.
    return units * 3 <= MAX_KEY_BYTES || utf8Length(this.#text.slice(key.at, at)) <= MAX_KEY_BYTES
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
    if (flow) flow.isFilled = true
    else if (block?.holds === 'nothing') block.holds = 'content'
  }
}
