import type { CustomScheme, Protocol } from 'electron'
import { readRendererFile } from './renderer-files.ts'
import { PAGE_HEADERS } from './security-headers.ts'

const SCHEME = 'app'
const APP_HOST = 'lab-planner'

/** The page's address. */
export const APP_URL = `${SCHEME}://${APP_HOST}/`

/**
 * To be registered before Electron is ready: the page has an origin of its own, as a page from the web has.
 */
export const APP_SCHEME: CustomScheme = {
  scheme: SCHEME,
  privileges: { standard: true, secure: true, supportFetchAPI: true },
}

/** Whether `url` is a page of the planner's own. */
export function isAppUrl(url: string): boolean {
  if (!URL.canParse(url)) return false
  const { protocol, host } = new URL(url)
  return protocol === `${SCHEME}:` && host === APP_HOST
}

/** Serves the built page, and nothing else, under the planner's own scheme. */
export function serveAppScheme(protocol: Protocol, renderer: string): void {
  protocol.handle(SCHEME, async ({ method, url }) => {
    const parsed = isAppUrl(url) ? new URL(url) : null
    if (parsed === null || (method !== 'GET' && method !== 'HEAD')) return nothing(403)
    const file = await readRendererFile(renderer, parsed.pathname)
    if (file === null) return nothing(404)
    return new Response(new Uint8Array(file.body), {
      headers: { ...PAGE_HEADERS, 'content-type': file.contentType },
    })
  })
}

function nothing(status: number): Response {
  return new Response(null, { status, headers: { ...PAGE_HEADERS } })
}
