import { Composer, Parser, type CST, type Document, type ParsedNode } from 'yaml'
import type { Span } from './text-lines.ts'
import { NO_ALIASES, resolveAliases, type Aliases } from './yaml/anchors.ts'
import { findForbiddenCharacter, normalizeBreaks, type ByteOrderMark } from './yaml/characters.ts'
import type { Slot } from './yaml/slots.ts'
import { syntaxFault } from './yaml/syntax-faults.ts'

/** Something wrong with a YAML text as such, whatever it should say. */
export interface SyntaxFault {
  readonly message: string
  readonly span: Span
}

/** A YAML text parsed once, to be read by {@link YamlReader}. */
export interface YamlSource {
  readonly text: string
  /** The document's only node; null when the text holds no document at all (nothing but comments and blank lines). */
  readonly root: Slot | null
  readonly aliases: Aliases
  /** In the order of the text; with one of these the text is refused. */
  readonly faults: readonly SyntaxFault[]
  /** The offset up to which nodes can be trusted: behind the first fault the parser only guesses. */
  readonly trustedUntil: number
}

/**
 * How the `yaml` library is asked to parse: every scalar stays the text it is written as, repeated keys are left to the
 * reader, and tokens are kept, since only they tell where tags, anchors and missing values stand. All of this is less
 * work than the library's defaults.
 */
const PARSING = {
  schema: 'failsafe',
  uniqueKeys: false,
  keepSourceTokens: true,
  prettyErrors: false,
  logLevel: 'silent',
  merge: false,
} as const

/**
 * Parses `text` as one YAML document (reference: serde_yaml 0.9 over libyaml). `byteOrderMark` says what a leading one
 * is: the reference counts it as a column of the first line.
 */
export function parseYaml(text: string, byteOrderMark: ByteOrderMark): YamlSource {
  const forbidden = findForbiddenCharacter(text)
  if (forbidden) return refused(text, [forbidden])
  const source = normalizeBreaks(text, byteOrderMark)
  const parser = new Parser()
  const composer = new Composer(PARSING)
  const documents: Document.Parsed<ParsedNode>[] = []
  let start: readonly CST.SourceToken[] = []
  for (const token of parser.parse(source)) {
    if (token.type === 'document' && documents.length === 0) start = token.start
    documents.push(...composer.next(token))
  }
  documents.push(...composer.end(true, source.length))

  const [document, second] = documents
  if (!document) return refused(text, [])
  const faults = [...document.errors, ...document.warnings].flatMap((error) => syntaxFault(error) ?? [])
  if (second) {
    const [from, to] = second.range
    const message = 'more than one YAML document: keep the first and remove the rest, `---` included'
    faults.push({ message, span: { start: from, end: Math.max(from, to) } })
  }
  const root: Slot | null = isStreamEmpty(start, document)
    ? null
    : { node: document.contents, before: start, near: document.range[1], inFlow: false }
  const aliases = root && source.includes('*') ? resolveAliases(root) : NO_ALIASES
  for (const alias of aliases.unknown) {
    const [from, to] = alias.range
    const message = `\`*${alias.source}\` refers to no anchor above it: write \`&${alias.source}\` before the value meant`
    faults.push({ message, span: { start: from, end: to } })
  }
  faults.sort((a, b) => a.span.start - b.span.start)
  return { text, root, aliases, faults, trustedUntil: faults[0]?.span.start ?? Infinity }
}

function refused(text: string, faults: readonly SyntaxFault[]): YamlSource {
  return { text, root: null, aliases: NO_ALIASES, faults, trustedUntil: 0 }
}

/** Whether there is no document, rather than one that says nothing (such as `---`). */
function isStreamEmpty(start: readonly CST.SourceToken[], document: Document.Parsed<ParsedNode>): boolean {
  return document.contents === null || (start.length === 0 && document.range[1] === document.range[0])
}
