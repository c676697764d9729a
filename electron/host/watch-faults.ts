import { statfs } from 'node:fs/promises'

/** Why changes in a folder give no events, as a sentence part; null when they do as far as is known. */
export type WatchFault = (folder: string) => Promise<string | null>

/** Linux's numbers of file systems whose other users' changes give no event here. */
const REMOTE: ReadonlyMap<number, string> = new Map([
  [0x6969, 'NFS'],
  [0x517b, 'SMB'],
  [0xff534d42, 'SMB'],
  [0xfe534d42, 'SMB'],
  [0x01021997, '9P'],
  [0x65735546, 'FUSE'],
  [0x00c36400, 'Ceph'],
  [0x47504653, 'GPFS'],
])

/** By what the folder is on: a drive of another machine is changed by others without a word to this one. */
export const remoteFault: WatchFault = async (folder) => {
  // A share named by its machine; one with a letter cannot be told from a drive here.
  if (process.platform === 'win32') return folder.startsWith('\\\\') ? remoteText('a share') : null
  if (process.platform !== 'linux') return null
  try {
    const name = REMOTE.get((await statfs(folder)).type >>> 0)
    return name === undefined ? null : remoteText(name)
  } catch {
    return null
  }
}

function remoteText(what: string): string {
  return `the lab is on a network drive (${what}), which does not report changes`
}

/** By what the system answered when a folder was to be watched. */
export function systemFault(code: string | null): string {
  if (code === 'ENOSPC')
    return 'the system has no file watches left (on Linux: raise fs.inotify.max_user_watches)'
  if (code === 'EMFILE' || code === 'ENFILE')
    return 'too many files are open to watch more (on Linux: raise fs.inotify.max_user_instances)'
  return `a folder of the lab cannot be watched${code === null ? '' : ` (${code})`}`
}
