import { spawn } from 'node:child_process'
import type { Stats } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/** A copy of no content: longer than any disk takes for it. */
const COPY_MS = 10_000

/**
 * Gives the new file at `copy` what the file at `path` has: owner, mode, access lists and extended
 * attributes. False when that is not possible; then `copy` must not take the file's place. Windows has
 * neither in Node's reach: there a file has its folder's access.
 */
export async function copyAccess(
  path: string,
  existing: Stats,
  copy: string,
  handle: FileHandle,
): Promise<boolean> {
  if (process.platform === 'win32') return true
  const own = await handle.stat()
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    // Only the administrator may give a file away.
    await handle.chown(existing.uid, existing.gid).catch(() => undefined)
  }
  const now = await handle.stat()
  if (now.uid !== existing.uid || now.gid !== existing.gid) return false
  // Node has no calls for access lists and attributes; the system's own copy has.
  if (!(await runCopy(path, copy, handle))) return false
  return ((await handle.stat()).mode & 0o7777) === (existing.mode & 0o7777)
}

/**
 * macOS copies the content too, which the caller overwrites. Linux has the copy of the GNU core utilities;
 * others refuse the options, so that nothing is thought kept that is not. There the copy is named by its open
 * file: a `cp` that outlives us must not make the temporary file again after somebody cleaned it up.
 */
function runCopy(from: string, to: string, { fd }: FileHandle): Promise<boolean> {
  const args =
    process.platform === 'darwin'
      ? ['-p', from, to]
      : ['--attributes-only', '--preserve=mode,xattr', '--', from, '/proc/self/fd/3']
  return new Promise((resolve) => {
    const child = spawn('cp', args, { stdio: ['ignore', 'ignore', 'ignore', fd], timeout: COPY_MS })
    child.once('error', () => resolve(false))
    child.once('exit', (code) => resolve(code === 0))
  })
}
