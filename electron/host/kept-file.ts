import { copyFile, mkdir } from 'node:fs/promises'
import { constants } from 'node:fs'
import { basename, dirname } from 'node:path'
import { saveTextAtomically, type SaveFault } from './atomic-save.ts'
import { realDisk } from './disk.ts'
import { withFileLock } from './file-lock.ts'
import { readTextFile } from './read-text-file.ts'
import { resolveTarget } from './save-target.ts'
import { diskFault, errorCode } from './system-error.ts'

/** What a parser makes of a file's JSON: what is good of it, and whether something was not. */
export interface Parsed<T> {
  readonly value: T
  readonly isWhole: boolean
}

/** A file of JSON that the planner keeps for itself, shared with other running planners. */
export interface KeptFileKind<T> {
  readonly path: string
  readonly maxBytes: number
  /** Files of a higher version are of a newer planner, and are left as they are. No version counts as 1. */
  readonly version: number
  /** Gets what `JSON.parse` gave; null when nothing of it can be used. */
  readonly parse: (json: unknown) => Parsed<T> | null
  readonly print: (value: T) => string
}

export type KeptRead<T> =
  /** `damaged`: `value` is what is good of it, or null. */
  | { readonly kind: 'whole' | 'damaged'; readonly value: T | null }
  | { readonly kind: 'missing' }
  /** Not to be written: from a newer planner, or it cannot be read. `reason` is a sentence for a person. */
  | { readonly kind: 'locked'; readonly reason: string }

/** Reads the file as it is now. */
export async function readKept<T>(kind: KeptFileKind<T>): Promise<KeptRead<T>> {
  const read = await readTextFile(kind.path, kind.maxBytes)
  if (!read.ok) {
    switch (read.code) {
      case 'file-missing':
      case 'file-dangling-link':
        return { kind: 'missing' }
      case 'file-not-utf8':
      case 'file-too-large':
        return { kind: 'damaged', value: null }
      case 'file-not-a-file':
      case 'file-unreadable':
        return { kind: 'locked', reason: `${basename(kind.path)} cannot be read: ${read.reason}.` }
    }
  }
  let json: unknown
  try {
    json = JSON.parse(read.text)
  } catch {
    return { kind: 'damaged', value: null }
  }
  if (versionOf(json) > kind.version) {
    const reason = `${basename(kind.path)} is from a newer Lab Planner and is left as it is. Update this one.`
    return { kind: 'locked', reason }
  }
  const parsed = kind.parse(json)
  return { kind: parsed?.isWhole === true ? 'whole' : 'damaged', value: parsed?.value ?? null }
}

function versionOf(json: unknown): number {
  if (typeof json !== 'object' || json === null || !('version' in json)) return 1
  return typeof json.version === 'number' ? json.version : 1
}

export type KeptUpdate<T> =
  /** `putAside`: the name of the damaged file that was replaced, which lies beside; null when it was whole. */
  { readonly ok: true; readonly value: T; readonly putAside: string | null } | SaveFault

/**
 * Changes what the file holds now and saves it, while no other planner does. What was damaged is copied aside
 * first and never lost.
 *
 * @param change gets what is good of the file, or null.
 */
export async function updateKept<T>(
  kind: KeptFileKind<T>,
  change: (onDisk: T | null) => T,
): Promise<KeptUpdate<T>> {
  try {
    await mkdir(dirname(kind.path), { recursive: true })
  } catch (error) {
    return fault(error)
  }
  const target = await resolveTarget(kind.path)
  if (!target.ok) return target
  return withFileLock<KeptUpdate<T>>(target.path, realDisk, async () => {
    const onDisk = await readKept(kind)
    if (onDisk.kind === 'locked') return { ok: false, code: 'locked', message: onDisk.reason }
    const value = change(onDisk.kind === 'missing' ? null : onDisk.value)
    let putAside: string | null = null
    if (onDisk.kind === 'damaged') {
      try {
        putAside = await copyAside(target.path)
      } catch (error) {
        return fault(error)
      }
    }
    const saved = await saveTextAtomically(kind.path, kind.print(value))
    return saved.ok ? { ok: true, value, putAside } : saved
  })
}

const MOST_ASIDE = 100

/** Copies the file to a name beside it that is free, and returns that name. */
async function copyAside(path: string): Promise<string> {
  for (let i = 1; ; i++) {
    const aside = i === 1 ? `${path}.damaged` : `${path}.damaged-${i}`
    try {
      await copyFile(path, aside, constants.COPYFILE_EXCL)
      return basename(aside)
    } catch (error) {
      if (errorCode(error) !== 'EEXIST' || i >= MOST_ASIDE) throw error
    }
  }
}

function fault(error: unknown): SaveFault {
  const { code, reason } = diskFault(error)
  return { ok: false, code, message: `Cannot save: ${reason}.` }
}
