import { realDisk, type Disk } from './disk.ts'

/** Whether both paths lead, through any links, to one and the same file that is there. */
export async function isSameFile(a: string, b: string, disk: Disk = realDisk): Promise<boolean> {
  try {
    const [one, other] = await Promise.all([disk.stat(a), disk.stat(b)])
    return one.dev === other.dev && one.ino === other.ino
  } catch {
    // What is not there, or cannot be looked at, is not the same file.
    return false
  }
}
