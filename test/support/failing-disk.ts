import { realDisk, type Disk } from '../../electron/host/disk.ts'

/** An error as the file system throws it. */
export function systemError(code: string): NodeJS.ErrnoException {
  return Object.assign(new Error(`${code}: simulated`), { code })
}

/**
 * The real disk, except that `operation` fails with `code` for paths that `applies` to. The tests may run as
 * a user whom the system denies nothing, and no test can fill a disk.
 */
export function diskFailingAt(
  operation: keyof Disk,
  code: string,
  applies: (path: string) => boolean = () => true,
): Disk {
  return new Proxy(realDisk, {
    get(target, name) {
      const real: unknown = Reflect.get(target, name)
      if (name !== operation || typeof real !== 'function') return real
      return (path: string, ...rest: unknown[]): unknown =>
        applies(path) ? Promise.reject(systemError(code)) : Reflect.apply(real, undefined, [path, ...rest])
    },
  })
}

/** The real disk, except that every write to an open file stops half way with `code`, as on a full disk. */
export function diskFailingWhileWriting(code: string, applies: (path: string) => boolean = () => true): Disk {
  return {
    ...realDisk,
    open: async (path, flags, mode) => {
      const handle = await realDisk.open(path, flags, mode)
      if (!applies(String(path))) return handle
      const writeHalf = async (data: unknown): Promise<void> => {
        if (data instanceof Uint8Array) await handle.write(data.subarray(0, Math.floor(data.length / 2)))
        throw systemError(code)
      }
      return Object.assign(handle, { writeFile: writeHalf })
    },
  }
}
