import { createHash, randomBytes } from 'node:crypto'
import { basename, dirname, join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import type { SaveFault } from './atomic-save.ts'
import type { Disk } from './disk.ts'
import { isRunning, processPlace } from './process-place.ts'
import { diskFault, errorCode, isMissing } from './system-error.ts'

/** How the lock waits, in milliseconds. */
export interface LockTimes {
  /** A lock that shows no sign of life for this long was left by a process that is gone. */
  readonly silent: number
  /** The holder shows a sign of life this often. */
  readonly beat: number
  /** The longest wait for others. */
  readonly longest: number
}

const DEFAULT_TIMES: LockTimes = { silent: 10_000, beat: 2_000, longest: 60_000 }

export interface HeldLock {
  /**
   * Whether the lock still is ours. To be asked right before the step it guards: a process that slept for
   * longer than `silent` may have lost it.
   */
  readonly isHeld: () => Promise<boolean>
}

/**
 * Runs `work` while no other planner, of any process, container or machine, runs such work on the same file:
 * an exclusive lock file lies beside `path` meanwhile. `path` is the real file (links resolved), and its
 * folder must be there. A lock is stale when its process is known to be gone (same machine start and PID
 * namespace), or when it showed no sign of life while we watched; no clock is compared with another.
 */
export async function withFileLock<T>(
  path: string,
  disk: Disk,
  work: (lock: HeldLock) => Promise<T>,
  times: LockTimes = DEFAULT_TIMES,
): Promise<T | SaveFault> {
  const lockPath = lockPathOf(path)
  const content = `${processPlace()} ${process.pid} ${randomBytes(8).toString('hex')}\n`
  try {
    const taken = await takeLock(lockPath, content, disk, times)
    if (!taken) return BUSY
  } catch (error) {
    const { code, reason } = diskFault(error)
    return { ok: false, code, message: `Cannot save: ${reason}.` }
  }
  const beat = setInterval(() => {
    const now = new Date()
    disk.utimes(lockPath, now, now).catch(() => undefined)
  }, times.beat)
  const isHeld = async (): Promise<boolean> => (await readLock(lockPath, disk))?.content === content
  try {
    return await work({ isHeld })
  } finally {
    clearInterval(beat)
    // Should another process have taken it over, it is that one's to remove.
    if (await isHeld()) await disk.unlink(lockPath).catch(() => undefined)
  }
}

/** Where the lock of the file at `path` lies; short, whatever the file's name is. */
export function lockPathOf(path: string): string {
  const name = createHash('sha256').update(basename(path)).digest('hex').slice(0, 16)
  return join(dirname(path), `.lab-planner-${name}.lock`)
}

const BUSY: SaveFault = {
  ok: false,
  code: 'locked',
  message: 'Cannot save: another Lab Planner has been saving the same file for a long time. Try again.',
}

async function takeLock(path: string, content: string, disk: Disk, times: LockTimes): Promise<boolean> {
  const start = performance.now()
  let seen: string | null = null
  let seenSince = start
  while (performance.now() - start < times.longest) {
    if (await create(path, content, disk)) return true
    const other = await readLock(path, disk)
    if (other === null) continue
    if (other.life !== seen) {
      seen = other.life
      seenSince = performance.now()
    }
    if (isAbandoned(other.content) || performance.now() - seenSince >= times.silent) {
      await removeStale(path, other.content, disk)
      continue
    }
    await pause(2 + Math.random() * 8)
  }
  return false
}

async function create(path: string, content: string, disk: Disk): Promise<boolean> {
  let handle
  try {
    handle = await disk.open(path, 'wx', 0o600)
  } catch (error) {
    if (errorCode(error) === 'EEXIST') return false
    throw error
  }
  try {
    await handle.writeFile(content)
    return true
  } catch (error) {
    await disk.unlink(path).catch(() => undefined)
    throw error
  } finally {
    await handle.close()
  }
}

interface SeenLock {
  readonly content: string
  /** Changes with every sign of life. */
  readonly life: string
}

/** Null when there is none. */
async function readLock(path: string, disk: Disk): Promise<SeenLock | null> {
  try {
    const handle = await disk.open(path, 'r')
    try {
      const content = await handle.readFile('utf8')
      return { content, life: `${content}${(await handle.stat()).mtimeMs}` }
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (isMissing(error)) return null
    throw error
  }
}

/** Whether the lock is of a process of this place that has ended. */
function isAbandoned(content: string): boolean {
  const [, place, pid] = /^([0-9a-f]{12}) (\d{1,10}) /.exec(content) ?? []
  return place === processPlace() && !isRunning(Number(pid))
}

/**
 * Takes a stale lock away, and no other: two processes may find it stale at once, and the slower one must not
 * remove the lock that the faster one made meanwhile.
 */
async function removeStale(path: string, content: string, disk: Disk): Promise<void> {
  const aside = `${path}.${randomBytes(8).toString('hex')}`
  try {
    await disk.rename(path, aside)
  } catch {
    return
  }
  const moved = await readLock(aside, disk)
  // Given back under its own name unless the next process has taken the place; then its holder sees the loss.
  if (moved !== null && moved.content !== content) await disk.link(aside, path).catch(() => undefined)
  await disk.unlink(aside).catch(() => undefined)
}
