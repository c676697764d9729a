import type { App, Session } from 'electron'
import { isAppUrl } from './app-scheme.ts'

/** Denies the page everything that a planner has no use for. */
export function hardenSession(session: Session): void {
  // Copying the plan is the one thing that asks; reading the clipboard is not among it.
  const isAllowed = (permission: string, url: string): boolean =>
    permission === 'clipboard-sanitized-write' && isAppUrl(url)
  session.setPermissionRequestHandler((_contents, permission, done, { requestingUrl }) =>
    done(isAllowed(permission, requestingUrl)),
  )
  session.setPermissionCheckHandler((_contents, permission, origin) => isAllowed(permission, origin))
  session.setDevicePermissionHandler(() => false)
  session.on('will-download', (event) => event.preventDefault())
}

/**
 * Keeps every page of the program where it is: no navigation, no new windows, no embedded pages. Nothing is
 * handed to the system's browser either: the program has no links to pages elsewhere, so such an address is of
 * a page's own making.
 */
export function hardenContents(app: App): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.on('will-frame-navigate', (event) => event.preventDefault())
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.setWindowOpenHandler(() => ({ action: 'deny' }))
  })
}
