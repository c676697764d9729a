import type { StoreApi } from 'zustand/vanilla'
import type { HostCallArgs, HostClient, HostResult, LabSnapshot } from '../../shared/host-api.ts'
import type { Lab } from '../../shared/lab.ts'
import { planAhead } from '../../shared/plan/planner.ts'
import { createLabSteps } from '../../shared/read-lab.ts'
import { atOnce, inSlices } from './in-slices.ts'
import { CALLED_OFF, labAfterSnapshot } from './lab-state.ts'
import { isUnsaved, openOverlay, overlayChangedOnDisk } from './overlay-state.ts'
import type { PlannerState } from './planner-state.ts'
import type { ViewActions } from './view-actions.ts'
import type { Proceed } from './view-state.ts'

/** Opening labs and following them on disk. */
export interface LabActions {
  /** Connects to the host, opens the lab it has or its default, and follows its events. Returns the way to stop. */
  readonly start: () => Promise<() => void>
  /** Opens another lab; unsaved edits are asked about first. */
  readonly open: (target: OpenTarget) => void
  /** Goes on with what waited for the answer about unsaved edits. */
  readonly proceed: (proceed: Proceed) => void
  readonly reload: () => Promise<void>
  /** Gives up the reading that is going on; what was on screen before stays. */
  readonly stopReading: () => void
  /** Closes the window; unsaved edits are asked about first. */
  readonly close: () => void
}

export type OpenTarget = Exclude<Proceed, { to: 'close' }>

/** Labs of up to so many files are read at once: that takes no longer than a frame or two. */
const FILES_AT_ONCE = 400

/** `steps`, and how many of them have been taken. */
function countSteps<T>(steps: Generator<void, T>): { readonly steps: Generator<void, T>; readonly taken: () => number } {
  let taken = 0
  function* counting(): Generator<void, T> {
    for (;;) {
      const step = steps.next()
      if (step.done === true) return step.value
      taken++
      yield
    }
  }
  return { steps: counting(), taken: () => taken }
}

export function createLabActions(store: StoreApi<PlannerState>, client: HostClient, view: ViewActions): LabActions {
  const readSteps = createLabSteps()
  /** The newest snapshot that is shown or being read. */
  let newestSeen: LabSnapshot | null = null
  /** Counts readings: an older one that is not done yet is given up. */
  let latest = 0
  /** Whether a reading that was given up was to begin with a fresh overlay: then the one after it is. */
  let freshIsDue = false

  /** Shows `snapshot`; of one that comes after a newer one (events and answers travel apart) the newer stays. */
  const show = (snapshot: LabSnapshot, overlayState: 'keep' | 'fresh' = 'keep'): void => {
    const isLate = newestSeen !== null && snapshot.revision < newestSeen.revision
    if (isLate && overlayState === 'keep') return
    freshIsDue ||= overlayState === 'fresh'
    const newest = isLate && newestSeen !== null ? newestSeen : snapshot
    newestSeen = newest
    const reading = ++latest
    const isGivenUp = (): boolean => reading !== latest
    if (newest.lab.files.length <= FILES_AT_ONCE) {
      showRead(newest, atOnce(readSteps(newest.lab)))
      return
    }
    void showInSlices(newest, isGivenUp)
  }

  /** As {@link show} does for a lab of many files: the page answers meanwhile and shows how far it is. */
  const showInSlices = async (snapshot: LabSnapshot, isGivenUp: () => boolean): Promise<void> => {
    const { length } = snapshot.lab.files
    const counted = countSteps(readSteps(snapshot.lab))
    const tell = (): void => {
      if (store.getState().lab.status !== 'open' && !isGivenUp()) {
        store.setState({ lab: { status: 'opening', share: Math.min(counted.taken() / length, 1) } })
      }
    }
    const read = await inSlices(counted.steps, isGivenUp, tell)
    if (read === null) return
    const { scenario, overlay } = store.getState()
    const nowSecs = scenario.nowSecs ?? Math.floor(Date.now() / 1000)
    const inputs = { lab: read.value, overlay: overlay?.document ?? null, scenario: { ...scenario, nowSecs } }
    if ((await inSlices(planAhead(inputs), isGivenUp)) !== null) showRead(snapshot, read.value)
  }

  const showRead = (newest: LabSnapshot, read: Lab): void => {
    const { lab: before, overlay } = store.getState()
    const shown = before.status === 'open' ? before.snapshot : null
    const now = Date.now()
    const lab = labAfterSnapshot(before, newest, () => read, Math.floor(now / 1000))
    const { overlayFile, name } = newest.lab
    const keeps = !freshIsDue && overlay !== null && shown?.lab.name === name
    freshIsDue = false
    store.setState({
      lab,
      overlay: keeps
        ? overlayChangedOnDisk(overlay, overlayFile, newest.overlay, now)
        : openOverlay(overlayFile, newest.overlay),
    })
  }

  const showResult = (result: HostResult<LabSnapshot>, overlayState: 'keep' | 'fresh'): void => {
    if (result.ok) {
      show(result.value, overlayState)
      return
    }
    if (store.getState().lab.status === 'open') view.tellError(result.error)
    else store.setState({ lab: { status: 'failed', error: result.error } })
  }

  const openNow = async (args: HostCallArgs<'openLab'>): Promise<void> => {
    const result = await client.call.openLab(args)
    if (result.ok) {
      // What was selected and edited belongs to the lab before, even when it is the same one opened again: whoever
      // opens a lab was asked about unsaved edits.
      store.setState(({ view: was }) => ({ baseline: null, view: { ...was, role: null, node: null } }))
      void client.call.setUnsaved({ unsaved: false })
    }
    showResult(result, 'fresh')
  }

  const proceed = (what: Proceed): void => {
    store.setState({ dialog: null })
    switch (what.to) {
      case 'open':
        void openNow({ by: 'token', token: what.token })
        return
      case 'open_sample':
        void openNow({ by: 'sample' })
        return
      case 'close':
        // The host asks no more once nothing is unsaved.
        void client.call.setUnsaved({ unsaved: false }).then(() => window.close())
    }
  }

  const guarded = (what: Proceed): void => {
    const { overlay } = store.getState()
    if (overlay !== null && isUnsaved(overlay)) view.openDialog({ kind: 'unsaved', proceed: what })
    else proceed(what)
  }

  return {
    start: async () => {
      const stops = [
        client.on('labChanged', (snapshot) => show(snapshot)),
        client.on('settingsChanged', (settings) => store.setState({ settings })),
        client.on('scanProgress', (scan) => store.setState({ scan })),
        client.on('connectionChanged', ({ connected }) => store.setState({ online: connected })),
        client.on('openRequested', ({ token, label }) => guarded({ to: 'open', token, label })),
      ]
      const [host, settings, current] = await Promise.all([
        client.call.hostInfo({}),
        client.call.settings({}),
        client.call.currentLab({}),
      ])
      if (host.ok) store.setState({ host: host.value })
      if (settings.ok) store.setState({ settings: settings.value })
      if (current.ok && current.value !== null) show(current.value)
      else await openNow({ by: 'default' })
      return () => stops.forEach((stop) => stop())
    },
    open: guarded,
    close: () => guarded({ to: 'close' }),
    proceed,
    stopReading: () => {
      latest++
      freshIsDue = false
      const { lab } = store.getState()
      newestSeen = lab.status === 'open' ? lab.snapshot : null
      if (lab.status === 'opening') store.setState({ lab: CALLED_OFF })
    },
    reload: async () => showResult(await client.call.reload({}), 'keep'),
  }
}
