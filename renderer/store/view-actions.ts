import type { StoreApi } from 'zustand/vanilla'
import type { HostClient, HostError, Theme } from '../../shared/host-api.ts'
import type { PlannerState } from './planner-state.ts'
import type { Caret, CentreTab, Dialog, PaneName, RosterFilter, Toast, ViewState } from './view-state.ts'

/** How many toasts stand at once; older ones give way. */
const MAX_TOASTS = 4

export interface ViewActions {
  readonly selectRole: (role: string) => void
  /** Lights a node in every pane; null when nothing is pointed at. */
  readonly lightNode: (node: string | null) => void
  readonly showCentre: (centre: CentreTab) => void
  /** Shows the nodes and goes to one of them; null when that is done. */
  readonly revealNode: (node: string | null) => void
  /** Brings a pane to the front where panes are tabs. */
  readonly showPane: (pane: PaneName) => void
  readonly search: (text: string) => void
  readonly filter: (patch: Partial<RosterFilter>) => void
  readonly setCaret: (caret: Caret | null) => void
  readonly openDialog: (dialog: Dialog) => void
  readonly closeDialog: () => void
  readonly toast: (tone: Toast['tone'], message: string) => void
  /** Shows an error of the host; a lost connection is shown once by the status bar instead. */
  readonly tellError: (error: HostError) => void
  readonly dismissToast: (id: number) => void
  readonly setTheme: (theme: Theme) => void
  readonly setZoom: (zoom: number) => void
  /** Remembers the sizes of a group of panes. */
  readonly rememberLayout: (group: string, layout: string) => void
}

export function createViewActions(store: StoreApi<PlannerState>, client: HostClient): ViewActions {
  let lastToast = 0
  const setView = (patch: Partial<ViewState>): void =>
    store.setState(({ view }) => ({ view: { ...view, ...patch } }))

  const toast: ViewActions['toast'] = (tone, message) => {
    const entry: Toast = { id: ++lastToast, tone, message }
    store.setState(({ toasts }) => ({ toasts: [...toasts, entry].slice(-MAX_TOASTS) }))
  }
  const tellError: ViewActions['tellError'] = (error) => {
    if (error.code !== 'disconnected') toast('error', error.message)
  }
  const changeSettings = async (
    patch: Parameters<HostClient['call']['changeSettings']>[0],
  ): Promise<void> => {
    const result = await client.call.changeSettings(patch)
    if (!result.ok) tellError(result.error)
  }

  return {
    selectRole: (role) => setView({ role }),
    lightNode: (node) => {
      if (store.getState().view.node !== node) setView({ node })
    },
    showCentre: (centre) => setView({ centre, pane: 'Shard matrix' }),
    revealNode: (node) =>
      setView(
        node === null ? { revealed: null } : { revealed: node, node, centre: 'nodes', pane: 'Shard matrix' },
      ),
    showPane: (pane) => setView({ pane }),
    search: (search) => setView({ search }),
    filter: (patch) => setView({ filter: { ...store.getState().view.filter, ...patch } }),
    setCaret: (caret) => {
      const { caret: was } = store.getState().view
      if (was?.line !== caret?.line || was?.column !== caret?.column) setView({ caret })
    },
    openDialog: (dialog) => store.setState({ dialog }),
    closeDialog: () => store.setState({ dialog: null }),
    toast,
    tellError,
    dismissToast: (id) =>
      store.setState(({ toasts }) => ({ toasts: toasts.filter((entry) => entry.id !== id) })),
    setTheme: (theme) => {
      store.setState(({ settings }) => ({ settings: { ...settings, theme } }))
      void changeSettings({ theme })
    },
    setZoom: (zoom) => {
      store.setState(({ settings }) => ({ settings: { ...settings, zoom } }))
      void changeSettings({ zoom })
    },
    rememberLayout: (group, layout) => {
      const { settings } = store.getState()
      if (settings.layout[group] === layout) return
      const merged = { ...settings.layout, [group]: layout }
      store.setState({ settings: { ...settings, layout: merged } })
      void changeSettings({ layout: merged })
    },
  }
}
