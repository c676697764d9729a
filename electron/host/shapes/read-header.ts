import { constants } from 'node:fs'
import type { HeaderRead } from '../../../shared/model-files/header-read.ts'
import type { Disk } from '../disk.ts'
import { readStart } from '../read-start.ts'
import { diskFault } from '../system-error.ts'

/** The most that is read of a weight file to know its header: several times the largest vocabularies. */
export const MAX_HEADER_READ_BYTES = 32 * 1024 * 1024

/** What is read first: enough for the header of a part of a split model. */
const FIRST_BYTES = 256 * 1024

export type HeaderOutcome<Header> =
  | { readonly ok: true; readonly header: Header }
  /** Why it is unreadable, as in `FILE is unreadable: REASON`. */
  | { readonly ok: false; readonly reason: string }

/**
 * The header at the start of the file at `path`, by `reader`, which says how much of the file it needs. Never more
 * than {@link MAX_HEADER_READ_BYTES} are read, and whatever the bytes are, nothing is thrown.
 *
 * @param kind the kind of file for messages, such as `GGUF file`.
 */
export async function readHeader<Header>(
  path: string,
  kind: string,
  reader: (bytes: Uint8Array) => HeaderRead<Header>,
  disk: Disk,
): Promise<HeaderOutcome<Header>> {
  try {
    if (!(await disk.stat(path)).isFile()) return { ok: false, reason: 'it is no regular file' }
    const handle = await disk.open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      let length = FIRST_BYTES
      for (;;) {
        const bytes = await readStart(handle, length)
        const read = reader(bytes)
        if (read.kind === 'read') return { ok: true, header: read.header }
        if (read.kind === 'other') return { ok: false, reason: `it is no ${kind}` }
        if (read.kind === 'malformed') return { ok: false, reason: read.reason }
        if (bytes.length < length) return { ok: false, reason: 'it ends within its header: fetch it again' }
        if (read.bytes > MAX_HEADER_READ_BYTES || length === MAX_HEADER_READ_BYTES) {
          return { ok: false, reason: 'its header is over 32 MiB' }
        }
        // At least twice as much each time, so that few turns are enough.
        length = Math.min(Math.max(read.bytes, length * 4), MAX_HEADER_READ_BYTES)
      }
    } finally {
      await handle.close()
    }
  } catch (error) {
    return { ok: false, reason: diskFault(error).reason }
  }
}
