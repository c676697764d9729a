import { runSync, type Task } from '../task.ts'
import type { Span } from '../text-lines.ts'
import type { YamlNode } from './nodes.ts'
import { Parser, type ParsedDocument } from './parser.ts'
import type { ByteOrderMark } from './scanner.ts'
import { syntaxFaults, type SyntaxFault } from './syntax-faults.ts'

/** A YAML text parsed once, to be read by `YamlReader`. */
export interface YamlSource {
  readonly text: string
  /**
   * The document's only node; null when the text holds no document at all (nothing but comments and blank
   * lines).
   */
  readonly root: YamlNode | null
  /** What aliases stand for, by their numbers. */
  readonly anchored: readonly YamlNode[]
  readonly comments: readonly Span[]
  /** Where the document ends: at its `...` line, or with the text. */
  readonly documentEnd: number
  /** How many events the reference's parser makes of the document: nodes begun and collections ended. */
  readonly events: number
  /** In the order of the text; with one of these the text is refused. */
  readonly faults: readonly SyntaxFault[]
}

/**
 * Parses `text` as one YAML document (docs/reference.md Y1 and Y9). `byteOrderMark` says what a
 * leading one is: the reference counts it as a column of the first line.
 */
export function parseYaml(text: string, byteOrderMark: ByteOrderMark): YamlSource {
  return runSync(parseYamlTask(text, byteOrderMark))
}

/** {@link parseYaml} that stops after every so many nodes. */
export function* parseYamlTask(text: string, byteOrderMark: ByteOrderMark): Task<YamlSource> {
  const parser = new Parser(text, byteOrderMark)
  const document = yield* parser.parse()
  const faults = syntaxFaults(text, document.faults)
  const causes = byteOrderMark === 'column' ? yield* causedByMark(text, document, faults) : faults
  return {
    text,
    root: document.root,
    anchored: document.anchored,
    comments: parser.comments,
    documentEnd: document.endMarker ?? text.length,
    events: document.events,
    faults: causes,
  }
}

/** `faults`, or the one cause of them all when the text would have none without its byte order mark. */
function* causedByMark(
  text: string,
  document: ParsedDocument,
  faults: readonly SyntaxFault[],
): Task<readonly SyntaxFault[]> {
  const [first] = document.faults
  if (!first || !text.startsWith('\uFEFF')) return faults
  const unmarked = yield* new Parser(text, 'skip').parse()
  if (unmarked.faults.length > 0) return faults
  const message =
    'the file begins with a byte order mark (U+FEFF), which indents its first line by one: save it without'
  return [{ message, span: { start: 0, end: 1 }, spoils: 'rest', event: first.event }]
}
