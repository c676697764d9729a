import { existsSync } from 'node:fs'
import { defaultHashThreads, hashersHere, hashThreads, type FileHashers } from '../host/scan/file-hashers.ts'
import { installedFiles } from '../installed-files.ts'
import type { CliIo } from './io.ts'
import { interruptible } from './scan-found.ts'

/** The threads of this program that hash; `threads` null is half of the cores. */
export function ownHashers(threads: number | null): FileHashers {
  const { hashWorker } = installedFiles(import.meta.dirname)
  // A checkout that was not built has no thread to start.
  if (!existsSync(hashWorker)) return hashersHere()
  return hashThreads({ kind: 'file', path: hashWorker }, threads ?? defaultHashThreads())
}

/** Runs `work`, which hashes in up to `threads` threads, so that an interrupt ends it in good order. */
export async function hashing<T>(
  threads: number | null,
  io: CliIo,
  work: (signal: AbortSignal, hashers: FileHashers) => Promise<T>,
): Promise<T> {
  const hashers = ownHashers(threads)
  try {
    return await interruptible(io, (signal) => work(signal, hashers))
  } finally {
    await hashers.close()
  }
}
