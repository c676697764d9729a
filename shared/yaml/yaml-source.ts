import { Composer, Parser, type Alias, type CST, type Document } from 'yaml'
import { runSync, type Task } from '../task.ts'
import { NO_ALIASES, resolveAliases, type Aliases } from './anchors.ts'
import { forbiddenCharacters } from './characters.ts'
import { MAX_FAULTS, Scanner, type ByteOrderMark } from './scanner.ts'
import type { Slot } from './slots.ts'
import { inOrder, structuralFaults, type SyntaxFault } from './syntax-faults.ts'

/** A YAML text parsed once, to be read by {@link YamlReader}. */
export interface YamlSource {
  readonly text: string
  /**
   * The document's only node; null when the text holds no document at all (nothing but comments and blank
   * lines).
   */
  readonly root: Slot | null
  readonly aliases: Aliases
  /** The offset of a block scalar whose last line the text ends without a line break. */
  readonly openBlockScalar: number | null
  /** In the order of the text; with one of these the text is refused. */
  readonly faults: readonly SyntaxFault[]
}

/**
 * How the `yaml` library is asked to parse: every scalar stays the text it is written as, repeated keys are
 * left to the reader, and tokens are kept, since only they tell where tags, anchors and missing values stand.
 * All of this is less work than the library's defaults.
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
 * Parses `text` as one YAML document (docs/reference.md Y1 and Y9). `byteOrderMark` says what a
 * leading one is: the reference counts it as a column of the first line. `onLexeme` is told every lexeme on the way,
 * see {@link Scanner}.
 */
export function parseYaml(
  text: string,
  byteOrderMark: ByteOrderMark,
  onLexeme: (lexeme: string) => void = () => undefined,
): YamlSource {
  return runSync(parseYamlTask(text, byteOrderMark, onLexeme))
}

/** {@link parseYaml} that stops after every so many tokens. */
export function* parseYamlTask(
  text: string,
  byteOrderMark: ByteOrderMark,
  onLexeme: (lexeme: string) => void = () => undefined,
): Task<YamlSource> {
  const parser = new Parser()
  const composer = new Composer(PARSING)
  const documents: Document.Parsed[] = []
  let start: readonly CST.SourceToken[] = []
  const compose = (token: CST.Token): void => {
    if (token.type === 'document') start = token.start
    for (const document of composer.next(token)) documents.push(document)
  }
  const scanner = new Scanner(text, byteOrderMark, (lexeme) => {
    onLexeme(lexeme)
    for (const token of parser.next(lexeme)) compose(token)
  })
  yield* scanner.steps()
  for (const token of parser.end()) compose(token)
  for (const document of composer.end(true, text.length)) documents.push(document)

  const document = documents[0]
  const root: Slot | null =
    document?.contents && scanner.hasDocument
      ? { node: document.contents, before: start, near: document.range[1], inFlow: false }
      : null
  const aliases = root && text.includes('*') ? resolveAliases(root) : NO_ALIASES
  const readUntil = scanner.faults.find(({ spoils }) => spoils === 'rest')?.at ?? Infinity
  const faults = inOrder(
    [
      ...[...forbiddenCharacters(text, MAX_FAULTS), ...scanner.faults].map(({ at, message, spoils }) => ({
        message,
        span: { start: at, end: Math.min(at + 1, text.length) },
        spoils,
      })),
      ...structuralFaults(document?.errors ?? [], text, readUntil),
      ...aliases.unknown.map(unknownAlias),
    ],
    text,
  )
  return { text, root, aliases, openBlockScalar: scanner.openBlockScalar, faults }
}

function unknownAlias({ source, range: [start, end] }: Alias.Parsed): SyntaxFault {
  const message = `\`*${source}\` refers to no anchor above it: write \`&${source}\` before the value meant`
  return { message, span: { start, end }, spoils: 'token' }
}
