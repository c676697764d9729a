import { malformed, MAX_HEADER_BYTES, type HeaderRead } from './header-read.ts'
import { utf8Text } from './utf8-text.ts'

/** One tensor as a safetensors header lists it. */
interface SafetensorsTensor {
  readonly name: string
  /** As written: `F16`, `BF16`, `U32`. */
  readonly dtype: string
  readonly shape: readonly number[]
  /** Where its data begins and ends, in bytes from the end of the header. */
  readonly begin: number
  readonly end: number
}

export interface SafetensorsHeader {
  /** `__metadata__.format`: `pt`, `mlx`; null when it does not say. */
  readonly format: string | null
  readonly tensors: readonly SafetensorsTensor[]
  /** Where the tensors' data begins in the file. */
  readonly dataStart: bigint
  /** How long the file must be, so that every tensor is in it. */
  readonly fileBytes: bigint
}

const LENGTH_BYTES = 8

/**
 * Reads the header of a safetensors file from the bytes at its start: a length in eight bytes, and that many
 * of JSON. Any bytes may be given; nothing is thrown.
 */
export function readSafetensorsHeader(bytes: Uint8Array): HeaderRead<SafetensorsHeader> {
  if (bytes.length < LENGTH_BYTES) return { kind: 'more', bytes: LENGTH_BYTES }
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const length = view.getBigUint64(0, true)
  if (length < 2n || length > BigInt(MAX_HEADER_BYTES)) return { kind: 'other' }
  const dataStart = LENGTH_BYTES + Number(length)
  if (bytes.length > LENGTH_BYTES && bytes[LENGTH_BYTES] !== 0x7b) return { kind: 'other' }
  if (bytes.length < dataStart) return { kind: 'more', bytes: dataStart }
  const header = parsed(utf8Text(bytes.subarray(LENGTH_BYTES, dataStart)))
  if (header === null) return malformed('its header is not JSON')
  const tensors: SafetensorsTensor[] = []
  let end = 0
  for (const [name, entry] of Object.entries(header)) {
    if (name === '__metadata__') continue
    const tensor = tensorOf(name, entry)
    if (tensor === null) return malformed('its header has a tensor without a type, a shape or offsets')
    tensors.push(tensor)
    end = Math.max(end, tensor.end)
  }
  const format = record(header['__metadata__'])?.['format']
  return {
    kind: 'read',
    header: {
      format: typeof format === 'string' ? format : null,
      tensors,
      dataStart: BigInt(dataStart),
      fileBytes: BigInt(dataStart) + BigInt(end),
    },
  }
}

function tensorOf(name: string, entry: unknown): SafetensorsTensor | null {
  const { dtype, shape, data_offsets: offsets } = record(entry) ?? {}
  if (typeof dtype !== 'string' || !isCounts(shape) || !isCounts(offsets)) return null
  const [begin, end, ...more] = offsets
  if (begin === undefined || end === undefined || end < begin || more.length > 0) return null
  return { name, dtype, shape, begin, end }
}

function isCounts(value: unknown): value is number[] {
  return Array.isArray(value) && value.every((each) => Number.isSafeInteger(each) && Number(each) >= 0)
}

function parsed(text: string): Readonly<Record<string, unknown>> | null {
  try {
    return record(JSON.parse(text) as unknown)
  } catch {
    // Not JSON, or nested deeper than any header is.
    return null
  }
}

function record(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : null
}
