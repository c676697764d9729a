import { basename, dirname, join } from 'node:path'
import { FSWatcher } from 'chokidar'
import { watchSetOf, type WatchPlace, type WatchSet } from './watch-places.ts'

/** How the watcher waits, in milliseconds. */
export interface WatchTimes {
  /**
   * Quiet for this long ends a burst. It must be longer than the 50 in which chokidar joins changes of one
   * file.
   */
  readonly settle: number
  /** A burst that does not end is reported after this long. */
  readonly longest: number
}

const DEFAULT_TIMES: WatchTimes = { settle: 120, longest: 1000 }

/**
 * Reports that something about the watched places may have changed; what changed is for the listener to read.
 */
export interface PlaceWatcher {
  /**
   * Reports after `ms` as if something had changed: for what no event shows, such as a drive mounted over a
   * folder.
   */
  readonly checkIn: (ms: number) => void
  /** Stops for good; when it resolves, nothing is open and nothing more is reported. */
  readonly close: () => Promise<void>
}

/**
 * Watches `places`, present or not. A burst of changes is settled into one call of `onChange`; calls never
 * overlap. Before each call the watches are renewed where links were turned or folders went and came, so that
 * nothing between two calls is missed. Resolves when the watches stand.
 */
export async function watchPlaces(
  places: readonly WatchPlace[],
  onChange: () => Promise<void>,
  times: WatchTimes = DEFAULT_TIMES,
): Promise<PlaceWatcher> {
  let watches: Watches | null = null
  let timer: NodeJS.Timeout | null = null
  let burstSince: number | null = null
  let running: Promise<void> | null = null
  let standing = false
  let closed = false

  const noteChange = () => {
    if (closed) return
    const now = performance.now()
    burstSince ??= now
    const wait = Math.max(0, Math.min(times.settle, burstSince + times.longest - now))
    startTimer(wait)
  }
  const startTimer = (ms: number) => {
    if (timer) clearTimeout(timer)
    timer = setTimeout(() => {
      timer = null
      // A run that is under way finishes first; the change that came meanwhile gets a run of its own.
      if (running || !standing) {
        startTimer(times.settle)
        return
      }
      burstSince = null
      running = run().finally(() => (running = null))
    }, ms)
  }
  const run = async () => {
    await renew()
    if (!closed) await onChange()
  }
  const renew = async () => {
    // A folder that came while the watches were being opened is in no set and gives no event later: looked for until
    // what is watched is what is there.
    for (
      let set = await watchSetOf(places);
      !closed && watches?.key !== keyOf(set);
      set = await watchSetOf(places)
    ) {
      // First closed, then opened: chokidar shares watches by path, and one of a folder that went would stay
      // deaf. What changes in between is seen by the reading that follows.
      await watches?.close()
      watches = await openWatches(set, noteChange)
    }
  }

  await renew()
  standing = true
  return {
    checkIn: (ms) => {
      if (!closed && timer === null) startTimer(ms)
    },
    close: async () => {
      closed = true
      if (timer) clearTimeout(timer)
      await running
      await watches?.close()
    },
  }
}

interface Watches {
  readonly key: string
  readonly close: () => Promise<void>
}

/**
 * Changes when a folder is another one than before, even under the same path, and when another path matters.
 */
function keyOf({ folders, paths, wholeFolders }: WatchSet): string {
  return JSON.stringify([[...folders].sort(), [...paths].sort(), [...wholeFolders].sort()])
}

async function openWatches(set: WatchSet, onEvent: () => void): Promise<Watches> {
  const matters = (path: string) =>
    set.paths.has(path) || (set.wholeFolders.has(dirname(path)) && !basename(path).startsWith('.'))
  const watcher = new FSWatcher({
    depth: 0,
    // Links are followed in watch-places.ts, each step watched in its own folder.
    followSymlinks: false,
    ignoreInitial: true,
    atomic: false,
    ignored: (path) => {
      if (set.folders.has(path) || set.paths.has(path)) return false
      return !matters(path) || set.wholeFolders.get(dirname(path)) === 'many'
    },
  })
  watcher.on('all', onEvent)
  // Raw events come also for what chokidar has not got round to look at yet, and for entries of folders of
  // many.
  watcher.on('raw', (_event, name, details) => {
    const { watchedPath } = details as { readonly watchedPath: string }
    const isEntry = set.folders.has(watchedPath) && name && name !== basename(watchedPath)
    if (!isEntry || matters(join(watchedPath, name))) onEvent()
  })
  // A folder that cannot be watched (no permission, too many watches) leaves the others watched.
  watcher.on('error', () => undefined)
  const ready = new Promise<void>((resolve) => watcher.once('ready', resolve))
  watcher.add([...set.folders.keys()])
  await ready
  return { key: keyOf(set), close: () => watcher.close() }
}
