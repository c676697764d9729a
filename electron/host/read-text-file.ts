import { createHash } from 'node:crypto'
import { constants, type Stats } from 'node:fs'
import { realDisk, type Disk } from './disk.ts'
import { diskFault, isMissing } from './system-error.ts'

type TextFaultCode =
  | 'file-missing'
  | 'file-dangling-link'
  | 'file-unreadable'
  | 'file-too-large'
  | 'file-not-utf8'
  | 'file-not-a-file'

/** Why a text could not be read; `reason` is a sentence part, as in `cannot read X: REASON`. */
export interface TextFault {
  readonly ok: false
  readonly code: TextFaultCode
  readonly reason: string
}

export interface TextContent {
  readonly ok: true
  /** A byte order mark is kept, so that the text can be written back byte for byte. */
  readonly text: string
  /** SHA-256 of the bytes, 64 hex digits. */
  readonly hash: string
}

export type TextRead = TextContent | TextFault

/**
 * Reads a UTF-8 file for reading only, links followed, and never more than `maxBytes` of it. What is not a
 * regular file is refused before it is opened: opening a FIFO waits, and opening a device may do something.
 */
export async function readTextFile(path: string, maxBytes: number, disk: Disk = realDisk): Promise<TextRead> {
  try {
    const before = refuseKind(await disk.stat(path))
    if (before) return before
    // Should it become a FIFO meanwhile, O_NONBLOCK (Windows has and needs none) does not wait for a writer.
    const handle = await disk.open(path, constants.O_RDONLY | constants.O_NONBLOCK)
    try {
      const stats = await handle.stat()
      const refused = refuseKind(stats)
      if (refused) return refused
      if (stats.size > maxBytes) return tooLarge(maxBytes)
      const bytes = await readUpTo(handle, maxBytes + 1, stats.size)
      return decodeText(bytes, maxBytes)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (!isMissing(error)) return { ok: false, code: 'file-unreadable', reason: diskFault(error).reason }
    return missingFault(path, disk)
  }
}

/** The same for bytes that came by another way, such as standard input. */
export function decodeText(bytes: Uint8Array, maxBytes: number): TextRead {
  if (bytes.length > maxBytes) return tooLarge(maxBytes)
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return { ok: true, text, hash: contentHash(bytes) }
  } catch {
    return { ok: false, code: 'file-not-utf8', reason: notUtf8Reason(bytes) }
  }
}

/** The hash that distinguishes two versions of a file: SHA-256 of its bytes, 64 hex digits. */
export function contentHash(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Reads to the end or to `limit` bytes, whichever comes first: a file may grow while it is read. */
async function readUpTo(
  handle: Awaited<ReturnType<Disk['open']>>,
  limit: number,
  expected: number,
): Promise<Uint8Array> {
  let bytes = Buffer.alloc(Math.min(limit, expected + 1))
  let length = 0
  while (length < limit) {
    if (length === bytes.length) {
      const larger = Buffer.alloc(Math.min(limit, Math.max(bytes.length * 2, 4096)))
      bytes.copy(larger)
      bytes = larger
    }
    const { bytesRead } = await handle.read(bytes, length, bytes.length - length, null)
    if (bytesRead === 0) break
    length += bytesRead
  }
  return bytes.subarray(0, length)
}

function refuseKind(stats: Stats): TextFault | null {
  const kind = notAFile(stats)
  return kind === null ? null : { ok: false, code: 'file-not-a-file', reason: `it is ${kind}, not a file` }
}

/** What stands in a file's place (`a folder`, `a named pipe`), or null for a regular file. */
export function notAFile(stats: Stats): string | null {
  if (stats.isFile()) return null
  if (stats.isDirectory()) return 'a folder'
  if (stats.isFIFO()) return 'a named pipe'
  if (stats.isSocket()) return 'a socket'
  return 'a device'
}

function tooLarge(maxBytes: number): TextFault {
  const reason = `it is over ${sizeWords(maxBytes)}, the most that is read`
  return { ok: false, code: 'file-too-large', reason }
}

function sizeWords(bytes: number): string {
  const mebibyte = 1024 * 1024
  return bytes % mebibyte === 0 ? `${bytes / mebibyte} MiB` : `${bytes} bytes`
}

function notUtf8Reason(bytes: Uint8Array): string {
  const [first, second] = bytes
  if ((first === 0xff && second === 0xfe) || (first === 0xfe && second === 0xff)) {
    return 'it is UTF-16, not UTF-8: save it as UTF-8'
  }
  const again = new TextEncoder().encode(new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes))
  let line = 1
  for (let i = 0; i < bytes.length && bytes[i] === again[i]; i++) if (bytes[i] === 0x0a) line++
  return `it is not UTF-8 (see line ${line}): save it as UTF-8`
}

/**
 * Why `path` is not there. Nothing at all and a link that leads nowhere are different news: the second was
 * meant to be there.
 */
export async function missingFault(path: string, disk: Disk): Promise<TextFault> {
  try {
    const reason = `it is a link to ${await disk.readlink(path)}, which is not there`
    return { ok: false, code: 'file-dangling-link', reason }
  } catch {
    return { ok: false, code: 'file-missing', reason: 'there is nothing of that name: check the path' }
  }
}
