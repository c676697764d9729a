import { byteCursor, type ByteCursor } from './byte-cursor.ts'
import { ggmlType } from './ggml-types.ts'
import { readMetadata, type GgufValue } from './gguf-values.ts'
import { malformed, MAX_HEADER_BYTES, type HeaderRead } from './header-read.ts'

/** One tensor as a GGUF header lists it. */
interface GgufTensor {
  readonly name: string
  /** Elements in each dimension, the fastest one first. */
  readonly shape: readonly bigint[]
  /** The number of its data type; see `ggmlType`. */
  readonly type: number
  /** Where its data begins, in bytes from the start of all tensors' data. */
  readonly offset: bigint
  /** Bytes of its data; null for a type that is not known. */
  readonly bytes: bigint | null
}

export interface GgufHeader {
  readonly version: number
  /** By key. Long arrays and texts are cut; see {@link GgufValue}. */
  readonly metadata: ReadonlyMap<string, GgufValue>
  readonly tensors: readonly GgufTensor[]
  /** Where the tensors' data begins in the file. */
  readonly dataStart: bigint
  /** How long the file must be at least, so that every tensor is in it. */
  readonly fileBytes: bigint
}

const MAGIC = 0x46554747
const MAX_TENSORS = 1_000_000
const MAX_DIMENSIONS = 8
const MAX_NAME_BYTES = 4096
const DEFAULT_ALIGNMENT = 32

/**
 * Reads the header of a GGUF file from the bytes at its start. Any bytes may be given: nothing beyond them is
 * read, no count in them is believed before the bytes for it are there, and nothing is thrown.
 */
export function readGgufHeader(bytes: Uint8Array): HeaderRead<GgufHeader> {
  if (bytes.length < 8) return startOf(bytes)
  const start = byteCursor(bytes)
  if (start.u32() !== MAGIC) return { kind: 'other' }
  // A version whose upper half is used is one that was written the other way round.
  const littleEndian = (start.u32() & 0xffff) !== 0
  const cursor = byteCursor(bytes, littleEndian)
  cursor.skip(4)
  const version = cursor.u32()
  if (version < 1 || version > 3) return malformed(`GGUF version ${version} is not known`)
  const count = (): bigint => (version === 1 ? BigInt(cursor.u32()) : cursor.u64())
  const tensorCount = count()
  const keyCount = count()
  if (tensorCount > BigInt(MAX_TENSORS)) return malformed(`it claims to have ${tensorCount} tensors`)
  const metadata = readMetadata(cursor, keyCount, version)
  if (metadata.kind !== 'read') return metadata
  const tensors: GgufTensor[] = []
  for (let i = 0; i < Number(tensorCount); i++) {
    const tensor = readTensor(cursor, version)
    const wanted = cursor.wanted()
    if (wanted !== null) return more(wanted)
    if (typeof tensor === 'string') return malformed(tensor)
    tensors.push(tensor)
  }
  const wanted = cursor.wanted()
  if (wanted !== null) return more(wanted)
  const dataStart = aligned(cursor.position(), metadata.header.get('general.alignment'))
  if (dataStart === null) return malformed('its alignment is no power of two')
  // A file of a vocabulary alone has no tensors, and ends with its header.
  const end = tensors.reduce((last, { offset, bytes: size }) => {
    const tensorEnd = offset + (size ?? 0n)
    return tensorEnd > last ? tensorEnd : last
  }, 0n)
  const fileBytes = tensors.length === 0 ? BigInt(cursor.position()) : dataStart + end
  return { kind: 'read', header: { version, metadata: metadata.header, tensors, dataStart, fileBytes } }
}

function more(bytes: number): HeaderRead<never> {
  return bytes > MAX_HEADER_BYTES
    ? malformed(`its header is over ${MAX_HEADER_BYTES} bytes`)
    : { kind: 'more', bytes }
}

/** What can be said of a file's very first bytes. */
function startOf(bytes: Uint8Array): HeaderRead<never> {
  const isStart = [...bytes.subarray(0, 4)].every((byte, i) => byte === ((MAGIC >> (8 * i)) & 0xff))
  return isStart ? { kind: 'more', bytes: 8 } : { kind: 'other' }
}

/** The next tensor, or what is wrong with it. */
function readTensor(cursor: ByteCursor, version: number): GgufTensor | string {
  const length = version === 1 ? BigInt(cursor.u32()) : cursor.u64()
  if (length > BigInt(MAX_NAME_BYTES)) return `a tensor's name is said to have ${length} bytes`
  const name = cursor.text(Number(length), MAX_NAME_BYTES)
  const dimensions = cursor.u32()
  if (dimensions > MAX_DIMENSIONS) return `a tensor is said to have ${dimensions} dimensions`
  const shape = Array.from({ length: dimensions }, () =>
    version === 1 ? BigInt(cursor.u32()) : cursor.u64(),
  )
  const type = cursor.u32()
  const offset = cursor.u64()
  return { name, shape, type, offset, bytes: bytesOf(shape, type) }
}

function bytesOf(shape: readonly bigint[], number: number): bigint | null {
  const type = ggmlType(number)
  if (type === null) return null
  const elements = shape.reduce((product, each) => product * each, 1n)
  const block = BigInt(type.blockElements)
  return ((elements + block - 1n) / block) * BigInt(type.blockBytes)
}

/** `position` rounded up to the file's alignment; null when that is none. */
function aligned(position: number, stated: GgufValue | undefined): bigint | null {
  const alignment = typeof stated === 'number' ? stated : DEFAULT_ALIGNMENT
  if (!Number.isInteger(alignment) || alignment < 1 || (alignment & (alignment - 1)) !== 0) return null
  return BigInt(Math.ceil(position / alignment)) * BigInt(alignment)
}
