import type { StoreApi } from 'zustand/vanilla'
import type { HostCallArgs, HostClient, HostResult, LabSnapshot } from '../../shared/host-api.ts'
import { createLabReader } from '../../shared/read-lab.ts'
import { labAfterSnapshot } from './lab-state.ts'
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
}

export type OpenTarget = Exclude<Proceed, { to: 'close' }>

export function createLabActions(store: StoreApi<PlannerState>, client: HostClient, view: ViewActions): LabActions {
  const readLab = createLabReader()

  const show = (snapshot: LabSnapshot): void => {
    const { lab: before, overlay } = store.getState()
    const shown = before.status === 'open' ? before.snapshot : null
    if (shown !== null && snapshot.revision < shown.revision) return
    const now = Date.now()
    const lab = labAfterSnapshot(before, snapshot, readLab, Math.floor(now / 1000))
    const file = snapshot.lab.overlayFile
    const same = overlay !== null && shown !== null && shown.lab.name === snapshot.lab.name
    store.setState({
      lab,
      overlay: same ? overlayChangedOnDisk(overlay, file, snapshot.overlay, now) : openOverlay(file, snapshot.overlay),
    })
  }

  const showResult = (result: HostResult<LabSnapshot>): void => {
    if (result.ok) {
      show(result.value)
      return
    }
    if (store.getState().lab.status === 'open') view.tellError(result.error)
    else store.setState({ lab: { status: 'failed', error: result.error } })
  }

  const openNow = async (args: HostCallArgs<'openLab'>): Promise<void> => {
    const result = await client.call.openLab(args)
    // What was lit and selected belongs to the lab before.
    if (result.ok) store.setState(({ view: was }) => ({ view: { ...was, role: null, node: null } }))
    showResult(result)
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
        client.on('labChanged', show),
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
    proceed,
    reload: async () => showResult(await client.call.reload({})),
  }
}
