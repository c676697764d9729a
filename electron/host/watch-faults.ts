import { execFile } from 'node:child_process'
import { realpath, statfs } from 'node:fs/promises'
import { promisify } from 'node:util'

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
  [0x5346414f, 'AFS'],
  [0x0bd00bd0, 'Lustre'],
  [0x786f4256, 'a shared folder of VirtualBox'],
])

/** What is asked of the system about a folder. */
export interface DriveQuestions {
  readonly platform: NodeJS.Platform
  /** The folder's path with links, and on Windows letters of mapped drives, resolved. */
  readonly realpath: (folder: string) => Promise<string>
  /** Linux's number of the file system that the folder is on. */
  readonly fileSystem: (folder: string) => Promise<number>
  /** macOS: what `mount` prints. */
  readonly mounts: () => Promise<string>
}

/** By what the folder is on: a drive of another machine is changed by others without a word to this one. */
export function remoteFaultBy(ask: DriveQuestions): WatchFault {
  const nameOf = async (folder: string): Promise<string | null> => {
    if (ask.platform === 'linux') return REMOTE.get((await ask.fileSystem(folder)) >>> 0) ?? null
    if (ask.platform === 'darwin') return mountedFrom(await ask.mounts(), await ask.realpath(folder))
    if (ask.platform !== 'win32') return null
    return (await ask.realpath(folder)).startsWith('\\\\') ? 'a share' : null
  }
  return async (folder) => {
    try {
      const name = await nameOf(folder)
      return name === null ? null : remoteText(name)
    } catch {
      return null
    }
  }
}

/** macOS's names of file systems of other machines. */
const REMOTE_MOUNTS: ReadonlyMap<string, string> = new Map([
  ['nfs', 'NFS'],
  ['smbfs', 'SMB'],
  ['afpfs', 'AFP'],
  ['webdav', 'WebDAV'],
  ['macfuse', 'FUSE'],
  ['osxfuse', 'FUSE'],
])

/** Such a file system when the folder is on one, by a line like `//me@nas/lab on /Volumes/lab (smbfs, nodev)`. */
function mountedFrom(mounts: string, folder: string): string | null {
  const around = [...mounts.matchAll(/^.* on (\/.*) \((\w+)/gm)]
    .map(([, at = '', type = '']) => ({ at, type }))
    .filter(({ at }) => folder === at || folder.startsWith(at.endsWith('/') ? at : `${at}/`))
    .sort((a, b) => b.at.length - a.at.length)
  return REMOTE_MOUNTS.get(around[0]?.type ?? '') ?? null
}

/** Many folders are asked about at once: they share an answer. */
const MOUNTS_KEPT_MS = 2_000
const MOUNT_MS = 5_000
let lastMounts: { readonly at: number; readonly text: Promise<string> } | null = null

function mountTable(): Promise<string> {
  if (lastMounts === null || performance.now() - lastMounts.at > MOUNTS_KEPT_MS) {
    const text = promisify(execFile)('/sbin/mount', [], { timeout: MOUNT_MS }).then(({ stdout }) => stdout)
    lastMounts = { at: performance.now(), text }
  }
  return lastMounts.text
}

export const remoteFault: WatchFault = remoteFaultBy({
  platform: process.platform,
  realpath,
  fileSystem: async (folder) => (await statfs(folder)).type,
  mounts: mountTable,
})

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
