import type { Span } from '../text-lines.ts'
import { isEmpty, spanOf, type CollectionNode, type MappingNode, type YamlNode } from '../yaml/nodes.ts'
import { parseYaml, type YamlSource } from '../yaml/yaml-source.ts'

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
  readonly key: YamlNode | null
  readonly value: YamlNode
  /** Whether a `:` stands before the value. */
  readonly hasColon: boolean
  /** Whether it stands in brackets or braces. */
  readonly isInFlow: boolean
  /**
   * Behind the `:` or `-` and behind the anchor and the tag of the value: where a value that is missing would
   * go.
   */
  readonly valueAt: number
  /** The commas around it, in a flow collection. */
  readonly commaBefore: Span | null
  readonly commaAfter: Span | null
}

/** Takes `text` apart. What is said of its comments and its end counts only if the overlay's reader accepts it. */
export function openSource(text: string): EditSource {
  const yaml = parseYaml(text, 'column')
  const { comments, documentEnd } = yaml
  return { text, lines: text.replace(ODD_BREAKS, '\n'), yaml, comments, documentEnd }
}

/** The line breaks of YAML 1.1 that take one character and are not LF. */
const ODD_BREAKS = /[\x85\u2028\u2029]|\r(?!\n)/g

/** The text of a scalar; null of any other node. */
export function scalarText(node: YamlNode | null): string | null {
  return node?.kind === 'scalar' ? node.text : null
}

/** The last item of `map` whose key reads `name`: of a repeated role the last one counts. */
export function findItem(map: MappingNode, name: string): SourceItem | null {
  return itemsIn(map).findLast((item) => scalarText(item.key) === name) ?? null
}

/** The items of a collection in the order of the text. */
export function itemsIn(collection: CollectionNode): SourceItem[] {
  const { isFlow, marks } = collection
  const commaAt = (index: number): Span | null => {
    const start = isFlow ? marks[index] : undefined
    return start === undefined ? null : { start, end: start + 1 }
  }
  const between = (index: number) => ({ commaBefore: commaAt(index - 1), commaAfter: commaAt(index) })
  if (collection.kind === 'mapping') {
    return collection.entries.map(({ start, key, colon, value }, index) => {
      const head = Math.max(writtenEnd(key), colon === null ? start : colon + 1)
      return {
        span: { start, end: Math.max(head, writtenEnd(value)) },
        key,
        value,
        hasColon: colon !== null,
        isInFlow: isFlow,
        valueAt: Math.max(head, value.properties?.span.end ?? 0),
        ...between(index),
      }
    })
  }
  return collection.items.map((value, index) => {
    const dash = isFlow ? undefined : marks[index]
    const start = dash ?? spanOf(value).start
    const head = dash === undefined ? start : dash + 1
    return {
      span: { start, end: Math.max(head, writtenEnd(value)) },
      key: null,
      value,
      hasColon: false,
      isInFlow: isFlow,
      valueAt: Math.max(head, value.properties?.span.end ?? 0),
      ...between(index),
    }
  })
}

/** Where what is written of a node ends; 0 where nothing is. */
function writtenEnd(node: YamlNode): number {
  return isEmpty(node) ? (node.properties?.span.end ?? 0) : node.end
}

/** The brackets of a flow collection: where its inside begins and ends. */
export function insideOf({ isFlow, start, end }: CollectionNode): Span | null {
  return isFlow ? { start: start + 1, end: end - 1 } : null
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
  const start = lineStart(source, offset)
  // To the reference a byte order mark indents the first line.
  const mark = start === 1 && source.text.startsWith('\uFEFF') ? ' ' : ''
  return mark + source.text.slice(start, offset).replace(/[^ \t]/gu, ' ')
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
