import type { HostResult, LabSnapshot, ReadingProgress } from '../../shared/host-api.ts'
import { failed } from './answers.ts'
import type { HostEventHub } from './events.ts'
import { defaultLab, locateLab, sampleLab, type LabSource, type LocatedLab } from './lab-source.ts'
import { openLiveLab, type LiveLab } from './live-lab.ts'
import { LAB_PLACES } from '../../shared/lab/lab-places.ts'
import { expandHome } from './paths.ts'
import { withRecentLab, type SettingsStore } from './settings.ts'
import type { WatchTimes } from './watch.ts'

export interface LabDeskParts {
  readonly home: string
  readonly configDir: string
  /** The sample lab that came with the program; it is read only. */
  readonly bundledSample: string
  /** What opening the default lab opens: what the command line named. Null for the usual place. */
  readonly startLab: LabSource | null
  readonly settings: SettingsStore
  readonly watchTimes?: Partial<WatchTimes>
}

/** Where one lab lies open at a time. */
export interface LabSession {
  readonly current: () => LiveLab | null
  readonly openDefault: () => Promise<HostResult<LabSnapshot>>
  readonly openSample: () => Promise<HostResult<LabSnapshot>>
  readonly openPath: (path: string) => Promise<HostResult<LabSnapshot>>
  /** Gives up the openings that are under way; they answer `stopped`. */
  readonly stopOpening: () => void
  /** The path of a file that the open lab's snapshot names; only those can be asked for. */
  readonly pathOf: (file: string) => string | null
  readonly close: () => Promise<void>
}

/** Makes an empty session; changes of the lab that lies there are sent to `events`. */
export function createLabDesk(parts: LabDeskParts, events: HostEventHub): LabSession {
  const { home, configDir, settings } = parts
  let revision = 0
  let open: LiveLab | null = null
  let last: Promise<unknown> = Promise.resolve()
  /** Ends all openings that were asked for and are not done. */
  let stopper = new AbortController()

  /** One after the other; the lab before stays open when the next one cannot be. */
  const openNext = (locate: () => Promise<LocatedLab>): Promise<HostResult<LabSnapshot>> => {
    const { signal } = stopper
    const opening = last.then(async () => {
      try {
        signal.throwIfAborted()
        const located = await locate()
        return located.ok ? await openSource(located.source, signal) : failed('io', located.message)
      } catch (error) {
        if (signal.aborted) return STOPPED
        throw error
      }
    })
    last = opening.catch(() => undefined)
    return opening
  }
  const onProgress = someTimesASecond((payload) => events.tell({ name: 'labReading', payload }))
  const openSource = async (source: LabSource, signal: AbortSignal): Promise<HostResult<LabSnapshot>> => {
    const before = open
    const live = await openLiveLab(source, {
      onProgress,
      signal,
      nextRevision: () => ++revision,
      onChange: (payload) => {
        if (open === live) events.tell({ name: 'labChanged', payload })
      },
      ...(parts.watchTimes && { times: parts.watchTimes }),
    })
    open = live
    await before?.close()
    if (source.recent !== null) await settings.change(withRecentLab(source.recent))
    return { ok: true, value: live.snapshot() }
  }
  const locateSample = async (): Promise<LocatedLab> => {
    return { ok: true, source: await sampleLab(parts.bundledSample, configDir, home) }
  }
  const locateDefault = async (): Promise<LocatedLab> => {
    const source = parts.startLab ?? (await defaultLab(home))
    return source ? { ok: true, source } : locateSample()
  }

  return {
    current: () => open,
    openDefault: () => openNext(locateDefault),
    openSample: () => openNext(locateSample),
    openPath: (path) => openNext(() => locateLab(path, home)),
    stopOpening: () => {
      stopper.abort()
      stopper = new AbortController()
    },
    pathOf: (file) => {
      if (!open) return null
      const { source, snapshot } = open
      const place = LAB_PLACES.map((name) => source.paths[name]).find(({ shown }) => shown === file)
      if (place) return place.path
      return snapshot().lab.files.some((known) => known.file === file) ? expandHome(file, home) : null
    },
    close: async () => {
      await last
      await open?.close()
      open = null
    },
  }
}

const STOPPED = failed('stopped', 'Reading the lab was stopped.')

const TELL_EVERY_MS = 100

/** Passes progress on, but not more often than a person can see; what ends sooner than that is not reported. */
function someTimesASecond(tell: (progress: ReadingProgress) => void): (progress: ReadingProgress) => void {
  let last = 0
  return (progress) => {
    const now = performance.now()
    if (progress.doneFiles === 0) last = now
    if (now - last < TELL_EVERY_MS) return
    last = now
    tell(progress)
  }
}
