import type { StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../shared/host-api.ts'
import { countLive, type LiveComparison } from '../../shared/live/compare-live.ts'
import { NOT_WATCHING, type PlannerState } from './planner-state.ts'
import { selectLive } from './selectors.ts'
import type { ViewActions } from './view-actions.ts'

/** Watching what the lab's servers run. Off until the operator turns it on, and again with every new page. */
export interface LiveActions {
  readonly start: () => Promise<void>
  readonly stop: () => void
}

/** The host stops asking half a minute after the page last said that somebody looks. */
const RENEW_MS = 15_000

export function createLiveActions(
  store: StoreApi<PlannerState>,
  client: HostClient,
  view: ViewActions,
): LiveActions {
  let timer: ReturnType<typeof setInterval> | null = null

  const renew = async (): Promise<boolean> => {
    // A window that is hidden is not looked at: the host's word runs out by itself.
    if (document.visibilityState === 'hidden') return true
    const answer = await client.call.watchLive({ on: true })
    if (answer.ok) return true
    stop()
    view.tellError(answer.error)
    return false
  }
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
    if (store.getState().live.on) void client.call.watchLive({ on: false })
    store.setState({ live: NOT_WATCHING })
  }

  const keep = async ({ roles }: LiveComparison): Promise<void> => {
    const states = roles.map(({ role, state }) => ({ role, state }))
    const kept = await client.call.liveHistory({ states })
    if (kept.ok) store.setState(({ live }) => ({ live: { ...live, history: kept.value } }))
  }

  client.on('liveObserved', (report) => {
    const before = selectLive(store.getState())
    if (!store.getState().live.on) return
    store.setState(({ live }) => ({ live: { ...live, report } }))
    const after = selectLive(store.getState())
    if (after === null) return
    void keep(after)
    if (before === null) return
    const [was, is] = [countLive(before).differ, countLive(after).differ]
    // Said once, when it changes: the status bar keeps the present figure.
    if (was !== is) {
      view.toast(
        'info',
        is === 0
          ? 'Everything runs as planned again.'
          : `${is} ${is === 1 ? 'server differs' : 'servers differ'} from the plan.`,
      )
    }
  })
  client.on('labChanged', () => {
    if (store.getState().live.on) void renew()
  })

  return {
    start: async () => {
      if (!(await renew())) return
      store.setState(({ live }) => ({ live: { ...live, on: true } }))
      timer ??= setInterval(() => void renew(), RENEW_MS)
    },
    stop,
  }
}
