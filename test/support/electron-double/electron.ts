import { EventEmitter } from 'node:events'
import { BrowserWindow } from './windows.ts'
import { answerControl } from './control.ts'

/**
 * A small double of the `electron` module: the program under test runs from its built files and cannot tell
 * the difference in what it uses. Windows are pages of a real Chromium.
 */
export { app } from './app.ts'
export { ipcMain } from './ipc.ts'
export { protocol } from './protocol.ts'
export { dialog, Menu, screen, shell } from './system.ts'
export { BrowserWindow }

type Permission = (
  contents: null,
  permission: string,
  done: (allowed: boolean) => void,
  details: object,
) => void

class DoubleSession extends EventEmitter {
  requestHandler: Permission | null = null
  setPermissionRequestHandler(handler: Permission): void {
    this.requestHandler = handler
  }
  setPermissionCheckHandler(): void {
    // Chromium asks its own settings.
  }
  setDevicePermissionHandler(): void {
    // A headless Chromium has no devices.
  }
}

/** What the system's own parts are painted in; there are none here. */
export const nativeTheme = { themeSource: 'system' }

export const session = { defaultSession: new DoubleSession() }

answerControl({
  permission: (name: string, requestingUrl: string) =>
    new Promise((resolve) => {
      const handler = session.defaultSession.requestHandler
      if (handler) handler(null, name, resolve, { requestingUrl })
      else resolve(true)
    }),
})
