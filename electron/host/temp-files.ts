import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { realDisk, type Disk } from './disk.ts'
import { isRunning, processPlace } from './process-place.ts'

/**
 * A temporary file's name says which process writes it, and where that process's id counts: any other planner
 * can see whether the file is in use. Names without a place are of earlier versions.
 */
const TEMP_NAME = /^\.lab-planner-(?:([0-9a-f]{12})-)?(\d{1,10})-[0-9a-f]{16}\.tmp$/

/** Process ids are given out again: a temporary file this old is in no use. */
const SURELY_STRAY_MS = 60 * 60 * 1000

/** The temporary files that this process is writing. */
const underWay = new Set<string>()

/** A fresh name for a temporary file in `folder`; it counts as under way until {@link forgetTemp}. */
export function newTempPath(folder: string): string {
  const path = join(
    folder,
    `.lab-planner-${processPlace()}-${process.pid}-${randomBytes(8).toString('hex')}.tmp`,
  )
  underWay.add(path)
  return path
}

/** The temporary file is gone: renamed or removed. */
export function forgetTemp(path: string): void {
  underWay.delete(path)
}

/**
 * Removes temporary files of ours from `folder` that a crash left behind. Those of a save that is under way,
 * here or in another process, stay. Never fails: a save does not depend on it.
 */
export async function cleanStrayTemps(folder: string, disk: Disk = realDisk): Promise<void> {
  const names = await disk.readdir(folder).catch(() => [])
  for (const name of names) {
    const [, place, pid] = TEMP_NAME.exec(name) ?? []
    if (pid === undefined) continue
    const path = join(folder, name)
    if (await isStray(path, { place, pid: Number(pid) }, disk)) await disk.unlink(path).catch(() => undefined)
  }
}

interface Writer {
  readonly place: string | undefined
  readonly pid: number
}

async function isStray(path: string, { place, pid }: Writer, disk: Disk): Promise<boolean> {
  if (underWay.has(path)) return false
  // The id of a process elsewhere says nothing here.
  if (place === processPlace() && (pid === process.pid || !isRunning(pid))) return true
  const stats = await disk.lstat(path).catch(() => null)
  return stats !== null && Date.now() - stats.mtimeMs > SURELY_STRAY_MS
}
