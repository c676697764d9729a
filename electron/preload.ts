import { contextBridge, ipcRenderer, webUtils, type IpcRendererEvent } from 'electron'
import type { HostCallName, HostClient, HostEventName } from '../shared/host-api.ts'
import type { HostEvent } from './host/events.ts'
import { CALL_CHANNEL, DROP_CHANNEL, EVENT_CHANNEL } from './ipc-channels.ts'

/** What the contract names, put here by the build: the schemas behind the names would be most of every page's start. */
declare const CONTRACT_NAMES: {
  readonly calls: readonly HostCallName[]
  readonly events: readonly HostEventName[]
}

/** The page's window, of which the host's types know nothing. */
declare const window: EventTarget

/**
 * The page's whole view of the host, built from the contract: one function for each call and the way to
 * listen. There is no way to send anything else.
 */
function bridge(): HostClient {
  const calls = CONTRACT_NAMES.calls.map((name) => [
    name,
    (args: unknown): Promise<unknown> => ipcRenderer.invoke(CALL_CHANNEL, name, args),
  ])
  const call = Object.freeze(Object.fromEntries(calls)) as HostClient['call']
  return Object.freeze({ call, on: listen as HostClient['on'] })
}

function listen(name: HostEventName, listener: (payload: unknown) => void): () => void {
  if (!CONTRACT_NAMES.events.includes(name)) return () => undefined
  const hear = (_event: IpcRendererEvent, event: HostEvent): void => {
    if (event.name === name) listener(event.payload)
  }
  ipcRenderer.on(EVENT_CHANNEL, hear)
  return () => void ipcRenderer.off(EVENT_CHANNEL, hear)
}

/** What a drag of files carries; the page's own drags carry none. */
interface FileDrag extends Event {
  readonly dataTransfer: { readonly types: readonly string[]; readonly files: ArrayLike<File> } | null
}

/** Files dropped on the window are opened by the host; the page never learns their paths. */
function passDropsOn(target: EventTarget): void {
  const isFiles = (drag: FileDrag): boolean => drag.dataTransfer?.types.includes('Files') ?? false
  target.addEventListener('dragover', (event) => {
    if (isFiles(event as FileDrag)) event.preventDefault()
  })
  target.addEventListener('drop', (event) => {
    const drag = event as FileDrag
    if (!isFiles(drag)) return
    event.preventDefault()
    const file = drag.dataTransfer?.files[0]
    // A file that script made has no path, and is not passed on.
    const path = file ? webUtils.getPathForFile(file) : ''
    if (path !== '') ipcRenderer.send(DROP_CHANNEL, path)
  })
}

contextBridge.exposeInMainWorld('labPlanner', bridge())
passDropsOn(window)
