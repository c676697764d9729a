import { constants, type Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { realDisk, type Disk } from './disk.ts'
import { contentHash, notAFile } from './read-text-file.ts'
import { diskFault, isMissing } from './system-error.ts'
import { cleanStrayTemps, forgetTemp, newTempPath } from './temp-files.ts'

/** Why nothing was saved: the system's code (`ENOSPC`) or one of ours, and a sentence for a person. */
export interface SaveFault {
  readonly ok: false
  readonly code: string
  readonly message: string
}

export type SaveResult = { readonly ok: true; readonly hash: string } | SaveFault

/** Where a text goes in the end, links resolved. */
export interface SaveTarget {
  readonly ok: true
  /** Absolute, and no link itself. */
  readonly path: string
  /** The file that will be replaced; null when there is none. */
  readonly existing: Stats | null
}

/** A text that is safe on disk beside its target, which is as it was. One of the two must be called. */
export interface StagedText {
  readonly ok: true
  /**
   * Puts the text in the target's place. When that fails, the target is as it was and the staged text is
   * gone.
   */
  readonly commit: () => Promise<SaveResult>
  /** Takes the staged text away. */
  readonly discard: () => Promise<void>
}

/**
 * Writes `text` to `path` so that a crash at any step leaves the old or the new file, whole: links are
 * resolved to the real file, the text goes to a temporary file in the real folder, is flushed, and is renamed
 * over the file. The mode is kept; a new file is 0644 less the umask, and its folder is made. The bytes are
 * the text's own (line endings, byte order mark, no final newline). On failure nothing has changed and no
 * temporary file is left.
 */
export async function saveTextAtomically(
  path: string,
  text: string,
  disk: Disk = realDisk,
): Promise<SaveResult> {
  const target = await resolveTarget(path, disk)
  if (!target.ok) return target
  const staged = await stageText(target, text, disk)
  return staged.ok ? staged.commit() : staged
}

/** UTF-8 has no form for it, so that it would be saved as something else. */
const LONE_SURROGATE = /\p{Surrogate}/u

/** Finds the real file behind `path`; makes the folder of a file that is not there yet. */
export async function resolveTarget(path: string, disk: Disk = realDisk): Promise<SaveTarget | SaveFault> {
  try {
    const real = await disk.realpath(path)
    return { ok: true, path: real, existing: await disk.stat(real) }
  } catch (error) {
    if (!isMissing(error)) return saveFault(error)
  }
  try {
    return { ok: true, path: await newFilePath(path, disk), existing: null }
  } catch (error) {
    return saveFault(error)
  }
}

async function newFilePath(path: string, disk: Disk): Promise<string> {
  const linked = await disk.readlink(path).catch(() => null)
  // Behind a link no folder is made: it may lead to a drive that is away, and the folder would hide that.
  if (linked !== null) return realInFolder(resolve(await disk.realpath(dirname(path)), linked), disk)
  await disk.mkdir(dirname(path), { recursive: true })
  return realInFolder(path, disk)
}

async function realInFolder(path: string, disk: Disk): Promise<string> {
  return join(await disk.realpath(dirname(path)), basename(path))
}

/** Writes `text` to a temporary file beside `target` and flushes it; see {@link saveTextAtomically}. */
export async function stageText(
  target: SaveTarget,
  text: string,
  disk: Disk = realDisk,
): Promise<StagedText | SaveFault> {
  if (LONE_SURROGATE.test(text)) {
    const message = 'Cannot save: the text holds half a character (a lone surrogate). Remove it first.'
    return { ok: false, code: 'not-unicode', message }
  }
  const bytes = new TextEncoder().encode(text)
  const { path, existing } = target
  const folder = dirname(path)
  const kind = existing && notAFile(existing)
  if (kind !== null) {
    return { ok: false, code: 'not-a-file', message: `Cannot save: there is ${kind} in its place.` }
  }
  try {
    // A rename would replace a file that its owner has locked against writing.
    if (existing) await disk.access(path, constants.W_OK)
  } catch (error) {
    return saveFault(error)
  }
  await cleanStrayTemps(folder, disk)

  const temp = newTempPath(folder)
  const discard = async (): Promise<void> => {
    // What cannot be removed now is cleaned at the next save.
    await disk.unlink(temp).catch(() => undefined)
    forgetTemp(temp)
  }
  try {
    await writeFlushed(temp, bytes, existing, disk)
  } catch (error) {
    await discard()
    return saveFault(error)
  }
  const commit = async (): Promise<SaveResult> => {
    try {
      await disk.rename(temp, path)
    } catch (error) {
      await discard()
      return saveFault(error)
    }
    forgetTemp(temp)
    await flushFolder(folder, disk)
    return { ok: true, hash: contentHash(bytes) }
  }
  return { ok: true, commit, discard }
}

/** Creates `temp`, as closed to others as the file it will replace from its first moment on. */
async function writeFlushed(
  temp: string,
  bytes: Uint8Array,
  existing: Stats | null,
  disk: Disk,
): Promise<void> {
  const handle = await disk.open(temp, 'wx', existing ? 0o600 : 0o644)
  try {
    if (existing) await takeOver(handle, existing)
    await handle.writeFile(bytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}

async function takeOver(handle: Awaited<ReturnType<Disk['open']>>, existing: Stats): Promise<void> {
  const own = await handle.stat()
  if (own.uid !== existing.uid || own.gid !== existing.gid) {
    // Only the administrator may give a file away; saved by others it becomes their own, as in any editor.
    await handle.chown(existing.uid, existing.gid).catch(() => undefined)
  }
  await handle.chmod(existing.mode & 0o7777)
}

/** Makes the rename itself survive a power cut. */
async function flushFolder(folder: string, disk: Disk): Promise<void> {
  try {
    const handle = await disk.open(folder, 'r')
    try {
      await handle.sync()
    } finally {
      await handle.close()
    }
  } catch {
    // The new file is whole and in its place already, and some systems cannot flush a folder.
  }
}

function saveFault(error: unknown): SaveFault {
  const { code, reason } = diskFault(error)
  return { ok: false, code, message: `Cannot save: ${reason}.` }
}
