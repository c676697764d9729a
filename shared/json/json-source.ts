import {
  createScanner,
  parseTree,
  printParseErrorCode,
  visit,
  type Node,
  type ParseErrorCode,
} from 'jsonc-parser'
import { countMembers, isFloatLexeme, scanJson } from './json-scan.ts'
import { readFailed, readOk, type Problem, type Read } from '../problem.ts'
import { TextLines, type Span } from '../text-lines.ts'
import { exceedsUtf8 } from '../utf8.ts'

/** Where a value is in a JSON text: keys and list indices (from 0), outermost first. */
export type JsonPath = readonly (string | number)[]

/** A key that an object has twice; `path` ends with it. */
export interface RepeatedKey {
  readonly path: JsonPath
  /** The later of the two keys. */
  readonly span: Span
}

/** Deepest nesting read: the reference's JSON reader stops there too, and no parser's stack is in danger. */
export const MAX_JSON_NESTING = 128

/** Comments and trailing commas are not JSON. */
const STRICT = { disallowComments: true, allowTrailingComma: false, allowEmptyContent: false } as const

/**
 * A JSON text read whole: its value, and the places of its parts. Places are worked out when they are asked
 * for, from a syntax tree that is built once: most files have no problem to place.
 */
export class JsonSource {
  readonly file: string
  readonly lines: TextLines
  /** What `JSON.parse` made of the text. */
  readonly value: unknown
  /** In text order. `value` holds the last of each. */
  readonly repeatedKeys: readonly RepeatedKey[]
  readonly #body: JsonBody
  /** Whether some number is an integer by value but not as written (`1.0`, `1e3`). */
  readonly #hasIntegralFloats: boolean
  #tree: Node | null = null
  /** The members of objects by key: going through them for each place would take their square. */
  readonly #members = new Map<Node, ReadonlyMap<string, Node>>()

  constructor(file: string, lines: TextLines, body: JsonBody, value: unknown, facts: TextFacts) {
    this.file = file
    this.lines = lines
    this.value = value
    this.repeatedKeys = facts.repeatedKeys
    this.#hasIntegralFloats = facts.hasIntegralFloats
    this.#body = body
  }

  /** The value at `path`, or when there is none the first character of the innermost value around it. */
  spanOf(path: JsonPath): Span {
    const node = this.#nodeAt(path)
    if (node) return this.#span(node)
    for (let depth = path.length - 1; depth >= 0; depth--) {
      const around = this.#nodeAt(path.slice(0, depth))
      if (around) {
        const { start } = this.#span(around)
        return { start, end: start + 1 }
      }
    }
    return { start: 0, end: 0 }
  }

  /** The key of the member at `path`; like {@link spanOf} when the value is not a member of an object. */
  keySpanOf(path: JsonPath): Span {
    const property = this.#nodeAt(path)?.parent
    const key = property?.type === 'property' ? property.children?.[0] : undefined
    return key ? this.#span(key) : this.spanOf(path)
  }

  /** Whether the number at `path` is written as an integer: `1.0` and `1e3` are not. */
  isWrittenAsInteger(path: JsonPath): boolean {
    if (!this.#hasIntegralFloats) return true
    const node = this.#nodeAt(path)
    return node === undefined || !isFloatLexeme(this.#body.text.slice(node.offset, node.offset + node.length))
  }

  /** The value at `path` as the text has it, which a number may have lost by being read; null when there is none. */
  writtenAt(path: JsonPath): string | null {
    const node = this.#nodeAt(path)
    return node ? this.#body.text.slice(node.offset, node.offset + node.length) : null
  }

  #nodeAt(path: JsonPath): Node | undefined {
    this.#tree ??= parseTree(this.#body.text, [], STRICT) ?? null
    let node = this.#tree ?? undefined
    for (const part of path) {
      if (node === undefined) return undefined
      if (typeof part === 'number') node = node.type === 'array' ? node.children?.[part] : undefined
      else node = node.type === 'object' ? this.#membersOf(node).get(part) : undefined
    }
    return node
  }

  #membersOf(object: Node): ReadonlyMap<string, Node> {
    const known = this.#members.get(object)
    if (known !== undefined) return known
    const members = new Map<string, Node>()
    for (const { children } of object.children ?? []) {
      const [key, value] = children ?? []
      const name: unknown = key?.value
      if (typeof name === 'string' && value !== undefined && !members.has(name)) members.set(name, value)
    }
    this.#members.set(object, members)
    return members
  }

  #span(node: Node): Span {
    const start = this.#body.offset + node.offset
    return { start, end: start + node.length }
  }
}

/** The JSON of a text, after a byte order mark if there is one; `offset` is where it starts in the text. */
interface JsonBody {
  readonly text: string
  readonly offset: number
}

interface TextFacts {
  readonly repeatedKeys: readonly RepeatedKey[]
  readonly hasIntegralFloats: boolean
}

/**
 * Reads `text` as strict JSON of at most `maxBytes` bytes. Fails on a text that is too large, nested too
 * deeply or not JSON; repeated keys are left to the caller, who knows whether they spoil the whole file or
 * one entry of it.
 */
export function readJsonSource(text: string, file: string, maxBytes: number): Read<JsonSource> {
  const lines = new TextLines(text)
  const fail = (code: string, message: string, span: Span | null): Read<JsonSource> => {
    const problem: Problem = {
      severity: 'error',
      code,
      message,
      file,
      range: span === null ? null : lines.range(span),
    }
    return readFailed([problem])
  }
  const failTooDeep = (bracket: number): Read<JsonSource> => {
    const start = offset + bracket
    const message = `values are nested more than ${MAX_JSON_NESTING} levels deep`
    return fail('json-too-deep', message, { start, end: start + 1 })
  }

  if (exceedsUtf8(text, maxBytes)) {
    return fail('json-too-large', `the file is larger than ${maxBytes} bytes, the most that is read`, null)
  }
  const offset = text.startsWith('\uFEFF') ? 1 : 0
  const body: JsonBody = { text: text.slice(offset), offset }
  if (body.text.trim() === '') {
    return fail('json-syntax', 'the file is empty: a JSON value is expected', { start: 0, end: 0 })
  }
  const scan = scanJson(body.text)
  const tooDeep = scan.depth > MAX_JSON_NESTING ? offsetOfNesting(body.text, MAX_JSON_NESTING) : null
  if (tooDeep !== null) return failTooDeep(tooDeep)
  let value: unknown
  try {
    value = JSON.parse(body.text)
  } catch {
    const deepFault = offsetOfNesting(body.text, MAX_JSON_NESTING)
    if (deepFault !== null) return failTooDeep(deepFault)
    const { message, span } = firstSyntaxError(body)
    return fail('json-syntax', message, span)
  }
  const repeatedKeys = scan.members === countMembers(value) ? [] : findRepeatedKeys(body)
  return readOk(new JsonSource(file, lines, body, value, { ...scan, repeatedKeys }))
}

/** The repeated keys of a text that is known to be JSON. */
function findRepeatedKeys(body: JsonBody): RepeatedKey[] {
  const repeatedKeys: RepeatedKey[] = []
  const open: Set<string>[] = []
  visit(
    body.text,
    {
      onObjectBegin: () => {
        open.push(new Set())
      },
      onObjectProperty: (key, offset, length, _line, _character, path) => {
        const keys = open.at(-1)
        if (keys?.has(key)) {
          const start = body.offset + offset
          repeatedKeys.push({ path: [...path(), key], span: { start, end: start + length } })
        }
        keys?.add(key)
      },
      onObjectEnd: () => {
        open.pop()
      },
    },
    STRICT,
  )
  return repeatedKeys
}

/** Tokens of the library's scanner (its enum is ambient, which isolated modules cannot read). */
const OPEN_BRACE = 1
const CLOSE_BRACE = 2
const OPEN_BRACKET = 3
const CLOSE_BRACKET = 4
const END_OF_TEXT = 17

/**
 * The offset of the first bracket that opens a level beyond `limit`, or null. It reads the tokens of the
 * library's recursive parser and closes levels no sooner, so that whatever passes here, JSON or not, cannot
 * overflow it.
 */
function offsetOfNesting(text: string, limit: number): number | null {
  const scanner = createScanner(text, true)
  const closers: number[] = []
  for (;;) {
    const token: number = scanner.scan()
    if (token === END_OF_TEXT) return null
    if (token === OPEN_BRACE) closers.push(CLOSE_BRACE)
    else if (token === OPEN_BRACKET) closers.push(CLOSE_BRACKET)
    else if (token === closers.at(-1)) closers.pop()
    if (closers.length > limit) return scanner.getTokenOffset()
  }
}

const SYNTAX_MESSAGES: Readonly<Record<ReturnType<typeof printParseErrorCode>, string>> = {
  InvalidSymbol: 'this is not JSON: only quoted text, numbers, true, false, null, lists and objects are',
  InvalidNumberFormat: 'this is not a number as JSON writes one',
  PropertyNameExpected:
    'a key in double quotes is expected here (JSON allows no comma after the last member)',
  ValueExpected: 'a value is expected here (JSON allows no comma after the last item)',
  ColonExpected: 'a colon is expected here, between the key and its value',
  CommaExpected: 'a comma is expected here, between two members or items',
  CloseBraceExpected: 'a closing brace } is missing',
  CloseBracketExpected: 'a closing bracket ] is missing',
  EndOfFileExpected: 'the value ended before this: a JSON file holds one value and nothing after it',
  InvalidCommentToken: 'comments are not JSON: remove this one',
  UnexpectedEndOfComment: 'comments are not JSON: remove this one',
  UnexpectedEndOfString: 'this text has no closing quote on its line',
  UnexpectedEndOfNumber: 'this number is cut short',
  InvalidUnicode: 'this \\u escape is not followed by four hex digits',
  InvalidEscapeCharacter: 'this backslash escape is not one that JSON has',
  InvalidCharacter: 'this text holds a control character: write it as an escape such as \\n or \\t',
  '<unknown ParseErrorCode>': 'this is not JSON',
}

interface SyntaxFault {
  readonly error: ParseErrorCode
  readonly offset: number
  readonly length: number
}

/** Only the first error of a text is reported: those after it mostly repeat it. */
function firstSyntaxError(body: JsonBody): { message: string; span: Span } {
  const found: { first: SyntaxFault | null } = { first: null }
  const onError = (error: ParseErrorCode, offset: number, length: number): void => {
    if (found.first === null || offset < found.first.offset) found.first = { error, offset, length }
  }
  visit(body.text, { onError }, STRICT)
  // The two parsers agree on what JSON is; should they ever not, the file is still refused, at its start.
  const { error, offset, length } = found.first ?? { error: null, offset: 0, length: 0 }
  const start = body.offset + offset
  return {
    message: error === null ? 'this is not JSON' : SYNTAX_MESSAGES[printParseErrorCode(error)],
    span: { start, end: start + length },
  }
}
