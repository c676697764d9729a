import type { StoreApi } from 'zustand/vanilla'
import type { HostClient } from '../../shared/host-api.ts'
import { liveChanges, type LiveComparison } from '../../shared/live/compare-live.ts'
import { observedFromJson, observedToJson, type LiveReport } from '../../shared/live/observed-json.ts'
import { precomputePlan } from '../../shared/plan/planner.ts'
import { NOT_WATCHING, type LiveWatch, type PlannerState } from './planner-state.ts'
import { runInSlices } from './run-in-slices.ts'
import { isPlanned, keepPlan, selectLive, selectWantedInputs } from './selectors.ts'
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
  /** The states that the host last added to the history; null before the first. */
  let kept: string | null = null
  /** Counts what was to be shown: an older one is given up. */
  let latest = 0

  const renew = async (): Promise<boolean> => {
    // A window that is hidden is not looked at: the host's word runs out by itself.
    if (document.visibilityState === 'hidden') {
      kept = null
      return true
    }
    const answer = await client.call.watchLive({ on: true })
    if (answer.ok) return true
    stop()
    view.tellError(answer.error)
    return false
  }
  const stop = (): void => {
    if (timer !== null) clearInterval(timer)
    timer = null
    kept = null
    const { live } = store.getState()
    if (live.on) void client.call.watchLive({ on: false })
    store.setState({ live: { ...NOT_WATCHING, running: live.running } })
    void show(NOT_WATCHING)
  }

  const keep = async ({ roles }: LiveComparison): Promise<void> => {
    const states = roles.map(({ role, state }) => ({ role, state }))
    // The host reads two weeks of files for it: only when there is something to add.
    const text = JSON.stringify(states)
    if (text === kept) return
    kept = text
    const answer = await client.call.liveHistory({ states })
    if (answer.ok) store.setState(({ live }) => ({ live: { ...live, history: answer.value } }))
    else kept = null
  }

  /**
   * Shows what is known of the servers, with the plan that counts with what they hold: a large lab is planned in slices
   * first. False when something newer came meanwhile.
   */
  const show = async (known: Omit<LiveWatch, 'history'>): Promise<boolean> => {
    const change = ++latest
    for (;;) {
      const before = store.getState()
      // While another scenario is planned, the plan on screen counts with what ran before; the next round follows.
      const running = before.behind === null ? known.running : before.live.running
      const live = { ...known, running, history: known.on ? before.live.history : [] }
      const inputs = selectWantedInputs({ ...before, live })
      if (inputs !== null && !isPlanned(inputs)) {
        const made = await runInSlices(precomputePlan(inputs, before.memo), () => change !== latest)
        if (made === null) return false
        keepPlan(inputs, made.value)
      }
      const { lab, overlay, scenario } = store.getState()
      if (lab !== before.lab || overlay !== before.overlay || scenario !== before.scenario) continue
      store.setState({ live })
      return true
    }
  }

  const observed = async (report: LiveReport): Promise<void> => {
    const before = selectLive(store.getState())
    if (!store.getState().live.on) return
    if (!(await show({ on: true, report, running: runningIn(report, store.getState().live.running) }))) return
    const after = selectLive(store.getState())
    if (after === null) return
    void keep(after)
    if (before === null) return
    // Said once, when it changes: the status bar keeps the present figures.
    const changes = liveChanges(before, after)
    if (changes !== null) view.toast('info', changes)
  }

  client.on('liveObserved', (report) => void observed(report))
  client.on('labChanged', () => {
    kept = null
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

/** The servers of a report; the same object as before when they say the same, so that nothing is planned again. */
function runningIn({ addresses }: LiveReport, before: LiveWatch['running']): LiveWatch['running'] {
  const running = addresses.filter(({ observation }) => observation.kind === 'server')
  const same = JSON.stringify(running) === JSON.stringify(before.map(observedToJson))
  return same ? before : running.map(observedFromJson)
}
