/**
 * What a plain scalar means (YAML 1.2's core schema with Rust's own numbers, docs/reference.md Y4 to Y7).
 */

/** The type a plain scalar's text resolves to. */
export type PlainValue =
  | { readonly kind: 'null' }
  | { readonly kind: 'bool'; readonly value: boolean }
  | { readonly kind: 'integer'; readonly value: bigint }
  | { readonly kind: 'float'; readonly value: number }
  | { readonly kind: 'text'; readonly value: string }

const NULL: PlainValue = { kind: 'null' }
const DECIMAL_OR_PREFIXED = /^([+-]?)(0x[0-9A-Fa-f]+|0o[0-7]+|0b[01]+|0|[1-9][0-9]*)$/
const ALL_DIGITS = /^[+-]?[0-9]+$/
const RUST_FLOAT = /^[+-]?(?:[0-9]+\.?[0-9]*|\.[0-9]+)(?:[eE][+-]?[0-9]+)?$/
const INFINITY = /^[+-]?\.(?:inf|Inf|INF)$/
const NAN = /^\.(?:nan|NaN|NAN)$/

/**
 * Whether `text`, written plain, is one of the spellings of null; nothing at all is null elsewhere, not here.
 */
export function isNullWord(text: string): boolean {
  return text === '~' || text === 'null' || text === 'Null' || text === 'NULL'
}

/** `true`, `True`, `TRUE` and the same of false; null for every other text (`yes` and `on` are texts). */
export function readBool(text: string): boolean | null {
  switch (text) {
    case 'true':
    case 'True':
    case 'TRUE':
      return true
    case 'false':
    case 'False':
    case 'FALSE':
      return false
    default:
      return null
  }
}

/**
 * An integer as the reference reads one: a sign, then decimal digits without a leading zero, or `0x`, `0o`,
 * `0b` and digits of that base. Null when `text` is none; the size is the caller's to judge.
 */
export function readInteger(text: string): bigint | null {
  const match = DECIMAL_OR_PREFIXED.exec(text)
  if (!match) return null
  const magnitude = BigInt(match[2] ?? '0')
  return match[1] === '-' ? -magnitude : magnitude
}

/** A finite float as Rust's `str::parse::<f64>` reads one (`5`, `5.`, `.5`, `1e3`, `+5`), or null. */
export function readRustFloat(text: string): number | null {
  if (!RUST_FLOAT.test(text)) return null
  const value = Number(text)
  return Number.isFinite(value) ? value : null
}

/** A float as YAML writes one: Rust's forms and `.inf`, `.nan`; null when `text` is none. */
export function readYamlFloat(text: string): number | null {
  if (INFINITY.test(text)) return text.startsWith('-') ? -Infinity : Infinity
  if (NAN.test(text)) return NaN
  return readRustFloat(text)
}

/** The value of an untagged plain scalar: null, bool, integer (of any size), float, or else its text. */
export function resolvePlain(text: string): PlainValue {
  if (text === '' || isNullWord(text)) return NULL
  const bool = readBool(text)
  if (bool !== null) return { kind: 'bool', value: bool }
  const integer = readInteger(text)
  if (integer !== null && fitsInteger(integer)) return { kind: 'integer', value: integer }
  // Digits with a leading zero, such as 017, are a text and no number.
  if (integer !== null || !ALL_DIGITS.test(text)) {
    const float = readYamlFloat(text)
    if (float !== null) return { kind: 'float', value: float }
  }
  return { kind: 'text', value: text }
}

/**
 * Whether an integer fits 128 bits, signed or not: beyond that the reference reads decimal digits as a float.
 */
function fitsInteger(value: bigint): boolean {
  return value >= -(2n ** 127n) && value < 2n ** 128n
}

/** Whether an integer fits 64 bits, signed or not. */
export function fits64Bits(value: bigint): boolean {
  return value >= -(2n ** 63n) && value < 2n ** 64n
}
