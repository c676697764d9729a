import { CST, isAlias, isMap, isScalar, type ParsedNode, type YAMLMap, type YAMLSeq } from 'yaml'
import type { Span } from '../text-lines.ts'
import { parseYaml, type YamlSource } from '../yaml/yaml-source.ts'
import { entriesOf, itemsOf, type Slot } from '../yaml/slots.ts'

export type Collection = YAMLMap.Parsed | YAMLSeq.Parsed

/**
 * An overlay text taken apart for an edit: its nodes, its comments and its lines. All offsets are of `text`.
 */
export interface EditSource {
  readonly text: string
  /** `text` with every line break of YAML ending in LF, so that lines can be found; offsets are the same. */
  readonly lines: string
  readonly yaml: YamlSource
  readonly comments: readonly Span[]
  /** Where the document ends: at its `...` line, or with the text. */
  readonly documentEnd: number
}

/** One entry of a mapping or one item of a list, as it stands in the text. */
export interface SourceItem {
  /**
   * From its first character (a `-`, a `?`, an anchor, a tag, or its own) to its last, without comma and
   * comment.
   */
  readonly span: Span
  /** Null in a list. */
  readonly key: ParsedNode | null
  readonly value: Slot
  /**
   * Behind the `:` or `-` and behind the anchor and the tag of the value: where a value that is missing would
   * go.
   */
  readonly valueAt: number
  /** The commas around it, in a flow collection. */
  readonly commaBefore: Span | null
  readonly commaAfter: Span | null
}

/** Takes `text` apart. What is told of its comments and its end counts only if the overlay's reader accepts it. */
export function openSource(text: string): EditSource {
  const comments: Span[] = []
  let documentEnd = text.length
  let offset = 0
  let isScalarNext = false
  const yaml = parseYaml(text, 'skip', (lexeme) => {
    // Between the stretches of the text come single control characters, which no YAML text may hold.
    if (lexeme === CST.SCALAR) isScalarNext = true
    else if (lexeme !== CST.DOCUMENT && lexeme !== CST.FLOW_END) {
      const span = { start: offset, end: offset + lexeme.length }
      if (!isScalarNext && lexeme.startsWith('#')) comments.push(span)
      else if (!isScalarNext && lexeme === '...') documentEnd = Math.min(documentEnd, span.start)
      isScalarNext = false
      offset = span.end
    }
  })
  return { text, lines: text.replace(ODD_BREAKS, '\n'), yaml, comments, documentEnd }
}

/** The line breaks of YAML 1.1 that take one character and are not LF. */
const ODD_BREAKS = /[\x85\u2028\u2029]|\r(?!\n)/g

/** The text of a scalar, or of the scalar that an alias stands for. */
export function scalarText(source: EditSource, node: ParsedNode | null): string | null {
  const target = isAlias(node) ? (source.yaml.aliases.targets.get(node)?.node ?? null) : node
  return isScalar(target) ? target.source : null
}

/** The last item of `map` whose key reads `name`: of a repeated role the last one counts. */
export function findItem(source: EditSource, map: YAMLMap.Parsed, name: string): SourceItem | null {
  return itemsIn(map).findLast((item) => scalarText(source, item.key) === name) ?? null
}

/** The items of a collection in the order of the text. */
export function itemsIn(collection: Collection): SourceItem[] {
  const commas = collection.flow === true ? commasOf(collection.srcToken?.items ?? []) : []
  const between = (index: number) => ({
    commaBefore: commas[index - 1] ?? null,
    commaAfter: commas[index] ?? null,
  })
  if (isMap(collection)) {
    return entriesOf(collection).map(({ key, value }, index) => ({
      span: { start: startOf(key), end: Math.max(endOf(key), endOf(value)) },
      key: key.node,
      value,
      valueAt: Math.max(endOf(key), endOfLast(value.before)),
      ...between(index),
    }))
  }
  return itemsOf(collection).map((value, index) => ({
    span: { start: startOf(value), end: endOf(value) },
    key: null,
    value,
    valueAt: endOfLast(value.before),
    ...between(index),
  }))
}

function commasOf(items: readonly { readonly start: readonly CST.SourceToken[] }[]): Span[] {
  return items.flatMap(({ start }) => start.filter(({ type }) => type === 'comma').map(spanOfToken))
}

/** The brackets of a flow collection: where its inside begins and ends. */
export function insideOf(collection: Collection): Span | null {
  const token = collection.srcToken
  const close = token?.type === 'flow-collection' ? token.end[0] : undefined
  return token && close ? { start: token.offset + 1, end: close.offset } : null
}

/** The node's own text: without tag and anchor, and without the white space behind it. */
export function nodeSpan(node: ParsedNode): Span {
  const [start, end] = node.range
  const token = node.srcToken
  if (!token) return { start, end }
  return { start: token.offset, end: endOfToken(token) }
}

/** The tag before the node of `slot`. */
export function tagSpan(slot: Slot): Span | null {
  const tag = slot.before.find(({ type }) => type === 'tag')
  return tag ? spanOfToken(tag) : null
}

function startOf({ node, before, near }: Slot): number {
  return before.find(isWritten)?.offset ?? node?.srcToken?.offset ?? near
}

function endOf({ node, before, near }: Slot): number {
  const token = node?.srcToken
  return Math.max(token ? endOfToken(token) : before.some(isWritten) ? 0 : near, endOfLast(before))
}

function endOfLast(tokens: readonly CST.SourceToken[]): number {
  const last = tokens.findLast(isWritten)
  return last ? spanOfToken(last).end : 0
}

function isWritten({ type }: CST.SourceToken): boolean {
  return type !== 'space' && type !== 'newline' && type !== 'comment' && type !== 'comma'
}

function spanOfToken({ offset, source }: CST.SourceToken): Span {
  return { start: offset, end: offset + source.length }
}

function endOfToken(token: CST.Token): number {
  if (token.type === 'block-map' || token.type === 'block-seq') {
    return token.items.reduce((end, item) => Math.max(end, endOfItem(item)), token.offset)
  }
  if (token.type === 'flow-collection') {
    const close = token.end[0]
    return close ? spanOfToken(close).end : token.offset + 1
  }
  if (token.type === 'block-scalar') {
    // Its blank lines at the end belong to the text around it as much as to itself.
    const header = token.props.reduce(
      (length, prop) => length + ('source' in prop ? prop.source.length : 0),
      0,
    )
    return token.offset + header + token.source.trimEnd().length
  }
  return 'source' in token ? token.offset + token.source.length : token.offset
}

function endOfItem({ start, key, sep, value }: CST.CollectionItem): number {
  const tokenEnds = [key, value].map((token) => (token ? endOfToken(token) : 0))
  return Math.max(endOfLast(start), endOfLast(sep ?? []), ...tokenEnds)
}

/** Where the line that holds `offset` begins; a byte order mark stands before the first line. */
export function lineStart({ lines }: EditSource, offset: number): number {
  const start = lines.lastIndexOf('\n', offset - 1) + 1
  return start === 0 && offset > 0 && lines.startsWith('\uFEFF') ? 1 : start
}

/** Where the line after the one that holds `offset` begins, or the end of the text. */
export function nextLine({ lines }: EditSource, offset: number): number {
  const end = lines.indexOf('\n', offset)
  return end === -1 ? lines.length : end + 1
}

/** The line break just before `offset`, or null when none stands there. */
export function breakBefore({ text, lines }: EditSource, offset: number): string | null {
  if (offset === 0 || lines[offset - 1] !== '\n') return null
  return text.endsWith('\r\n', offset) ? '\r\n' : text.slice(offset - 1, offset)
}

/** How lines end around `offset`: as the line before does, else as the text's first line does, else in LF. */
export function breakNear(source: EditSource, offset: number): string {
  const before = source.lines.lastIndexOf('\n', offset - 1)
  const at = before === -1 || offset === 0 ? source.lines.indexOf('\n') : before
  return (at === -1 ? null : breakBefore(source, at + 1)) ?? '\n'
}

/**
 * What stands on the line of `offset` before it, as white space of the same width: the indentation of its
 * column.
 */
export function indentAt(source: EditSource, offset: number): string {
  return source.text.slice(lineStart(source, offset), offset).replace(/[^ \t]/gu, ' ')
}

/** Whether nothing but white space stands before `offset` on its line. */
export function beginsLine(source: EditSource, offset: number): boolean {
  return /^[ \t]*$/.test(source.text.slice(lineStart(source, offset), offset))
}

/** The first offset from `offset` that is not a space or a tab. */
export function skipSpaces({ text }: EditSource, offset: number): number {
  let at = offset
  while (text[at] === ' ' || text[at] === '\t') at++
  return at
}

/** The offset behind the last character before `offset` that is not a space or a tab. */
export function skipSpacesBack({ text }: EditSource, offset: number): number {
  let at = offset
  while (text[at - 1] === ' ' || text[at - 1] === '\t') at--
  return at
}

/** Whether the line ends at `offset`, or only a comment follows. */
export function isLineRest({ lines }: EditSource, offset: number): boolean {
  return offset >= lines.length || lines[offset] === '\n' || lines[offset] === '\r' || lines[offset] === '#'
}

/** The comments within `span` that have a line of their own. */
export function standingComments(source: EditSource, span: Span): Span[] {
  return commentsIn(source, span).filter(({ start }) => beginsLine(source, start))
}

/** The comments that begin within `span`. */
export function commentsIn({ comments }: EditSource, span: Span): Span[] {
  return comments.filter(({ start }) => start >= span.start && start < span.end)
}
