import { cp, mkdir, readdir, rename, rm } from 'node:fs/promises'
import { join, relative, sep } from 'node:path'
import { z } from 'zod'
import { saveTextAtomically } from './atomic-save.ts'
import { readTextFile } from './read-text-file.ts'
import { diskFault } from './system-error.ts'

/** Where the sample lab can be tried out. */
export interface SampleFolder {
  readonly folder: string
  /** Why its overlay cannot be saved, or null when it can. */
  readonly readOnly: string | null
}

const FOLDER = 'sample-lab'
/**
 * Says which files were copied, so that a later version can distinguish an untouched copy from an edited one.
 */
const RECORD = 'sample-lab.json'
const MOST_BYTES = 16 * 1024 * 1024

const recordSchema = z.object({ files: z.record(z.string(), z.string()) })

/** Content hashes by path inside the lab, `/`-separated. */
type Hashes = ReadonlyMap<string, string>

/**
 * The person's own copy of the bundled sample lab, in their settings folder: edits and saves work there, and
 * the bundled files are never written. A copy is made when there is none; one of an earlier version is
 * replaced only when no file of it was changed, added or removed since it was made. Where no copy can be
 * made, the bundled lab itself is given, for reading.
 */
export async function sampleFolder(bundled: string, configDir: string): Promise<SampleFolder> {
  const folder = join(configDir, FOLDER)
  try {
    const own = await hashesOf(folder)
    const wanted = await hashesOf(bundled)
    const isWorkedIn = own.size > 0 && !isSame(own, await recorded(configDir))
    if (!isWorkedIn && !isSame(own, wanted)) await replaceCopy(bundled, folder, configDir, wanted)
    return { folder, readOnly: null }
  } catch (error) {
    const { reason } = diskFault(error)
    return {
      folder: bundled,
      readOnly: `The sample lab could not be copied to where it can be changed: ${reason}.`,
    }
  }
}

async function replaceCopy(
  bundled: string,
  folder: string,
  configDir: string,
  hashes: Hashes,
): Promise<void> {
  await mkdir(configDir, { recursive: true })
  // Made beside its place and renamed into it, so that half a copy is never taken for a lab somebody worked
  // in.
  const fresh = join(configDir, `.${FOLDER}-${process.pid}`)
  await rm(fresh, { recursive: true, force: true })
  await cp(bundled, fresh, { recursive: true })
  await rm(folder, { recursive: true, force: true })
  await rename(fresh, folder)
  const record = `${JSON.stringify({ files: Object.fromEntries(hashes) }, null, 2)}\n`
  const saved = await saveTextAtomically(join(configDir, RECORD), record)
  if (!saved.ok) throw new Error(saved.message)
}

async function recorded(configDir: string): Promise<Hashes> {
  const read = await readTextFile(join(configDir, RECORD), MOST_BYTES)
  if (!read.ok) return new Map()
  try {
    return new Map(Object.entries(recordSchema.parse(JSON.parse(read.text)).files))
  } catch {
    // Without a readable record the copy counts as worked in, and stays.
    return new Map()
  }
}

/**
 * Empty when there is no such folder. A file that cannot be read has a hash of its own, so that it differs.
 */
async function hashesOf(folder: string): Promise<Hashes> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => [])
  const paths = entries
    .filter((entry) => !entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
  const hashes = new Map<string, string>()
  for (const path of paths.sort()) {
    const read = await readTextFile(path, MOST_BYTES)
    hashes.set(relative(folder, path).split(sep).join('/'), read.ok ? read.hash : read.code)
  }
  return hashes
}

function isSame(a: Hashes, b: Hashes): boolean {
  return a.size === b.size && [...a].every(([path, hash]) => b.get(path) === hash)
}
