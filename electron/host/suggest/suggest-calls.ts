import { once } from 'node:events'
import { dirname, join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { NO_LAB, failed } from '../answers.ts'
import type { HostImplementation } from '../dispatch.ts'
import type { ObservedAddress } from '../../../shared/live/types.ts'
import type { LabSession } from '../lab-session.ts'
import type { SuggestAnswer, SuggestJob } from './suggest-from-texts.ts'

type SuggestCalls = Pick<HostImplementation, 'suggestPlan'>

/** Reading the lab and checking the answer may take this long on top of the solver's time, in milliseconds. */
const GRACE_MS = 20_000
const BUSY = failed('unsupported', 'A suggestion is being made already. Wait for it.')

/**
 * Suggestions, made in a thread of their own so that the host goes on answering. `worker` is the built thread; the
 * solver's WebAssembly lies beside it. Null where there is none.
 */
export function suggestCalls(
  desk: LabSession,
  observed: () => Promise<readonly ObservedAddress[]>,
  worker: string | null,
): SuggestCalls & { readonly close: () => Promise<void> } {
  let running: Worker | null = null
  return {
    suggestPlan: async ({ overlayText, scenario, seconds }) => {
      const seen = await observed()
      const lab = desk.current()
      if (!lab) return NO_LAB
      if (worker === null) return failed('unsupported', 'This host has no solver.')
      if (running !== null) return BUSY
      const job: SuggestJob = {
        lab: lab.files(),
        observed: seen,
        overlayText,
        scenario,
        seconds,
        wasmPath: join(dirname(worker), 'highs.wasm'),
      }
      // The built thread is whole by itself: what the process was started with is no business of it.
      running = new Worker(worker, { workerData: job, execArgv: [] })
      const signal = AbortSignal.timeout(seconds * 1000 + GRACE_MS)
      try {
        const [answer] = (await once(running, 'message', { signal })) as [SuggestAnswer]
        return answer.ok ? { ok: true, value: answer.report } : failed('unsupported', answer.message)
      } catch (error) {
        if (!signal.aborted) throw error
        return failed(
          'unsupported',
          'The solver gave no answer in time. Try again with fewer roles switched on.',
        )
      } finally {
        await running.terminate()
        running = null
      }
    },
    close: async () => {
      await running?.terminate()
    },
  }
}
