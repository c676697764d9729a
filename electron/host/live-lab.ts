import { stat } from 'node:fs/promises'
import type { LabSnapshot, ReadingProgress } from '../../shared/host-api.ts'
import type { LabFiles } from '../../shared/lab/lab.ts'
import { isFolderPlace, LAB_PLACE_TRAITS, LAB_PLACES, type LabFileKind } from '../../shared/lab/lab-places.ts'
import { loadLabFiles } from './lab.ts'
import { watchedPlaces, type LabSource } from './lab-source.ts'
import type { LabPath, LabPaths } from './paths.ts'
import { createTextMemory } from './text-memory.ts'
import type { WatchFault } from './watch-faults.ts'
import { watchPlaces, type WatchTimes } from './watch.ts'

/**
 * How often a lab that is away is looked for, in milliseconds: a drive mounted over a folder gives no event.
 */
const LOOK_AGAIN_MS = 1000
/** How soon after saving the lab is read when no event of the disk asks for it. */
const AFTER_SAVING_MS = 200

/** An open lab that follows its files. */
export interface LiveLab {
  readonly source: LabSource
  readonly snapshot: () => LabSnapshot
  /** The files that the snapshot lists, with their texts. */
  readonly files: () => LabFiles
  /** The text of the file of that hash; null when the lab has none. */
  readonly textOf: (hash: string) => string | null
  /** Reads everything again and takes it as it is; only a roster that went is still shown as it last was. */
  readonly reload: () => Promise<LabSnapshot>
  /** Looks whether files changed, as after an event; `onChange` follows where they did. */
  readonly look: () => Promise<void>
  /**
   * A file of the lab was written for the page: the next reading is reported even when it says what the one before did, as
   * the page knows of the saved version, and the file may be gone again.
   */
  readonly saved: () => void
  readonly close: () => Promise<void>
}

export interface LiveLabOptions {
  readonly nextRevision: () => number
  /** Called for every reading that differs from the one before, but not of the first. */
  readonly onChange: (snapshot: LabSnapshot) => void
  /** Called while the lab is opened or read again, not while it is followed. */
  readonly onProgress?: (progress: ReadingProgress) => void
  /** Gives the opening up: it rejects with the signal's reason. */
  readonly signal?: AbortSignal
  readonly times?: Partial<WatchTimes>
  /** Why a folder gives no events; by what it is on where nothing else is said. */
  readonly watchFault?: WatchFault
}

/** A reading of the lab's files, and what the page learns of it. */
interface LabState {
  readonly snapshot: LabSnapshot
  readonly files: LabFiles
  readonly textByHash: ReadonlyMap<string, string>
}

/** Opens a lab: reads it and follows it until it is closed. */
export async function openLiveLab(source: LabSource, options: LiveLabOptions): Promise<LiveLab> {
  const { onProgress, signal } = options
  const memory = createTextMemory()
  let current: LabState | null = null
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  let isReportDue = false

  /** Readings come one after the other, so that an older one never replaces a newer. */
  const read = (mode: ReadingMode): Promise<LabState> => {
    const reading = last.then(async () => {
      const wasDue = isReportDue
      isReportDue = false
      const pass = memory.pass(mode === 'take' ? 'all' : 'changed')
      const files = await loadLabFiles(source.paths, {
        readText: pass.read,
        ...(mode !== 'follow' && onProgress && { onProgress }),
        ...(mode === 'open' && signal && { signal }),
      })
      pass.done()
      const away = current === null ? null : await awayReason(current.files, files, source.paths, mode)
      const before = current
      const next = nextState(before, files, away, source, options.nextRevision, watcher.unwatched())
      current =
        wasDue && next === before
          ? { ...next, snapshot: { ...next.snapshot, revision: options.nextRevision() } }
          : next
      if (current.snapshot.stale !== null || !has(current.files, 'roster')) watcher.checkIn(LOOK_AGAIN_MS)
      if (before !== null && before !== current && !isClosed) options.onChange(current.snapshot)
      return current
    })
    last = reading.catch(() => undefined)
    return reading
  }

  const follow = async (): Promise<void> => {
    await read('follow')
  }
  const watcher = await watchPlaces(watchedPlaces(source.paths), follow, options.times, options.watchFault)
  let opened: LabState
  try {
    opened = await read('open')
  } catch (error) {
    await watcher.close()
    throw error
  }
  const now = (): LabState => current ?? opened
  return {
    source,
    snapshot: () => now().snapshot,
    files: () => now().files,
    textOf: (hash) => now().textByHash.get(hash) ?? null,
    reload: async () => (await read('take')).snapshot,
    look: follow,
    saved: () => {
      isReportDue = true
      watcher.checkIn(AFTER_SAVING_MS)
    },
    close: () => {
      isClosed = true
      return watcher.close()
    },
  }
}

type ReadingMode = 'open' | 'follow' | 'take'

function nextState(
  before: LabState | null,
  files: LabFiles,
  away: string | null,
  { origin }: LabSource,
  nextRevision: () => number,
  unwatched: string | null,
): LabState {
  if (before !== null) {
    const { snapshot } = before
    if (away !== null) {
      if (snapshot.stale === away) return before
      return { ...before, snapshot: { ...snapshot, revision: nextRevision(), stale: away } }
    }
    const isSame = snapshot.stale === null && snapshot.unwatched === unwatched
    if (isSame && fingerprint(before.files) === fingerprint(files)) return before
  }
  const overlay = files.files.find(({ kind }) => kind === 'overlay')
  return {
    files,
    textByHash: new Map(files.files.map(({ hash, text }) => [hash, text])),
    snapshot: {
      revision: nextRevision(),
      lab: { ...files, files: files.files.map(({ kind, file, hash }) => ({ kind, file, hash })) },
      origin,
      stale: null,
      unwatched,
      overlay: overlay ? { text: overlay.text, hash: overlay.hash } : null,
    },
  }
}

/** Equal for readings that say the same. */
function fingerprint({ files, problems }: LabFiles): string {
  return JSON.stringify([files.map(({ kind, file, hash }) => [kind, file, hash]), problems])
}

/**
 * Why the reading before is still the better one, as a sentence part; null when `now` is to be shown. A
 * folder that is there and was emptied is not away.
 */
async function awayReason(
  before: LabFiles,
  now: LabFiles,
  paths: LabPaths,
  mode: ReadingMode,
): Promise<string | null> {
  for (const place of LAB_PLACES) {
    const { kind, isAnchor } = LAB_PLACE_TRAITS[place]
    if (!isAnchor) continue
    if (mode === 'take' && kind !== 'roster') continue
    if (!has(before, kind) || has(now, kind)) continue
    const reason = await absenceOf(paths[place], isFolderPlace(place))
    if (reason === null) continue
    return (await isFolder(paths.lab)) ? reason : `the folder ${paths.lab.shown} is not there`
  }
  return null
}

async function absenceOf(place: LabPath, isFolderPlace: boolean): Promise<string | null> {
  if (isFolderPlace) return (await isFolder(place)) ? null : `the folder ${place.shown} is not there`
  const isThere =
    place.path !== null &&
    (await stat(place.path).then(
      () => true,
      () => false,
    ))
  return isThere ? `${place.shown} cannot be read any more` : `${place.shown} is not there`
}

async function isFolder({ path }: LabPath): Promise<boolean> {
  return (
    path !== null &&
    (await stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    ))
  )
}

function has({ files }: LabFiles, kind: LabFileKind): boolean {
  return files.some((file) => file.kind === kind)
}
