import { dirname, parse } from 'node:path'
import { realDisk, type Disk } from '../disk.ts'

/** Which drive a path is on. Tests put drives that can be taken away in its place. */
export interface Volumes {
  /** The folder that the file system of `path` (there, links resolved) is mounted at. */
  readonly mountOf: (path: string) => Promise<string>
  /** Whether a file system is mounted at `mount` now. */
  readonly isMounted: (mount: string) => Promise<boolean>
}

/** The machine's own: a file system begins where a folder's device is not its parent's. */
export function realVolumes(disk: Disk = realDisk): Volumes {
  const mountOf = async (path: string): Promise<string> => {
    const { dev } = await disk.stat(path)
    let mount = path
    for (;;) {
      const parent = dirname(mount)
      if (parent === mount || (await disk.stat(parent)).dev !== dev) return mount
      mount = parent
    }
  }
  return {
    mountOf,
    isMounted: async (mount) => {
      if (mount === parse(mount).root && process.platform !== 'win32') return true
      try {
        return (await mountOf(mount)) === mount
      } catch {
        return false
      }
    },
  }
}
