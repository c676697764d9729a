import { constants } from 'node:fs'
import type { Disk } from '../disk.ts'
import { diskFault } from '../system-error.ts'
import { newHasher } from './blake3-hasher.ts'
import type { FileStamp } from './found-model.ts'

/**
 * How much is read at a time. Two such buffers a file and two files at a time: 16 MiB, whatever the files'
 * sizes.
 */
const CHUNK_BYTES = 4 * 1024 * 1024

export type HashOutcome =
  | { readonly kind: 'hashed'; readonly blake3: string; readonly stamp: FileStamp }
  /** It is not the file that was found, or it changed while it was read. */
  | { readonly kind: 'changed'; readonly reason: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly reason: string }
  | { readonly kind: 'cancelled' }

export interface HashOptions {
  readonly disk: Disk
  readonly signal: AbortSignal
  /** Called with how many more bytes were hashed, after each chunk. */
  readonly onBytes: (bytes: number) => void
  /** What the file was when it was found; null takes whatever is there now. */
  readonly expected: FileStamp | null
}

/**
 * The BLAKE3 of the file at `real` (links resolved) and the stamp it has. While one chunk is hashed the next
 * one is read. A file that is not as it was found, or not the same at the end as at the start, has no hash.
 */
export async function hashFile(real: string, options: HashOptions): Promise<HashOutcome> {
  const { disk, signal, expected } = options
  if (signal.aborted) return { kind: 'cancelled' }
  try {
    // Should it have become a link or a FIFO meanwhile: the one is refused, the other does not wait for a
    // writer.
    const flags = constants.O_RDONLY | constants.O_NONBLOCK | constants.O_NOFOLLOW
    const handle = await disk.open(real, flags)
    try {
      const before = await handle.stat({ bigint: true })
      if (!before.isFile()) return { kind: 'changed', reason: 'it is no file any more' }
      if (expected !== null && !sameStamp(before, expected)) {
        return {
          kind: 'changed',
          reason: 'it changed since it was found: scan again when nothing writes to it',
        }
      }
      const read = await readThrough(handle, before.size, options)
      if (read === null) return { kind: 'cancelled' }
      const after = await handle.stat({ bigint: true })
      if (!sameStamp(before, after) || read.bytes !== before.size) {
        return {
          kind: 'changed',
          reason: 'it changed while it was read: scan again when nothing writes to it',
        }
      }
      return { kind: 'hashed', blake3: read.blake3, stamp: { size: before.size, mtimeNs: before.mtimeNs } }
    } finally {
      await handle.close()
    }
  } catch (error) {
    const { code, reason } = diskFault(error)
    if (code === 'ENOENT' || code === 'ENOTDIR') return { kind: 'missing' }
    return { kind: 'unreadable', reason }
  }
}

/** Whether two stamps are of one unchanged file. */
export function sameStamp(a: FileStamp, b: FileStamp): boolean {
  return a.size === b.size && a.mtimeNs === b.mtimeNs
}

type Handle = Awaited<ReturnType<Disk['open']>>

/**
 * Reads to the end, or to just beyond `size`: a file may grow as fast as it is read. Null when it was
 * cancelled.
 */
async function readThrough(
  handle: Handle,
  size: bigint,
  { signal, onBytes }: HashOptions,
): Promise<{ readonly blake3: string; readonly bytes: bigint } | null> {
  const hasher = await newHasher()
  const buffers = [Buffer.allocUnsafeSlow(CHUNK_BYTES), Buffer.allocUnsafeSlow(CHUNK_BYTES)] as const
  let position = 0
  let turn: 0 | 1 = 0
  let reading = handle.read(buffers[turn], 0, CHUNK_BYTES, position)
  for (;;) {
    const { bytesRead, buffer } = await reading
    if (bytesRead === 0 || BigInt(position) > size) {
      return { blake3: hasher.hex(), bytes: BigInt(position) }
    }
    if (signal.aborted) return null
    position += bytesRead
    turn = turn === 0 ? 1 : 0
    reading = handle.read(buffers[turn], 0, CHUNK_BYTES, position)
    // It is awaited in the next turn; a failure until then must not count as unhandled.
    reading.catch(() => undefined)
    hasher.update(buffer.subarray(0, bytesRead))
    onBytes(bytesRead)
  }
}
