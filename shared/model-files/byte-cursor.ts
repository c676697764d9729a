import { utf8Text } from './utf8-text.ts'

/**
 * Reads numbers and texts one after the other from the start of a file. Where the bytes end too early it stays
 * at that place, gives zeros, and says by `wanted` how many bytes would have been needed: so a header is read
 * from as much of a file as it takes, and never beyond what was given.
 */
export interface ByteCursor {
  /** Bytes read so far. */
  readonly position: () => number
  /** How long the given bytes would have to be for the reading that failed first; null while none did. */
  readonly wanted: () => number | null
  readonly u8: () => number
  readonly i8: () => number
  readonly u16: () => number
  readonly i16: () => number
  readonly u32: () => number
  readonly i32: () => number
  readonly u64: () => bigint
  readonly i64: () => bigint
  readonly f32: () => number
  readonly f64: () => number
  /** The next `bytes` as UTF-8, of which at most `kept` are decoded. */
  readonly text: (bytes: number, kept: number) => string
  readonly skip: (bytes: number) => void
}

/** A cursor at the start of `bytes`. */
export function byteCursor(bytes: Uint8Array, littleEndian = true): ByteCursor {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  let at = 0
  let short: number | null = null

  /** Where the next `length` bytes begin; null when they are not all there. */
  const take = (length: number): number | null => {
    if (short !== null) return null
    if (at + length > bytes.length) {
      short = at + length
      return null
    }
    const start = at
    at += length
    return start
  }
  const number = (length: number, read: (start: number) => number) => (): number => {
    const start = take(length)
    return start === null ? 0 : read(start)
  }
  const big = (read: (start: number) => bigint) => (): bigint => {
    const start = take(8)
    return start === null ? 0n : read(start)
  }
  return {
    position: () => at,
    wanted: () => short,
    u8: number(1, (start) => view.getUint8(start)),
    i8: number(1, (start) => view.getInt8(start)),
    u16: number(2, (start) => view.getUint16(start, littleEndian)),
    i16: number(2, (start) => view.getInt16(start, littleEndian)),
    u32: number(4, (start) => view.getUint32(start, littleEndian)),
    i32: number(4, (start) => view.getInt32(start, littleEndian)),
    u64: big((start) => view.getBigUint64(start, littleEndian)),
    i64: big((start) => view.getBigInt64(start, littleEndian)),
    f32: number(4, (start) => view.getFloat32(start, littleEndian)),
    f64: number(8, (start) => view.getFloat64(start, littleEndian)),
    text: (length, kept) => {
      const start = take(length)
      return start === null ? '' : utf8Text(bytes.subarray(start, start + Math.min(length, kept)))
    },
    skip: (length) => {
      take(length)
    },
  }
}
