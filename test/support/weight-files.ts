/** A value of a GGUF header as a test writes it. */
export type GgufInput =
  | number
  | string
  | bigint
  | boolean
  | readonly number[]
  | readonly string[]
  | { readonly float: number }
  | { readonly floats: readonly number[] }
  | { readonly signed: readonly number[] }

export interface GgufParts {
  readonly metadata?: Readonly<Record<string, GgufInput>>
  /** Elements of 32-bit float tensors by name, in one dimension or several, laid out one after the other. */
  readonly tensors?: Readonly<Record<string, number | readonly number[]>>
  /** What the tensors' data is filled with, so that two files can differ. */
  readonly fill?: string | number
  readonly littleEndian?: boolean
  readonly version?: number
}

const ALIGNMENT = 32
const SIGNED = 5
const FLOAT = 6
const TYPE_NUMBERS = { string: 8, bigint: 10, boolean: 7, number: 4 } as const

/** A whole GGUF file. */
export function gguf({ metadata = {}, tensors = { w: 16 }, fill = 'w', ...form }: GgufParts = {}): Buffer {
  const { littleEndian = true, version = 3 } = form
  const parts: Buffer[] = []
  const u32 = (value: number): void => {
    const bytes = Buffer.alloc(4)
    if (littleEndian) bytes.writeUInt32LE(value)
    else bytes.writeUInt32BE(value)
    parts.push(bytes)
  }
  const u64 = (value: number | bigint): void => {
    if (version === 1) u32(Number(value))
    else long(value)
  }
  const long = (value: number | bigint): void => {
    const bytes = Buffer.alloc(8)
    if (littleEndian) bytes.writeBigUInt64LE(BigInt(value))
    else bytes.writeBigUInt64BE(BigInt(value))
    parts.push(bytes)
  }
  const text = (value: string): void => {
    u64(Buffer.byteLength(value))
    parts.push(Buffer.from(value))
  }
  const float = (value: number): void => {
    const bytes = Buffer.alloc(4)
    if (littleEndian) bytes.writeFloatLE(value)
    else bytes.writeFloatBE(value)
    parts.push(bytes)
  }
  const list = (values: readonly (number | string)[], type: number): void => {
    u32(9)
    u32(type)
    u64(values.length)
    for (const each of values) {
      if (typeof each === 'string') text(each)
      else if (type === FLOAT) float(each)
      else u32(each)
    }
  }
  const typed = (value: GgufInput): void => {
    if (typeof value === 'object') {
      if ('float' in value) {
        u32(FLOAT)
        float(value.float)
      } else if ('floats' in value) list(value.floats, FLOAT)
      else if ('signed' in value) list(value.signed, SIGNED)
      else list(value, typeof value[0] === 'string' ? TYPE_NUMBERS.string : TYPE_NUMBERS.number)
      return
    }
    u32(TYPE_NUMBERS[typeof value as keyof typeof TYPE_NUMBERS])
    if (typeof value === 'string') text(value)
    else if (typeof value === 'bigint') long(value)
    else if (typeof value === 'boolean') parts.push(Buffer.from([value ? 1 : 0]))
    else u32(value)
  }
  parts.push(Buffer.from('GGUF'))
  u32(version)
  const entries = Object.entries(tensors)
  u64(entries.length)
  u64(Object.keys(metadata).length)
  for (const [key, value] of Object.entries(metadata)) {
    text(key)
    typed(value)
  }
  let offset = 0
  for (const [name, size] of entries) {
    const shape = typeof size === 'number' ? [size] : size
    const elements = shape.reduce((product, each) => product * each, 1)
    text(name)
    u32(shape.length)
    for (const each of shape) u64(each)
    u32(0)
    long(offset)
    offset += Math.ceil((elements * 4) / ALIGNMENT) * ALIGNMENT
  }
  const header = Buffer.concat(parts)
  const padding = Buffer.alloc((ALIGNMENT - (header.length % ALIGNMENT)) % ALIGNMENT)
  return Buffer.concat([header, padding, Buffer.alloc(offset, fill)])
}

/** A whole safetensors file with one tensor of `bytes` bytes, filled with `fill`. */
export function safetensorsFile(
  fill = 'w',
  { format = 'pt', bytes = 64, name = 'w' }: { format?: string; bytes?: number; name?: string } = {},
): Buffer {
  const tensor = { dtype: 'U8', shape: [bytes], data_offsets: [0, bytes] }
  const header = Buffer.from(JSON.stringify({ __metadata__: { format }, [name]: tensor }))
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(BigInt(header.length))
  return Buffer.concat([length, header, Buffer.alloc(bytes, fill)])
}

/** The smallest GGUF file there can be, with `payload` behind its header. */
export function ggufOf(payload: string): Buffer {
  const header = Buffer.alloc(24)
  header.write('GGUF')
  header.writeUInt32LE(3, 4)
  return Buffer.concat([header, Buffer.from(payload)])
}

/** The smallest safetensors file there can be, with `payload` behind its header. */
export function tensorsOf(payload: string): Buffer {
  const length = Buffer.alloc(8)
  length.writeBigUInt64LE(2n)
  return Buffer.concat([length, Buffer.from(`{}${payload}`)])
}

/** `files` as a scan finds models in them: texts in the place of weights become whole weight files. */
export function weightTree(
  files: Readonly<Record<string, string | Uint8Array>>,
): Record<string, string | Uint8Array> {
  const whole = (path: string, content: string | Uint8Array): string | Uint8Array => {
    if (typeof content !== 'string') return content
    if (/\.gguf$/i.test(path)) return ggufOf(content)
    return /\.safetensors$/i.test(path) ? tensorsOf(content) : content
  }
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [path, whole(path, content)]))
}
