import type { ByteCursor } from './byte-cursor.ts'
import { malformed, MAX_HEADER_BYTES, type HeaderRead } from './header-read.ts'

export type GgufScalar = number | bigint | boolean | string

/** An array of a GGUF header: all its values, or none where there are more than {@link MAX_KEPT_VALUES}. */
interface GgufArray {
  readonly count: number
  readonly values: readonly GgufScalar[]
}

/** A value of a GGUF header; 64-bit integers are bigints. Texts are cut at {@link MAX_KEPT_TEXT} bytes. */
export type GgufValue = GgufScalar | GgufArray

/** Enough for one value a layer; a vocabulary is not kept. */
export const MAX_KEPT_VALUES = 4096
/** Bytes that are kept of a text: chat templates and licences can be long. */
const MAX_KEPT_TEXT = 64 * 1024

const MAX_KEYS = 65_536
const MAX_KEY_BYTES = 65_535
const MAX_NESTING = 4

const STRING = 8
const ARRAY = 9

type Scalar = (cursor: ByteCursor) => GgufScalar
interface ScalarType {
  readonly bytes: number
  readonly read: Scalar
}

/** The scalar types of fixed length by their number. */
const SCALARS: ReadonlyMap<number, ScalarType> = new Map<number, ScalarType>([
  [0, { bytes: 1, read: (cursor) => cursor.u8() }],
  [1, { bytes: 1, read: (cursor) => cursor.i8() }],
  [2, { bytes: 2, read: (cursor) => cursor.u16() }],
  [3, { bytes: 2, read: (cursor) => cursor.i16() }],
  [4, { bytes: 4, read: (cursor) => cursor.u32() }],
  [5, { bytes: 4, read: (cursor) => cursor.i32() }],
  [6, { bytes: 4, read: (cursor) => cursor.f32() }],
  [7, { bytes: 1, read: (cursor) => cursor.u8() !== 0 }],
  [10, { bytes: 8, read: (cursor) => cursor.u64() }],
  [11, { bytes: 8, read: (cursor) => cursor.i64() }],
  [12, { bytes: 8, read: (cursor) => cursor.f64() }],
])

/** Reads the `count` keys and values of a GGUF header at `cursor`. */
export function readMetadata(
  cursor: ByteCursor,
  count: bigint,
  version: number,
): HeaderRead<ReadonlyMap<string, GgufValue>> {
  if (count > BigInt(MAX_KEYS)) return malformed(`it claims to have ${count} keys`)
  const metadata = new Map<string, GgufValue>()
  for (let i = 0; i < Number(count); i++) {
    const key = readText(cursor, version, MAX_KEY_BYTES, MAX_KEY_BYTES)
    const type = cursor.u32()
    const value = key.ok ? readValue(cursor, type, version, 0) : key
    const wanted = cursor.wanted()
    if (wanted !== null && wanted <= MAX_HEADER_BYTES) return { kind: 'more', bytes: wanted }
    if (!key.ok) return malformed(key.reason)
    if (!value.ok) return malformed(value.reason)
    metadata.set(key.value, value.value)
  }
  return { kind: 'read', header: metadata }
}

type Value<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly reason: string }

function readLength(cursor: ByteCursor, version: number): bigint {
  return version === 1 ? BigInt(cursor.u32()) : cursor.u64()
}

function readText(cursor: ByteCursor, version: number, most: number, kept: number): Value<string> {
  const length = readLength(cursor, version)
  if (length > BigInt(most)) return { ok: false, reason: `a text is said to have ${length} bytes` }
  return { ok: true, value: cursor.text(Number(length), kept) }
}

function readValue(cursor: ByteCursor, type: number, version: number, nesting: number): Value<GgufValue> {
  const scalar = SCALARS.get(type)
  if (scalar !== undefined) return { ok: true, value: scalar.read(cursor) }
  if (type === STRING) return readText(cursor, version, MAX_HEADER_BYTES, MAX_KEPT_TEXT)
  if (type === ARRAY && nesting < MAX_NESTING) return readArray(cursor, version, nesting)
  // Zeros are read behind the end of the given bytes, so that this may be no fault of the file's.
  return { ok: false, reason: `a value has type ${type}, which is not known` }
}

function readArray(cursor: ByteCursor, version: number, nesting: number): Value<GgufArray> {
  const type = cursor.u32()
  const length = readLength(cursor, version)
  if (length > BigInt(MAX_HEADER_BYTES))
    return { ok: false, reason: `an array is said to have ${length} values` }
  const count = Number(length)
  const scalar = SCALARS.get(type)
  if (scalar !== undefined && count > MAX_KEPT_VALUES) {
    cursor.skip(count * scalar.bytes)
    return { ok: true, value: { count, values: [] } }
  }
  const values: GgufScalar[] = []
  const kept = count <= MAX_KEPT_VALUES
  for (let i = 0; i < count && cursor.wanted() === null; i++) {
    if (type === STRING && !kept) {
      // A vocabulary: its texts are only gone through.
      const length = readLength(cursor, version)
      if (length > BigInt(MAX_HEADER_BYTES))
        return { ok: false, reason: `a text is said to have ${length} bytes` }
      cursor.skip(Number(length))
      continue
    }
    const value = readValue(cursor, type, version, nesting + 1)
    if (!value.ok) return value
    if (kept && typeof value.value !== 'object') values.push(value.value)
  }
  return { ok: true, value: { count, values } }
}
