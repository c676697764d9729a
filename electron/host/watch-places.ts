import { lstat, readdir, readlink, stat } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'

/** A path to keep an eye on: a file, or a folder whose entries matter too. */
export interface WatchPlace {
  readonly path: string
  readonly kind: 'file' | 'folder'
}

/** What the watcher has to look at so that no change of the places escapes it. */
export interface WatchSet {
  /** Existing folders to watch, with what distinguishes a folder from a later one of the same path. */
  readonly folders: ReadonlyMap<string, string>
  /** Paths in those folders that matter; everything else there is noise. */
  readonly paths: ReadonlySet<string>
  /** Folders all of whose entries matter, and whether they are too many to watch each by itself. */
  readonly wholeFolders: ReadonlyMap<string, 'few' | 'many'>
}

/**
 * A folder with more entries is watched as a whole only, so that a big lab does not use up the system's
 * watches.
 */
const MOST_WATCHED_ENTRIES = 1000

/** Links that lead on for longer than this are taken for a circle, as the system takes them. */
const MOST_LINKS = 40

/**
 * Works out what to watch for `places`. A file is watched through the folder it is in, since editors save by
 * renaming another file over it; every link on the way is watched in its own folder, and what it leads to in
 * that one's; of a place that is not there the nearest folder that is, for the way back.
 */
export async function watchSetOf(places: readonly WatchPlace[]): Promise<WatchSet> {
  const found: Found = { folders: new Map(), paths: new Set(), wholeFolders: new Map(), ends: new Map() }
  for (const { path, kind } of places) {
    const end = await follow(path, found)
    if (end === null || kind === 'file') continue
    if (await addFolder(end, found)) await followEntries(end, found)
  }
  return found
}

interface Found {
  readonly folders: Map<string, string>
  readonly paths: Set<string>
  readonly wholeFolders: Map<string, 'few' | 'many'>
  /** Where each path that was followed ends, so that shared folders are looked at once. */
  readonly ends: Map<string, string | null>
}

/**
 * Adds every step of the way to `path`: all folders from the nearest real one to the root are steps too,
 * because any of them may be a link that is turned elsewhere or a mount that goes. Returns the path at the
 * end of all links, or null when it is not there.
 */
async function follow(path: string, found: Found, links = 0): Promise<string | null> {
  const known = found.ends.get(path)
  if (known !== undefined) return known
  const end = links > MOST_LINKS ? null : await followTask(path, found, links)
  found.ends.set(path, end)
  return end
}

async function followTask(path: string, found: Found, links: number): Promise<string | null> {
  const parent = dirname(path)
  if (parent === path) return path
  const realParent = await follow(parent, found, links)
  if (realParent === null) return null
  const here = join(realParent, path.slice(parent.length).replace(/^[\\/]+/, ''))
  await addFolder(realParent, found)
  found.paths.add(here)
  try {
    const stats = await lstat(here)
    if (!stats.isSymbolicLink()) return here
    return await follow(resolve(realParent, await readlink(here)), found, links + 1)
  } catch {
    return null
  }
}

async function addFolder(folder: string, found: Found): Promise<boolean> {
  // The root of a disk neither goes nor is renamed, and chokidar takes it for gone.
  if (dirname(folder) === folder) return true
  if (found.folders.has(folder)) return true
  try {
    const stats = await stat(folder, { bigint: true })
    if (!stats.isDirectory()) return false
    // The number alone is not enough: a folder made right after another was removed often gets that one's.
    found.folders.set(folder, `${stats.dev}:${stats.ino}:${stats.birthtimeNs}`)
    return true
  } catch {
    return false
  }
}

/** A folder's entries matter, and what those lead to that are links. */
async function followEntries(folder: string, found: Found): Promise<void> {
  if (found.wholeFolders.has(folder)) return
  found.wholeFolders.set(folder, 'few')
  try {
    const entries = await readdir(folder, { withFileTypes: true })
    if (entries.length > MOST_WATCHED_ENTRIES) found.wholeFolders.set(folder, 'many')
    for (const entry of entries) {
      if (entry.isSymbolicLink()) await follow(join(folder, entry.name), found)
    }
  } catch {
    // It went while it was read: its parent folder shows when it is back.
  }
}
