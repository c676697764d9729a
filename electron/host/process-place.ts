import { createHash } from 'node:crypto'
import { readFileSync, readlinkSync } from 'node:fs'
import { hostname } from 'node:os'
import { errorCode } from './system-error.ts'

let ownPlace: string | null = null

/**
 * Where the process ids of this process count, as 12 hex digits: the same start of the same machine and, on
 * Linux, the same PID namespace. In another place the same id means another process or none.
 */
export function processPlace(): string {
  ownPlace ??= createHash('sha256').update(placeParts().join('\n')).digest('hex').slice(0, 12)
  return ownPlace
}

function placeParts(): string[] {
  const parts = [hostname()]
  if (process.platform !== 'linux') return parts
  try {
    parts.push(readFileSync('/proc/sys/kernel/random/boot_id', 'utf8'), readlinkSync('/proc/self/ns/pid'))
  } catch {
    // Without /proc the machine's name has to do; a lock or file of another place then ages out.
  }
  return parts
}

/** Whether the process of that id runs, as far as this process can see: it must be of this place. */
export function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // Any other failure, such as EPERM, speaks of a process that is there.
    return errorCode(error) !== 'ESRCH'
  }
}
