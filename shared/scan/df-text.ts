/** One line of `df`: a mounted file system. */
export interface DfLine {
  readonly source: string
  /** Null where the system's `df` does not say. */
  readonly type: string | null
  readonly path: string
  readonly freeBytes: bigint
}

/** What is asked of `df`: one line for each file system, in blocks of 1,024 bytes. */
export const DF_ARGS: Readonly<Record<'linux' | 'darwin', readonly string[]>> = {
  linux: ['-kPT'],
  darwin: ['-kP'],
}

/** File systems in memory, and those that are images: no weights are kept on them. */
const NO_STORES = /^(?:tmpfs|ramfs|devtmpfs|squashfs|iso9660|efivarfs|fuse\.snapfuse|devfs|autofs|nullfs)$/

const LINE = /^(.+?)\s+(?:([A-Za-z][\w.-]*)\s+)?(\d+)\s+(\d+)\s+(-?\d+)\s+(?:\d+%|-)\s+(\/.*)$/

/** Reads what `df` answers; lines that are none of a file system's are passed over, such as its errors. */
export function readDf(output: string): readonly DfLine[] {
  return output.split(/\r?\n/).flatMap((line): DfLine[] => {
    const [, source, type = null, blocks, , available, path] = LINE.exec(line) ?? []
    if (source === undefined || blocks === undefined || available === undefined || path === undefined)
      return []
    if (blocks === '0' || (type !== null && NO_STORES.test(type)) || NO_STORES.test(source)) return []
    const free = BigInt(available) * 1024n
    return [{ source, type, path, freeBytes: free < 0n ? 0n : free }]
  })
}

/** The folders that `/proc/self/mounts` lists file systems at, those that weights may be on. */
export function readMountPaths(text: string): readonly string[] {
  return text.split('\n').flatMap((line): string[] => {
    const [source = '', path, type = ''] = line.split(' ')
    const isStore =
      source.startsWith('/') || /^(?:zfs|nfs|nfs4|cifs|smb3|fuse|overlay|btrfs|9p|virtiofs)/.test(type)
    if (path === undefined || !isStore || NO_STORES.test(type)) return []
    return [path.replace(/\\([0-7]{3})/g, (_all, octal: string) => String.fromCharCode(parseInt(octal, 8)))]
  })
}
