import type { TokenPlace } from './possible-key.ts'

/** What kind of property of a node stands before it. */
export type PropertyKind = 'tag' | 'anchor'

/** What stands on the line that is read: which tokens of one line can follow each other depends on it. */
export class LineContents {
  #tokenLine = -1
  #scalarLine = -1
  #nodeEndLine = -1
  #strayNodeLine = -1
  #strayColonLine = -1
  readonly #propertyLines = { tag: -1, anchor: -1 }

  /** Notes the token at `place`, and answers whether it is the first of its line. */
  isFirstToken({ line }: TokenPlace): boolean {
    const isFirst = line !== this.#tokenLine
    this.#tokenLine = line
    return isFirst
  }

  /** An indicator: a node can stand behind it, and needs its own tag and anchor. */
  beginPart(): void {
    this.#nodeEndLine = -1
    this.#propertyLines.tag = -1
    this.#propertyLines.anchor = -1
  }

  /** A plain or quoted scalar. */
  beginScalar({ line }: TokenPlace): void {
    this.#scalarLine = line
  }

  /** Whether the last scalar began on this line. */
  hasScalar({ line }: TokenPlace): boolean {
    return this.#scalarLine === line
  }

  /** A node ended on `line`; null when more lines than its own were read to find its end. */
  endNode(line: number | null): void {
    this.beginPart()
    if (line === null) return
    this.#nodeEndLine = line
    this.#tokenLine = line
  }

  /** Whether a node stands right before `place`, with nothing between them. */
  isBehindNode({ line }: TokenPlace): boolean {
    return this.#nodeEndLine === line
  }

  /** Notes a tag or an anchor, and answers whether its node has one already. */
  isSecond(kind: PropertyKind, { line }: TokenPlace): boolean {
    if (this.#propertyLines[kind] === line) return true
    this.#propertyLines[kind] = line
    return false
  }

  /** Notes a node that has no place on this line, and answers whether it is the first such. */
  isFirstStrayNode({ line }: TokenPlace): boolean {
    const isFirst = this.#strayNodeLine !== line
    this.#strayNodeLine = line
    return isFirst
  }

  /** Notes a colon that makes no key of anything on this line, and answers whether it is the first such. */
  isFirstStrayColon({ line }: TokenPlace): boolean {
    const isFirst = this.#strayColonLine !== line
    this.#strayColonLine = line
    return isFirst
  }
}
