import { readJsonSource, type JsonPath, type JsonSource } from './json-source.ts'
import { readFailed, readOk, type Problem, type Read, type Severity } from '../problem.ts'
import type { Span } from '../text-lines.ts'

/**
 * Problems listed of one file; what is beyond is counted in one more, so that a broken 16 MiB file stays
 * readable.
 */
export const MAX_LISTED_PROBLEMS = 500

/** The problems of one JSON text, collected while its values are read. */
export class JsonReport {
  readonly source: JsonSource
  /** Errors added so far; who reads a part compares it to know whether that part had any. */
  errors = 0
  readonly #problems: Problem[] = []
  #unlisted = 0

  constructor(source: JsonSource) {
    this.source = source
  }

  add(severity: Severity, code: string, message: string, span: () => Span): void {
    if (severity === 'error') this.errors++
    if (this.#problems.length >= MAX_LISTED_PROBLEMS) {
      this.#unlisted++
      return
    }
    const { file, lines } = this.source
    this.#problems.push({ severity, code, message, file, range: lines.range(span()) })
  }

  /** Reports every repeated key whose path passes `filter`. */
  addRepeatedKeys(filter: (path: JsonPath) => boolean = () => true): void {
    for (const { path, span } of this.source.repeatedKeys) {
      if (!filter(path)) continue
      const message = `${nameOfPath(path)} is there twice: remove one of the two`
      this.add('error', 'json-repeated-key', message, () => span)
    }
  }

  /** Everything that was reported, in text order. */
  get problems(): readonly Problem[] {
    const listed = this.#problems.toSorted((a, b) => startOf(a) - startOf(b))
    if (this.#unlisted === 0) return listed
    return [...listed, moreProblems(this.#unlisted, this.source.file)]
  }
}

/** `problems` of one file in text order, no more of them than a person reads; what is beyond is counted in one more. */
export function listedProblems(problems: readonly Problem[], file: string): readonly Problem[] {
  const listed = problems.toSorted((a, b) => startOf(a) - startOf(b))
  const unlisted = listed.length - MAX_LISTED_PROBLEMS
  return unlisted <= 0 ? listed : [...listed.slice(0, MAX_LISTED_PROBLEMS), moreProblems(unlisted, file)]
}

function moreProblems(count: number, file: string): Problem {
  const message = `${count} more problems of this file are not listed`
  return { severity: 'info', code: 'json-more-problems', message, file, range: null }
}

function startOf(problem: Problem): number {
  return problem.range?.start.offset ?? 0
}

/**
 * Reads a JSON file that is usable whole or not at all: `read` makes its value, and any error reported on the way
 * (or a repeated key) fails the file.
 */
export function readJsonFile<T>(
  text: string,
  file: string,
  maxBytes: number,
  read: (root: JsonValue) => T | null,
): Read<T> {
  const source = readJsonSource(text, file, maxBytes)
  if (!source.ok) return source
  const report = new JsonReport(source.value)
  report.addRepeatedKeys()
  const value = read(JsonValue.root(report))
  return value === null || report.errors > 0 ? readFailed(report.problems) : readOk(value, report.problems)
}

/** What a text must be like, in words that follow "must be". */
export interface TextRule {
  readonly test: (text: string) => boolean
  readonly expected: string
}

/**
 * One value of a JSON text, and where it stands. A reading method that finds something else than it should
 * reports it and returns a stand-in (`''`, `0`, `false`), so that one pass finds every problem; the caller that asked
 * looks at the report before using what was read.
 */
export class JsonValue {
  /** `undefined` for a member that is missing. */
  readonly value: unknown
  readonly #report: JsonReport
  readonly #parent: JsonValue | null
  readonly #key: string | number

  private constructor(report: JsonReport, value: unknown, parent: JsonValue | null, key: string | number) {
    this.#report = report
    this.value = value
    this.#parent = parent
    this.#key = key
  }

  static root(report: JsonReport): JsonValue {
    return new JsonValue(report, report.source.value, null, '')
  }

  /** Errors reported for the text so far, of this value or others. */
  get errorsTold(): number {
    return this.#report.errors
  }

  get path(): JsonPath {
    return this.#parent === null ? [] : [...this.#parent.path, this.#key]
  }

  /** The path as a person reads it: `capabilities[3].attrs.free`. */
  get name(): string {
    return nameOfPath(this.path)
  }

  #child(key: string | number): JsonValue {
    const inner = this.value as Readonly<Record<string | number, unknown>>
    return new JsonValue(this.#report, Object.hasOwn(inner, key) ? inner[key] : undefined, this, key)
  }

  /** Reports a problem with this value. */
  tell(severity: Severity, code: string, message: string): void {
    this.#report.add(severity, code, message, () => this.#report.source.spanOf(this.path))
  }

  /** Reports a problem with the key of this member. */
  tellKey(severity: Severity, code: string, message: string): void {
    this.#report.add(severity, code, message, () => this.#report.source.keySpanOf(this.path))
  }

  /** Reports that this value is not what it must be, or that it is missing. */
  refuse(expected: string): void {
    if (this.value === undefined) {
      this.tell('error', 'json-missing-key', `${this.name} is missing: it must be ${expected}`)
      return
    }
    this.tell('error', 'json-bad-value', `${this.name} must be ${expected}, not ${this.#described()}`)
  }

  #described(): string {
    const { value } = this
    if (typeof value === 'object' && value !== null) return Array.isArray(value) ? 'a list' : 'an object'
    if (typeof value === 'string') return JSON.stringify(shorten(value, SHOWN_TEXT_LENGTH))
    // Numbers as written: what is read of one beyond 2^53 is another.
    const written = typeof value === 'number' ? this.#report.source.writtenAt(this.path) : null
    return shorten(written ?? String(value), SHOWN_TEXT_LENGTH)
  }

  /** The member `key` of an object read with {@link object}; reading it reports when it is missing. */
  member(key: string): JsonValue {
    return this.#child(key)
  }

  /** Like {@link member}, but null when it is missing. */
  optional(key: string): JsonValue | null {
    const member = this.member(key)
    return member.value === undefined ? null : member
  }

  /** Like {@link optional}, but a null is as good as nothing. */
  nullable(key: string): JsonValue | null {
    const member = this.member(key)
    return member.value === undefined || member.value === null ? null : member
  }

  /** The value at `path` below this one, which must be there. */
  at(path: JsonPath): JsonValue {
    return path.reduce<JsonValue>((value, key) => value.#child(key), this)
  }

  /** Whether this is an object, whose members can then be asked for; with `keys`, any other key is reported. */
  object(keys?: readonly string[]): boolean {
    if (typeof this.value !== 'object' || this.value === null || Array.isArray(this.value)) {
      this.refuse('an object')
      return false
    }
    if (keys) {
      for (const key of Object.keys(this.value)) {
        if (keys.includes(key)) continue
        const member = this.member(key)
        const message = `${member.name} is not known here; known keys are ${keys.join(', ')}`
        member.tellKey('error', 'json-unknown-key', message)
      }
    }
    return true
  }

  /** The members of an object of at most `max`; none when it is not such an object. */
  members(max = Infinity): [string, JsonValue][] {
    if (!this.object()) return []
    const keys = Object.keys(this.value as object)
    if (keys.length > max) {
      this.tell(
        'error',
        'json-bad-length',
        `${this.name} must have at most ${max} members, not ${keys.length}`,
      )
      return []
    }
    return keys.map((key) => [key, this.member(key)])
  }

  /** The items of a list of `min` to `max`; none when it is not such a list. */
  list(min: number, max: number): JsonValue[] {
    if (!Array.isArray(this.value)) {
      this.refuse('a list')
      return []
    }
    const items: readonly unknown[] = this.value
    if (items.length < min || items.length > max) {
      const bounds = min === 0 ? `at most ${max} items` : `${min} to ${max} items`
      this.tell('error', 'json-bad-length', `${this.name} must have ${bounds}, not ${items.length}`)
      return []
    }
    return items.map((item, i) => new JsonValue(this.#report, item, this, i))
  }

  /** A text, which must pass `rule`. */
  text(rule?: TextRule): string {
    if (typeof this.value === 'string' && (rule === undefined || rule.test(this.value))) return this.value
    this.refuse(rule?.expected ?? 'a text')
    return ''
  }

  /** An integer from 0 to `max`, written as one. */
  count(max = Number.MAX_SAFE_INTEGER): number {
    const { value } = this
    if (typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 && value <= max) {
      if (this.#report.source.isWrittenAsInteger(this.path)) return value
      const message = `${this.name} must be written as an integer, without fraction, exponent or minus sign`
      this.tell('error', 'json-bad-value', message)
      return 0
    }
    const quoted = typeof value === 'string' && /^\d+$/.test(value) ? ', written without quotes' : ''
    this.refuse(`an integer from 0 to ${max}${quoted}`)
    return 0
  }

  flag(): boolean {
    if (typeof this.value === 'boolean') return this.value
    this.refuse('true or false')
    return false
  }

  /** One of `options`, the first of them when it is none. */
  oneOf<const T extends string>(options: readonly [T, ...T[]]): T {
    const found = options.find((option) => option === this.value)
    if (found !== undefined) return found
    this.refuse(options.length === 1 ? JSON.stringify(options[0]) : `one of ${options.join(', ')}`)
    return options[0]
  }
}

const PLAIN_KEY = /^[\w-]+$/
/** Keys longer than this (package ids) are cut in messages; the place says which one it is. */
const SHOWN_KEY_LENGTH = 24
/** The same for texts that are not what they must be. */
const SHOWN_TEXT_LENGTH = 60

/** `path` as a person reads it; the whole text is "the file". */
function nameOfPath(path: JsonPath): string {
  if (path.length === 0) return 'the file'
  let name = ''
  for (const part of path) {
    if (typeof part === 'number') name += `[${part}]`
    else if (PLAIN_KEY.test(part)) name += `${name === '' ? '' : '.'}${shorten(part, SHOWN_KEY_LENGTH)}`
    else name += `[${JSON.stringify(shorten(part, SHOWN_KEY_LENGTH))}]`
  }
  return name
}

function shorten(text: string, most: number): string {
  return text.length <= most ? text : `${text.slice(0, Math.ceil(most / 2))}…`
}
