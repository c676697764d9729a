import type { IpcMain, WebContents, WebFrameMain } from 'electron'
import { isAppUrl } from './app-scheme.ts'
import { failed } from './host/answers.ts'
import type { Dispatch } from './host/dispatch.ts'
import type { HostEventSource } from './host/events.ts'
import { CALL_CHANNEL, DROP_CHANNEL, EVENT_CHANNEL } from './ipc-channels.ts'

/** What Electron says of where a message comes from. */
interface IpcOrigin {
  readonly sender: WebContents
  readonly senderFrame: WebFrameMain | null
}

export interface IpcParts {
  readonly ipcMain: IpcMain
  readonly dispatch: Dispatch
  /** The window's contents while there is a window. */
  readonly contents: () => WebContents | null
  readonly onDrop: (path: string) => void
}

/**
 * Connects the page's calls to the dispatcher. Only the top frame of the planner's own window is listened to.
 */
export function connectIpc({ ipcMain, dispatch, contents, onDrop }: IpcParts): void {
  /** The one wrapper that every message passes. */
  const fromTrustedPage = <Rest extends unknown[], Result>(
    work: (...rest: Rest) => Result,
    refuse: () => Result,
  ): ((event: IpcOrigin, ...rest: Rest) => Result) => {
    return (event, ...rest) => (isOwnPage(event, contents()) ? work(...rest) : refuse())
  }
  const refused = failed('refused', 'Only the planner’s own page is answered.')
  ipcMain.handle(
    CALL_CHANNEL,
    fromTrustedPage(
      (name: unknown, args: unknown) => dispatch(name, args),
      () => Promise.resolve(refused),
    ),
  )
  ipcMain.on(
    DROP_CHANNEL,
    fromTrustedPage(
      (path: unknown) => {
        if (typeof path === 'string' && path !== '') onDrop(path)
      },
      () => undefined,
    ),
  )
}

/** Passes the host's events on to `contents` until it is gone. */
export function passEvents(events: HostEventSource, contents: WebContents): void {
  const stop = events.listen((event) => {
    if (!contents.isDestroyed()) contents.send(EVENT_CHANNEL, event)
  })
  contents.once('destroyed', stop)
}

function isOwnPage({ sender, senderFrame }: IpcOrigin, contents: WebContents | null): boolean {
  // The frame is null when it navigated away or was closed since.
  if (senderFrame === null || contents === null || sender.id !== contents.id) return false
  return senderFrame.parent === null && isAppUrl(senderFrame.url)
}
