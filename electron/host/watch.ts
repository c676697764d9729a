import { basename, dirname, join } from 'node:path'
import { FSWatcher } from 'chokidar'
import { errorCode } from './system-error.ts'
import { remoteFault, systemFault, type WatchFault } from './watch-faults.ts'
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
  /** Where changes give no events, the places are looked at this often. */
  readonly poll: number
}

const DEFAULT_TIMES: WatchTimes = { settle: 120, longest: 1000, poll: 3000 }

/**
 * Reports that something about the watched places may have changed; what changed is for the listener to read.
 */
export interface PlaceWatcher {
  /**
   * Reports after `ms` as if something had changed: for what no event shows, such as a drive mounted over a
   * folder.
   */
  readonly checkIn: (ms: number) => void
  /** Why changes are looked for now and then instead of being followed, as a sentence part; null when they are followed. */
  readonly unwatched: () => string | null
  /** Stops for good; when it resolves, nothing is open and nothing more is reported. */
  readonly close: () => Promise<void>
}

/**
 * Watches `places`, present or not. A burst of changes is settled into one call of `onChange`; calls never
 * overlap. Before each call the watches are renewed where links were turned or folders went and came, so that
 * nothing between two calls is missed. Where there are no events (a network drive, no watches left), `onChange` is called
 * every few seconds instead. Resolves when the watches stand.
 */
export async function watchPlaces(
  places: readonly WatchPlace[],
  onChange: () => Promise<void>,
  given: Partial<WatchTimes> = {},
  faultOf: WatchFault = remoteFault,
): Promise<PlaceWatcher> {
  const times = { ...DEFAULT_TIMES, ...given }
  let unwatched: string | null = null
  let poll: NodeJS.Timeout | null = null
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
    const began = performance.now()
    try {
      await renew()
      if (!closed) await onChange()
    } finally {
      pollAgain(performance.now() - began)
    }
  }
  /** A look that takes long is taken less often: at most a tenth of the time goes to looking. */
  const pollAgain = (tookMs: number) => {
    if (poll) clearTimeout(poll)
    poll = null
    if (!closed && unwatched !== null) poll = setTimeout(noteChange, Math.max(times.poll, 9 * tookMs))
  }
  const onFault = (code: string | null) => {
    unwatched = systemFault(code)
    noteChange()
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
      unwatched = await firstFault(set, faultOf)
      watches = unwatched === null ? await openWatches(set, noteChange, onFault) : unopened(set)
    }
  }

  await renew()
  standing = true
  pollAgain(0)
  return {
    unwatched: () => unwatched,
    checkIn: (ms) => {
      if (!closed && timer === null) startTimer(ms)
    },
    close: async () => {
      closed = true
      if (timer) clearTimeout(timer)
      if (poll) clearTimeout(poll)
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

async function firstFault({ folders }: WatchSet, faultOf: WatchFault): Promise<string | null> {
  for (const folder of folders.keys()) {
    const fault = await faultOf(folder)
    if (fault !== null) return fault
  }
  return null
}

function unopened(set: WatchSet): Watches {
  return { key: keyOf(set), close: () => Promise.resolve() }
}

async function openWatches(
  set: WatchSet,
  onEvent: () => void,
  onFault: (code: string | null) => void,
): Promise<Watches> {
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
  watcher.on('error', (error) => onFault(errorCode(error)))
  const ready = new Promise<void>((resolve) => watcher.once('ready', resolve))
  watcher.add([...set.folders.keys()])
  await ready
  return { key: keyOf(set), close: () => watcher.close() }
}
