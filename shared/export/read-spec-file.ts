import { isNode, parseDocument, type Document } from 'yaml'
import {
  invalidSpecReason,
  LATENCY_CLASSES,
  MAX_MEMORY_BYTES,
  RUNTIMES,
  type InferenceSpec,
} from '../inference-spec.ts'
import { readFailed, readOk, type Problem, type Read, type TextRange } from '../problem.ts'
import { TextLines } from '../text-lines.ts'
import type { ExportFormat } from './export-report.ts'

/** Where something stands in the file: the keys and list positions that lead to it. */
type Path = readonly (string | number)[]

/**
 * Reads an exported spec back. Refused, with a place each: what is not JSON or YAML, unknown and repeated
 * keys, missing keys, values of a wrong type, and specs that are not valid (docs/reference.md S1 and S2).
 * `model` and `excludes` may be left out, as the export leaves them out.
 *
 * @param file the file's name in problems.
 */
export function readSpecFile(
  text: string,
  format: ExportFormat,
  file: string | null = null,
): Read<InferenceSpec> {
  const source = new SpecSource(text, file)
  const value = source.parse(format)
  if (value === null) return readFailed(source.problems)
  const spec = readSpec(value, source)
  if (spec === null) return readFailed(source.problems)
  const reason = invalidSpecReason(spec)
  if (reason === null) return readOk(spec)
  source.fault('spec-invalid', [], `Not a valid inference spec: ${reason}.`)
  return readFailed(source.problems)
}

/** One spec text with the problems found in it so far. */
class SpecSource {
  readonly problems: Problem[] = []
  readonly #lines: TextLines
  readonly #file: string | null
  #document: Document | null = null

  constructor(text: string, file: string | null) {
    this.#lines = new TextLines(text)
    this.#file = file
  }

  /**
   * The text's value, mappings as `Map` and integers as `bigint`; null (and a problem) when it cannot be
   * read.
   */
  parse(format: ExportFormat): { readonly content: unknown } | null {
    const text = this.#lines.text
    try {
      if (format === 'json') JSON.parse(text)
      // JSON is YAML too, and only this reader knows places and repeated keys.
      const document = parseDocument(text, { intAsBigInt: true, stringKeys: true, prettyErrors: false })
      const [error] = document.errors
      if (error) {
        const why = error.code === 'DUPLICATE_KEY' ? 'This key is here twice: keep one' : error.message
        return this.#add('spec-syntax', `${why.replace(/\.$/, '')}.`, this.#range(...error.pos))
      }
      this.#document = document
      return { content: document.toJS({ mapAsMap: true, maxAliasCount: 100 }) as unknown }
    } catch (error) {
      // Thrown for text that is not JSON, for aliases that multiply and for nesting beyond the stack.
      const why = error instanceof Error ? error.message : String(error)
      return this.#add('spec-syntax', `This is not a readable ${format.toUpperCase()} file: ${why}.`, null)
    }
  }

  /** Notes a problem with what stands at `path`, or with the whole file when nothing does. */
  fault(code: string, path: Path, message: string): null {
    const node = path.length === 0 ? null : this.#document?.getIn(path, true)
    const range = isNode(node) && node.range ? this.#range(node.range[0], node.range[1]) : null
    return this.#add(code, message, range)
  }

  #range(start: number, end: number): TextRange {
    return this.#lines.range({ start, end })
  }

  #add(code: string, message: string, range: TextRange | null): null {
    this.problems.push({ severity: 'error', code, message, file: this.#file, range })
    return null
  }
}

const KEYS = ['role', 'model', 'runtime', 'serve', 'memory', 'excludes', 'latency_class', 'sticky', 'api']

function readSpec({ content }: { readonly content: unknown }, source: SpecSource): InferenceSpec | null {
  const top = readMapping(content, [], KEYS, source)
  if (top === null) return null
  const serve = readMapping(top.get('serve'), ['serve'], ['port'], source)
  const memory = readMapping(top.get('memory'), ['memory'], ['weights_bytes', 'kv_budget_bytes'], source)
  const role = readText(top.get('role'), ['role'], source)
  const model = top.has('model') ? readText(top.get('model'), ['model'], source) : null
  const runtime = readOneOf(top.get('runtime'), ['runtime'], RUNTIMES, source)
  const port = serve?.has('port') ? readInteger(serve.get('port'), ['serve', 'port'], 65535n, source) : null
  const weightsBytes = readBytes(memory, 'weights_bytes', source)
  const kvBudgetBytes = readBytes(memory, 'kv_budget_bytes', source)
  const excludes = top.has('excludes') ? readExcludes(top.get('excludes'), source) : []
  const latencyClass = readOneOf(top.get('latency_class'), ['latency_class'], LATENCY_CLASSES, source)
  const sticky = readSwitch(top.get('sticky'), ['sticky'], source)
  const api = readOneOf(top.get('api'), ['api'], ['openai-v1'] as const, source)
  if (source.problems.length > 0) return null
  if (role === null || runtime === null || weightsBytes === null || kvBudgetBytes === null) return null
  if (excludes === null || latencyClass === null || sticky === null || api === null) return null
  return {
    role,
    model,
    runtime,
    serve: { port: port === null ? null : Number(port) },
    memory: { weightsBytes, kvBudgetBytes },
    excludes,
    latencyClass,
    sticky,
    api,
  }
}

function readMapping(
  value: unknown,
  path: Path,
  known: readonly string[],
  source: SpecSource,
): ReadonlyMap<unknown, unknown> | null {
  if (!(value instanceof Map)) return wrong(value, path, `a mapping with ${known.join(', ')}`, source)
  for (const key of value.keys()) {
    if (typeof key === 'string' && known.includes(key)) continue
    const at = typeof key === 'string' ? [...path, key] : path
    const message = `Unknown key ${JSON.stringify(String(key))}: ${named(path)} has ${known.join(', ')} only.`
    source.fault('spec-unknown-key', at, message)
  }
  return value
}

function readText(value: unknown, path: Path, source: SpecSource): string | null {
  return typeof value === 'string' ? value : wrong(value, path, 'a text', source)
}

function readSwitch(value: unknown, path: Path, source: SpecSource): boolean | null {
  return typeof value === 'boolean' ? value : wrong(value, path, 'true or false', source)
}

function readOneOf<T extends string>(
  value: unknown,
  path: Path,
  choices: readonly T[],
  source: SpecSource,
): T | null {
  return choices.find((choice) => choice === value) ?? wrong(value, path, choices.join(' or '), source)
}

function readInteger(value: unknown, path: Path, max: bigint, source: SpecSource): bigint | null {
  if (typeof value === 'bigint' && value >= 0n && value <= max) return value
  return wrong(value, path, `an integer from 0 to ${max}`, source)
}

/** A memory figure; null without a problem of its own when `memory` itself is not a mapping. */
function readBytes(
  memory: ReadonlyMap<unknown, unknown> | null,
  key: 'weights_bytes' | 'kv_budget_bytes',
  source: SpecSource,
): bigint | null {
  return memory && readInteger(memory.get(key), ['memory', key], MAX_MEMORY_BYTES, source)
}

function readExcludes(value: unknown, source: SpecSource): readonly string[] | null {
  if (!Array.isArray(value)) return wrong(value, ['excludes'], 'a list of roles', source)
  return value.map((entry: unknown, i) => readText(entry, ['excludes', i], source) ?? '')
}

/** Notes that `value` is not `expected`, or not there at all. */
function wrong(value: unknown, path: Path, expected: string, source: SpecSource): null {
  const should = `must be ${expected}.`
  return value === undefined
    ? source.fault('spec-missing-key', path.slice(0, -1), `${named(path)} is missing: it ${should}`)
    : source.fault('spec-bad-value', path, `${named(path)} ${should}`)
}

function named(path: Path): string {
  return path.length === 0 ? 'A spec' : path.join('.')
}
