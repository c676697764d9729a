import { realDisk, type Disk } from './disk.ts'
import { readTextFile, type TextContent, type TextRead } from './read-text-file.ts'

/** Reads a text file, see {@link readTextFile}. */
export type TextReader = (path: string, maxBytes: number) => Promise<TextRead>

/** One look at all files: those it does not reach are forgotten when it is done. */
interface TextPass {
  readonly read: TextReader
  readonly done: () => void
}

/**
 * Remembers texts, so that of thousands of files only those are opened again that the file system says are other ones.
 */
export interface TextMemory {
  /** Begins a pass; with `all` nothing remembered is trusted. Passes come one after the other. */
  readonly pass: (mode: 'changed' | 'all') => TextPass
}

interface KnownText {
  readonly stamp: string
  readonly read: TextContent
}

/**
 * A file that was written less than this before it was read may be written again without its times telling: some file
 * systems count in steps of two seconds. It is read again the next time.
 */
const UNSETTLED_MS = 2_500n

/** Makes an empty memory. */
export function createTextMemory(disk: Disk = realDisk): TextMemory {
  let known = new Map<string, KnownText>()
  return {
    pass: (mode) => {
      const trusted = mode === 'all' ? new Map<string, KnownText>() : known
      const now: typeof known = new Map()
      return {
        read: async (path, maxBytes) => {
          const stamp = await stampOf(path, disk)
          const before = trusted.get(path)
          if (before !== undefined && before.stamp === stamp) {
            now.set(path, before)
            return before.read
          }
          const read = await readTextFile(path, maxBytes, disk)
          if (read.ok && stamp !== null) now.set(path, { stamp, read })
          return read
        },
        done: () => {
          known = now
        },
      }
    },
  }
}

/**
 * What changes with every change of the file; null when that is not known now. Taken before the file is read: what is
 * written in between then counts as another change.
 */
async function stampOf(path: string, disk: Disk): Promise<string | null> {
  const now = BigInt(Date.now())
  try {
    const { dev, ino, size, mtimeMs, mtimeNs, ctimeMs, ctimeNs } = await disk.stat(path, { bigint: true })
    const isSettled = mtimeMs < now - UNSETTLED_MS && ctimeMs < now - UNSETTLED_MS
    return isSettled ? [dev, ino, size, mtimeNs, ctimeNs].join() : null
  } catch {
    return null
  }
}
