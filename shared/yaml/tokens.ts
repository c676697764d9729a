/** The tokens of YAML 1.1 (docs/reference.md Y9). Offsets are UTF-16 units of the text. */
export type TokenKind =
  | 'directive'
  | 'document-start'
  | 'document-end'
  | 'text-end'
  | 'block-list'
  | 'block-mapping'
  | 'block-end'
  | 'flow-list'
  | 'flow-list-end'
  | 'flow-mapping'
  | 'flow-mapping-end'
  | 'comma'
  | 'dash'
  | 'key'
  | 'value'
  | 'alias'
  | 'anchor'
  | 'tag'
  | 'scalar'

/**
 * A token and its place. `key`, `block-list`, `block-mapping` and `block-end` may stand for no character of
 * the text: then `start` is `end`.
 */
export interface Token {
  readonly kind: TokenKind
  readonly start: number
  readonly end: number
  /** What a directive, an alias, an anchor, a tag or a scalar says. */
  readonly content: TokenContent | null
}

export type ScalarStyle = 'plain' | 'single' | 'double' | 'literal' | 'folded'

/** How a scalar is written; its text is worked out only when it is read. */
export interface ScalarSource {
  readonly kind: 'scalar'
  readonly style: ScalarStyle
  /** Whether its text is what stands there, without line breaks to fold and escapes to resolve. */
  readonly isVerbatim: boolean
  /** The characters that hold its text: within the quotes, or the lines below the header. */
  readonly from: number
  readonly to: number
  /** The column of a block scalar's lines, and what becomes of its last line breaks. */
  readonly indent: number
  readonly chomping: Chomping
}

export type Chomping = 'clip' | 'strip' | 'keep'

export type Directive =
  | { readonly kind: 'version'; readonly isKnown: boolean }
  | { readonly kind: 'tag-handle'; readonly handle: string; readonly prefix: string }

/** A tag as written: a handle such as `!!` that stands for a prefix, or none, and what follows it. */
export interface TagSource {
  readonly kind: 'tag'
  readonly handle: string
  readonly suffix: string
}

/** The name of an anchor or an alias. */
interface NameSource {
  readonly kind: 'name'
  readonly name: string
}

export type TokenContent = ScalarSource | Directive | TagSource | NameSource
