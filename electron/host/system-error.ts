/** A failure of the disk as data: the system's code (`ENOSPC`), and what it means in words. */
export interface DiskFault {
  readonly code: string
  /** Words for a person, without a full stop, such as `the disk is full`. */
  readonly reason: string
}

const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied: allow your account to use it',
  EPERM: 'permission denied: the system does not allow it',
  EROFS: 'the disk can only be read',
  ENOSPC: 'the disk is full: make room and try again',
  EDQUOT: 'your disk quota is used up: make room and try again',
  EFBIG: 'the file is too large for this disk',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EISDIR: 'it is a folder',
  EEXIST: 'something of that name is there already',
  ELOOP: 'its links lead in a circle',
  ENAMETOOLONG: 'its name is too long for this disk',
  EMFILE: 'too many files are open: close some programs and try again',
  ENFILE: 'too many files are open: close some programs and try again',
  EBUSY: 'another program is using it',
  ETXTBSY: 'another program is using it',
  EIO: 'the disk reports an error',
  ENXIO: 'the device is not there',
  ENODEV: 'the device is not there',
  ESTALE: 'the network drive has lost it: reconnect the drive',
  ETIMEDOUT: 'the network drive does not answer',
  EHOSTDOWN: 'the network drive does not answer',
}

/** What a thrown file system error means. Codes without words of ours keep the system's message. */
export function diskFault(error: unknown): DiskFault {
  const code = errorCode(error) ?? 'EUNKNOWN'
  const reason = REASONS[code]
  if (reason !== undefined) return { code, reason }
  return { code, reason: error instanceof Error ? error.message : String(error) }
}

/** The system's code of a thrown error, or null when it carries none. */
export function errorCode(error: unknown): string | null {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : null
}

/** Whether the error says that there is nothing at the path. */
export function isMissing(error: unknown): boolean {
  const code = errorCode(error)
  return code === 'ENOENT' || code === 'ENOTDIR'
}
