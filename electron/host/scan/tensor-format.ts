import { constants } from 'node:fs'
import type { Disk } from '../disk.ts'

/** A header is a list of a model's tensors: some hundred kilobytes. */
const MAX_HEADER_BYTES = 16 * 1024 * 1024

/**
 * What a safetensors file says its format is (`mlx`, `pt`): `__metadata__.format` of its header, which is
 * JSON behind eight bytes of its length. Null when it does not say, or is no such file: this is a hint, and
 * the file's bytes are what counts.
 */
export async function tensorFormatOf(path: string, disk: Disk): Promise<string | null> {
  try {
    const handle = await disk.open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const start = Buffer.alloc(8)
      if ((await handle.read(start, 0, 8, 0)).bytesRead < 8) return null
      const length = start.readBigUInt64LE()
      if (length > BigInt(MAX_HEADER_BYTES)) return null
      const header = Buffer.alloc(Number(length))
      if ((await handle.read(header, 0, header.length, 8)).bytesRead < header.length) return null
      return formatIn(JSON.parse(header.toString('utf8')) as unknown)
    } finally {
      await handle.close()
    }
  } catch {
    return null
  }
}

function formatIn(header: unknown): string | null {
  const metadata = member(header, '__metadata__')
  const format = member(metadata, 'format')
  return typeof format === 'string' ? format : null
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
