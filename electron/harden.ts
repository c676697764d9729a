import type { App, Session, Shell } from 'electron'
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

/** Keeps every page of the program where it is: no navigation, no new windows, no embedded pages. */
export function hardenContents(app: App, shell: Pick<Shell, 'openExternal'>): void {
  app.on('web-contents-created', (_event, contents) => {
    contents.on('will-attach-webview', (event) => event.preventDefault())
    contents.on('will-frame-navigate', (event) => {
      event.preventDefault()
      if (event.isMainFrame) openOutside(event.url, shell)
    })
    contents.on('will-redirect', (event) => event.preventDefault())
    contents.setWindowOpenHandler(({ url }) => {
      openOutside(url, shell)
      return { action: 'deny' }
    })
  })
}

/** Opens a link in the person's browser if it is one that can do no more than show a page. */
function openOutside(url: string, shell: Pick<Shell, 'openExternal'>): void {
  const safe = safeExternalUrl(url)
  if (safe !== null) void shell.openExternal(safe).catch(() => undefined)
}

/** The address to hand to the system, or null for one that is not plain https. */
export function safeExternalUrl(url: string): string | null {
  const parsed = URL.canParse(url) ? new URL(url) : null
  if (parsed?.protocol !== 'https:' || parsed.hostname === '') return null
  // A name before the host is there to make one address look like another.
  return parsed.username === '' && parsed.password === '' ? parsed.href : null
}
