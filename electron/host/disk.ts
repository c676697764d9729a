import * as fs from 'node:fs/promises'

/** The file system operations the host uses; tests put failing ones in their place. */
export type Disk = Pick<
  typeof fs,
  | 'access'
  | 'link'
  | 'lstat'
  | 'mkdir'
  | 'open'
  | 'readdir'
  | 'readlink'
  | 'realpath'
  | 'rename'
  | 'stat'
  | 'unlink'
  | 'utimes'
>

/** The real file system. */
export const realDisk: Disk = fs
