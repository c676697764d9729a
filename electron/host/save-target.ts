import type { Stats } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type { SaveFault } from './atomic-save.ts'
import { realDisk, type Disk } from './disk.ts'
import { diskFault, isMissing } from './system-error.ts'

/** Where a text goes in the end, links resolved. */
export interface SaveTarget {
  readonly ok: true
  /** Absolute, and no link itself. */
  readonly path: string
  /** The file that will be replaced; null when there is none. */
  readonly existing: Stats | null
}

/** Links that lead on for longer than this are a circle, as the system takes them. */
const MOST_LINKS = 40

/** Finds the real file behind `path`; makes the folder of a file that is not there yet. */
export async function resolveTarget(path: string, disk: Disk = realDisk): Promise<SaveTarget | SaveFault> {
  try {
    const real = await disk.realpath(path)
    return { ok: true, path: real, existing: await disk.stat(real) }
  } catch (error) {
    if (!isMissing(error)) return saveFault(error)
  }
  try {
    return { ok: true, path: await newFilePath(path, disk), existing: null }
  } catch (error) {
    return saveFault(error)
  }
}

async function newFilePath(path: string, disk: Disk): Promise<string> {
  const linked = await disk.readlink(path).catch(() => null)
  if (linked === null) {
    await disk.mkdir(dirname(path), { recursive: true })
    return realInFolder(path, disk)
  }
  return endOfLinks(path, linked, disk)
}

/**
 * The place at the end of a chain of links that leads nowhere: each link stays, and only its end is made. No
 * folder is made there: it may be on a drive that is away, and the folder would hide that.
 */
async function endOfLinks(first: string, firstTarget: string, disk: Disk): Promise<string> {
  let path = first
  let target: string | null = firstTarget
  for (let links = 0; target !== null && links < MOST_LINKS; links++) {
    path = await realInFolder(resolve(await disk.realpath(dirname(path)), target), disk)
    target = await disk.readlink(path).catch(() => null)
  }
  return path
}

async function realInFolder(path: string, disk: Disk): Promise<string> {
  return join(await disk.realpath(dirname(path)), basename(path))
}

function saveFault(error: unknown): SaveFault {
  const { code, reason } = diskFault(error)
  return { ok: false, code, message: `Cannot save: ${reason}.` }
}
