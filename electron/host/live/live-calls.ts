import { createHash } from 'node:crypto'
import type { LiveReport } from '../../../shared/live/observed-json.ts'
import { observedToJson } from '../../../shared/live/observed-json.ts'
import { liveAddresses, type LiveAddress } from '../../../shared/live/addresses.ts'
import type { ObservedAddress } from '../../../shared/live/types.ts'
import { createLabReader } from '../../../shared/lab/read-lab.ts'
import { NO_LAB, failed } from '../answers.ts'
import type { HostImplementation } from '../dispatch.ts'
import type { LabSession } from '../lab-session.ts'
import { openLiveHistory, type LiveHistory } from './live-history.ts'
import { observeAll, type ObserveOptions, type WatchMemory } from './observe.ts'

export interface LiveParts {
  readonly session: LabSession
  readonly tell: (report: LiveReport) => void
  readonly env: ObserveOptions['env']
  readonly configDir: string
  readonly times?: LiveTimes
  readonly observe?: typeof observeAll
}

export interface LiveTimes {
  /** From the end of a round to the next. */
  readonly roundMs: number
  /** How long the page's word that somebody looks is good for. */
  readonly leaseMs: number
}

const TIMES: LiveTimes = { roundMs: 10_000, leaseMs: 30_000 }

export interface LiveCalls extends Pick<HostImplementation, 'watchLive' | 'liveHistory'> {
  /** What the last round saw, while somebody looks: what a plan of the page counts with. */
  readonly observed: () => readonly ObservedAddress[]
  readonly close: () => Promise<void>
}

/**
 * Asks the servers of the open lab, round after round, for as long as a page says that somebody looks. The page gives no
 * address: they follow from the lab's own files, read again before each round.
 */
export function liveCalls(parts: LiveParts): LiveCalls {
  const { session, tell, env, configDir, times = TIMES, observe = observeAll } = parts
  const readLab = createLabReader()
  let leaseEnds = 0
  let last: readonly ObservedAddress[] = []
  let controller: AbortController | null = null
  let rounds: Promise<void> = Promise.resolve()
  let history: { readonly lab: string; readonly log: LiveHistory } | null = null

  const historyOf = (lab: string): LiveHistory => {
    if (history?.lab !== lab) {
      const name = createHash('sha256').update(lab).digest('hex').slice(0, 16)
      history = { lab, log: openLiveHistory(configDir, name, () => Math.floor(Date.now() / 1000)) }
    }
    return history.log
  }

  const addressesNow = (): readonly LiveAddress[] => {
    const open = session.current()
    if (open === null) return []
    const lab = readLab(open.files())
    return liveAddresses(lab.nodes, lab.roster).addresses
  }

  const run = async (signal: AbortSignal): Promise<void> => {
    const memory: WatchMemory = new Map()
    const isOver = (): boolean => signal.aborted || performance.now() >= leaseEnds
    while (!isOver()) {
      const observed = await observe(addressesNow(), { signal, env, memory })
      if (isOver()) return
      last = observed
      tell({ atSecs: Math.floor(Date.now() / 1000), addresses: observed.map(observedToJson) })
      await pause(times.roundMs, signal)
    }
  }

  const watch = async (own: AbortController): Promise<void> => {
    try {
      await run(own.signal)
    } finally {
      if (controller === own) {
        controller = null
        last = []
      }
      // A mark that cannot be written costs the history its end, and nothing else.
      await history?.log.end().catch(() => undefined)
    }
  }

  const stop = (): void => {
    leaseEnds = 0
    controller?.abort()
    controller = null
    last = []
  }

  return {
    watchLive: ({ on }) => {
      if (!on) {
        stop()
        return Promise.resolve({ ok: true, value: { addresses: 0 } })
      }
      if (session.current() === null) return Promise.resolve(NO_LAB)
      const addresses = addressesNow().length
      if (addresses === 0) {
        return Promise.resolve(
          failed(
            'unsupported',
            'fleet.yaml gives no node a `url`: add url: http://HOST:PORT to those that may be asked.',
          ),
        )
      }
      leaseEnds = performance.now() + times.leaseMs
      if (controller === null) {
        const own = new AbortController()
        controller = own
        rounds = watch(own)
      }
      return Promise.resolve({ ok: true, value: { addresses } })
    },
    liveHistory: async ({ states }) => {
      const open = session.current()
      if (open === null) return NO_LAB
      const log = historyOf(open.source.paths.lab.path)
      await log.add(states)
      return { ok: true, value: await log.read() }
    },
    observed: () => last,
    close: async () => {
      stop()
      await rounds
    },
  }
}

function pause(ms: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', end)
      resolve()
    }
    const timer = setTimeout(end, ms)
    signal.addEventListener('abort', end)
  })
}
