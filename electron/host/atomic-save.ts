import { constants } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { copyAccess } from './copy-access.ts'
import { realDisk, type Disk } from './disk.ts'
import { contentHash, notAFile } from './read-text-file.ts'
import { resolveTarget, type SaveTarget } from './save-target.ts'
import { diskFault, errorCode } from './system-error.ts'
import { cleanStrayTemps, forgetTemp, newTempPath } from './temp-files.ts'

/** Why nothing was saved: the system's code (`ENOSPC`) or one of ours, and a sentence for a person. */
export interface SaveFault {
  readonly ok: false
  readonly code: string
  readonly message: string
}

export type SaveResult = { readonly ok: true; readonly hash: string } | SaveFault

/** A text that is safe on disk beside its target, which is as it was. One of the two must be called. */
export interface StagedText {
  readonly ok: true
  /**
   * Puts the text in the target's place; a target that was not there is created exclusively (`EEXIST` when
   * something came meanwhile). When that fails, the target is as it was and the staged text is gone.
   */
  readonly commit: () => Promise<SaveResult>
  /** Takes the staged text away. */
  readonly discard: () => Promise<void>
}

/**
 * Writes `text` to `path` so that a crash at any step leaves the old or the new file, whole: links are
 * resolved to the real file, the text goes to a temporary file in the real folder, is flushed, and is renamed
 * over the file. Owner, mode, access lists and extended attributes are kept; where the system cannot copy
 * them, the file is written in place, with the whole text beside it until that is done. A new file is 0644 less the umask, and its folder is made. The bytes are
 * the text's own (line endings, byte order mark, no final newline). On failure nothing has changed and no
 * temporary file is left.
 */
export async function saveTextAtomically(
  path: string,
  text: string,
  disk: Disk = realDisk,
): Promise<SaveResult> {
  const saveOnce = async (): Promise<SaveResult> => {
    const target = await resolveTarget(path, disk)
    if (!target.ok) return target
    const staged = await stageText(target, text, disk)
    return staged.ok ? staged.commit() : staged
  }
  const saved = await saveOnce()
  // The file came while the text was written: then it is one to replace.
  return !saved.ok && saved.code === 'EEXIST' ? saveOnce() : saved
}

/** UTF-8 has no form for it, so that it would be saved as something else. */
const LONE_SURROGATE = /\p{Surrogate}/u

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
  let keepsAccess: boolean
  try {
    keepsAccess = await writeFlushed(temp, bytes, target, disk)
  } catch (error) {
    await discard()
    return saveFault(error)
  }
  const commit = async (): Promise<SaveResult> => {
    try {
      if (existing === null) await createExclusively(temp, path, disk)
      else if (keepsAccess) await disk.rename(temp, path)
      else await writeInPlace(temp, path, bytes, disk)
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

/**
 * Creates `temp`, as closed to others as the file it will replace from its first moment on. Returns whether it
 * can take that file's place without changing who may use it.
 */
async function writeFlushed(
  temp: string,
  bytes: Uint8Array,
  { path, existing }: SaveTarget,
  disk: Disk,
): Promise<boolean> {
  const handle = await disk.open(temp, 'wx', existing ? 0o600 : 0o644)
  try {
    const keepsAccess = existing === null || (await copyAccess(path, existing, temp, handle))
    await handle.truncate(0)
    await handle.writeFile(bytes)
    await handle.sync()
    return keepsAccess
  } finally {
    await handle.close()
  }
}

/** Codes by which disks say that they have no second names for a file. */
const NO_LINKS: ReadonlySet<string | null> = new Set(['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'])

/** Puts `temp` in a place that must be empty, whole from the first moment. */
async function createExclusively(temp: string, path: string, disk: Disk): Promise<void> {
  try {
    await disk.link(temp, path)
  } catch (error) {
    if (!NO_LINKS.has(errorCode(error))) throw error
    await (await disk.open(path, 'wx')).close()
    await disk.rename(temp, path)
    return
  }
  await disk.unlink(temp).catch(() => undefined)
}

/**
 * Writes over the content of the file itself, which keeps all that belongs to it. Should that be cut off, the
 * whole text lies beside it under a name that a person sees.
 */
async function writeInPlace(temp: string, path: string, bytes: Uint8Array, disk: Disk): Promise<void> {
  const journal = join(dirname(path), `${basename(path)}.unfinished-save`)
  const handle = await disk.open(path, 'r+')
  try {
    await disk.rename(temp, journal)
    await flushFolder(dirname(path), disk)
    await handle.writeFile(bytes)
    await handle.truncate(bytes.length)
    await handle.sync()
  } finally {
    await handle.close()
  }
  await disk.unlink(journal)
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
