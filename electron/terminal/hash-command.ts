import { resolve } from 'node:path'
import { printable } from '../../shared/printable.ts'
import { realDisk } from '../host/disk.ts'
import { hashFile } from '../host/scan/hash-file.ts'
import { diskFault } from '../host/system-error.ts'
import type { HashInvocation } from './file-arguments.ts'
import { EXIT, type CliIo, type ExitCode } from './io.ts'

/**
 * `hash`: a line for each file, its BLAKE3 and its name. A name with a backslash or a line break is escaped as `b3sum`
 * does, with a backslash before the line. A file that cannot be read does not keep the others.
 */
export async function hashCommand({ files }: HashInvocation, io: CliIo): Promise<ExitCode> {
  let failed = false
  for (const file of files) {
    const hashed = await hashAnyFile(resolve(io.cwd, file))
    if (hashed.ok) io.stdout(hashLine(hashed.blake3, file))
    else {
      io.stderr(`error: ${printable(file)}: ${printable(hashed.reason)}\n`)
      failed = true
    }
  }
  return failed ? EXIT.badInput : EXIT.fine
}

export type HashedFile =
  | { readonly ok: true; readonly blake3: string; readonly bytes: bigint }
  | { readonly ok: false; readonly missing: boolean; readonly reason: string }

/** The BLAKE3 of the file at `path`, links followed. */
export async function hashAnyFile(path: string, signal = new AbortController().signal): Promise<HashedFile> {
  let real: string
  try {
    real = await realDisk.realpath(path)
  } catch (error) {
    const { code, reason } = diskFault(error)
    return { ok: false, missing: code === 'ENOENT' || code === 'ENOTDIR', reason }
  }
  const outcome = await hashFile(real, { disk: realDisk, signal, onBytes: () => undefined, expected: null })
  switch (outcome.kind) {
    case 'hashed':
      return { ok: true, blake3: outcome.blake3, bytes: outcome.stamp.size }
    case 'changed':
    case 'unreadable':
      return { ok: false, missing: false, reason: outcome.reason }
    case 'missing':
      return { ok: false, missing: true, reason: 'it is not there' }
    case 'cancelled':
      return { ok: false, missing: false, reason: 'stopped' }
  }
}

function hashLine(blake3: string, name: string): string {
  const escaped = name.replaceAll('\\', String.raw`\\`).replaceAll('\n', String.raw`\n`)
  return `${escaped === name ? '' : '\\'}${blake3}  ${escaped}\n`
}
