import type { StoreApi } from 'zustand/vanilla'
import type {
  ConnectionChange,
  HostClient,
  HostError,
  HostResult,
  LabSnapshot,
} from '../../shared/host-api.ts'
import { isUnsaved } from './overlay-state.ts'
import type { PlannerState } from './planner-state.ts'

/** `other_lab`: another run of the planner has another lab open, and text that is not saved is of the one on screen. */
export type Connection = ConnectionChange['state'] | 'other_lab'

/** What showing a lab offers the connection. */
interface Shown {
  readonly show: (snapshot: LabSnapshot) => Promise<void>
  /** The next snapshot is of another host: it is shown whatever its revision. */
  readonly forget: () => void
  readonly showError: (error: HostError) => void
}

interface ConnectionActions {
  readonly changed: (change: ConnectionChange) => void
  readonly labChanged: (snapshot: LabSnapshot) => void
}

/** Follows the page's connection to its host; a host of another run is begun with again, and unsaved text is kept. */
export function createConnection(
  store: StoreApi<PlannerState>,
  client: HostClient,
  { show, forget, showError }: Shown,
): ConnectionActions {
  /** Whether snapshots wait until it is clear that what is on screen may give way to them. */
  let isHeld = false
  let newest: LabSnapshot | null = null

  const beginAgain = async (): Promise<void> => {
    isHeld = true
    newest = null
    const current = await learnHost(store, client)
    const opened =
      current.ok && current.value === null ? await client.call.openLab({ by: 'default' }) : current
    if (!opened.ok || opened.value === null) {
      isHeld = false
      if (!opened.ok) showError(opened.error)
      return
    }
    const { overlay } = store.getState()
    const unsaved = overlay !== null && isUnsaved(overlay)
    if (unsaved && overlay.file !== opened.value.lab.overlayFile) {
      store.setState({ connection: 'other_lab' })
      return
    }
    isHeld = false
    forget()
    await show(newestOf(opened.value, newest))
    void client.call.setUnsaved({ unsaved })
  }

  return {
    changed: ({ state, isAnother }) => {
      const isClosed = store.getState().lab.status === 'failed'
      store.setState({ connection: state })
      if (state === 'connected' && (isAnother || isClosed)) void beginAgain()
    },
    labChanged: (snapshot) => {
      if (isHeld) newest = snapshot
      else void show(snapshot)
    },
  }
}

/** Learns what the host is and how it is set, and asks for the lab that it has open. */
export async function learnHost(
  store: StoreApi<PlannerState>,
  client: HostClient,
): Promise<HostResult<LabSnapshot | null>> {
  const [host, settings, current] = await Promise.all([
    client.call.hostInfo({}),
    client.call.settings({}),
    client.call.currentLab({}),
  ])
  if (host.ok) store.setState({ host: host.value })
  if (settings.ok) store.setState({ settings: settings.value })
  return current
}

function newestOf(answered: LabSnapshot, pushed: LabSnapshot | null): LabSnapshot {
  return pushed !== null && pushed.revision > answered.revision ? pushed : answered
}

/** Why nothing can be saved just now; null where it can. */
export function notSavedReason(connection: Connection): string | null {
  switch (connection) {
    case 'connected':
      return null
    case 'away':
      return 'Not saved: Lab Planner is not answering. Your text stays here; save it when the planner is back.'
    case 'refused':
      return 'Not saved: this page has no key to the planner that runs now. Open the address that it printed; your text stays here.'
    case 'other_lab':
      return 'Not saved: the planner that runs now has another lab open. Copy your text, or save it as a file.'
  }
}
