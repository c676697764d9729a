import { relative } from 'node:path'
import type { SaveOverlayResult } from '../../shared/host-api.ts'
import { exceedsUtf8 } from '../../shared/utf8.ts'
import { stageText, type SaveFault } from './atomic-save.ts'
import { realDisk, type Disk } from './disk.ts'
import { MAX_FILE_BYTES } from '../../shared/lab/lab-places.ts'
import { withFileLock, type HeldLock } from './file-lock.ts'
import type { LabFolder } from './paths.ts'
import { contentHash, readTextFile, type TextFault } from './read-text-file.ts'
import { resolveTarget, type SaveTarget } from './save-target.ts'
import { isSameFile } from './same-file.ts'
import { isMissing } from './system-error.ts'

export type OverlaySave =
  | SaveOverlayResult
  /** Nothing was written; `message` is a sentence for a person. */
  | { readonly kind: 'failed'; readonly code: string; readonly message: string }

export interface OverlaySaveOptions {
  /** The roster's path: it is never written, also when somebody names it as the overlay. */
  readonly roster?: string | null
  /** The lab's folder. While its drive is unmounted, never recreate the folder: it would shadow the mount point. */
  readonly lab?: Pick<LabFolder, 'path' | 'shown'> | null
  readonly disk?: Disk
}

/**
 * Saves the overlay, if the file on disk still is the version that was edited, and else says what the file
 * holds now. Of several planners that save at once, in whatever process, only one finds its version there.
 *
 * @param baseHash content hash of the version that was edited; null when there was no file. Then the file
 *   (and its folder) is made.
 */
export async function saveOverlay(
  path: string,
  text: string,
  baseHash: string | null,
  { roster = null, lab = null, disk = realDisk }: OverlaySaveOptions = {},
): Promise<OverlaySave> {
  if (exceedsUtf8(text, MAX_FILE_BYTES.overlay)) {
    return failed('file-too-large', 'Cannot save: an overlay over 1 MiB cannot be read again. Shorten it.')
  }
  if (roster !== null && (await isSameFile(path, roster, disk))) {
    return failed('is-the-roster', 'Cannot save: this is the roster, which is never written. Name another.')
  }
  if (lab !== null && isBelow(path, lab.path) && !(await isThere(lab.path, disk))) {
    return failed(
      'lab-away',
      `Cannot save: the folder ${lab.shown} is not there. Save again when it is back.`,
    )
  }
  const newHash = contentHash(new TextEncoder().encode(text))
  const early = await obstacle(path, baseHash, newHash, disk)
  if (early) return early

  const target = await resolveTarget(path, disk)
  if (!target.ok) return notSaved(target)
  const saved = await withFileLock(target.path, disk, (lock) =>
    saveLocked(path, target, { text, baseHash, newHash }, lock, disk),
  )
  return 'kind' in saved ? saved : notSaved(saved)
}

interface Version {
  readonly text: string
  readonly baseHash: string | null
  readonly newHash: string
}

async function saveLocked(
  path: string,
  target: SaveTarget,
  { text, baseHash, newHash }: Version,
  lock: HeldLock,
  disk: Disk,
): Promise<OverlaySave> {
  const staged = await stageText(target, text, disk)
  if (!staged.ok) return notSaved(staged)
  // Writing and flushing takes a while, and programs other than ours ask for no lock: the last look is right
  // before the rename.
  const late = await obstacle(path, baseHash, newHash, disk)
  if (late || !(await lock.isHeld())) {
    await staged.discard()
    return late ?? failed('locked', 'Cannot save: another Lab Planner is saving the same file. Try again.')
  }
  const result = await staged.commit()
  if (result.ok) return { kind: 'saved', hash: result.hash }
  const came = result.code === 'EEXIST' ? await obstacle(path, baseHash, newHash, disk) : null
  return came ?? notSaved(result)
}

/** What makes writing needless or wrong now, or null when the file on disk is the version that was edited. */
async function obstacle(
  path: string,
  baseHash: string | null,
  newHash: string,
  disk: Disk,
): Promise<OverlaySave | null> {
  const read = await readTextFile(path, MAX_FILE_BYTES.overlay, disk)
  if (!read.ok && !isAbsence(read)) {
    return failed(read.code, `Cannot compare with the file on disk: ${read.reason}.`)
  }
  const onDisk = read.ok ? { text: read.text, hash: read.hash } : null
  if ((onDisk?.hash ?? null) === baseHash) return null
  // Somebody else has written the very same text: nothing is lost by agreeing.
  if (onDisk?.hash === newHash) return { kind: 'saved', hash: newHash }
  return { kind: 'conflict', disk: onDisk }
}

function isBelow(path: string, folder: string): boolean {
  return !relative(folder, path).startsWith('..')
}

async function isThere(path: string, disk: Disk): Promise<boolean> {
  try {
    await disk.stat(path)
    return true
  } catch (error) {
    return !isMissing(error)
  }
}

function isAbsence(fault: TextFault): boolean {
  return fault.code === 'file-missing' || fault.code === 'file-dangling-link'
}

function notSaved({ code, message }: SaveFault): OverlaySave {
  return failed(code, message)
}

function failed(code: string, message: string): OverlaySave {
  return { kind: 'failed', code, message }
}
