import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { realDisk, type Disk } from './disk.ts'
import { errorCode } from './system-error.ts'

/**
 * The process that writes it is part of a temporary file's name: whoever finds it can tell whether it is in
 * use.
 */
const TEMP_NAME = /^\.lab-planner-(\d{1,10})-[0-9a-f]{16}\.tmp$/

/** Process ids are given out again: a temporary file this old is nobody's, whoever has its process id now. */
const SURELY_STRAY_MS = 60 * 60 * 1000

/** The temporary files that this process is writing. */
const underWay = new Set<string>()

/** A fresh name for a temporary file in `folder`; it counts as under way until {@link forgetTemp}. */
export function newTempPath(folder: string): string {
  const path = join(folder, `.lab-planner-${process.pid}-${randomBytes(8).toString('hex')}.tmp`)
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
    const pid = TEMP_NAME.exec(name)?.[1]
    if (pid === undefined) continue
    const path = join(folder, name)
    if (await isStray(path, Number(pid), disk)) await disk.unlink(path).catch(() => undefined)
  }
}

async function isStray(path: string, pid: number, disk: Disk): Promise<boolean> {
  if (underWay.has(path)) return false
  if (pid === process.pid || !isRunning(pid)) return true
  const stats = await disk.lstat(path).catch(() => null)
  return stats !== null && Date.now() - stats.mtimeMs > SURELY_STRAY_MS
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Any other failure, such as EPERM, speaks of a process that is there.
    return errorCode(error) !== 'ESRCH'
  }
}
