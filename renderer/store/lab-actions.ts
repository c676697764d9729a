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
  /** Closes the window; unsaved edits are asked about first. */
  readonly close: () => void
}

export type OpenTarget = Exclude<Proceed, { to: 'close' }>

export function createLabActions(store: StoreApi<PlannerState>, client: HostClient, view: ViewActions): LabActions {
  const readLab = createLabReader()

  /** Shows `snapshot`; of one that comes after a newer one (events and answers travel apart) the newer stays. */
  const show = (snapshot: LabSnapshot, overlayState: 'keep' | 'fresh' = 'keep'): void => {
    const { lab: before, overlay } = store.getState()
    const shown = before.status === 'open' ? before.snapshot : null
    const isLate = shown !== null && snapshot.revision < shown.revision
    if (isLate && overlayState === 'keep') return
    const newest = isLate ? shown : snapshot
    const now = Date.now()
    const lab = labAfterSnapshot(before, newest, readLab, Math.floor(now / 1000))
    const { overlayFile, name } = newest.lab
    const keeps = overlayState === 'keep' && overlay !== null && shown?.lab.name === name
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
    reload: async () => showResult(await client.call.reload({}), 'keep'),
  }
}
