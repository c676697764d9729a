/**
 * Chromium knows no schemes but its own: what the program serves as `app://HOST/` is shown as
 * `https://HOST.app.test/`.
 */
const STAND_IN = '.app.test'

type Handler = (request: Request) => Response | Promise<Response>

const handlers = new Map<string, Handler>()
const registered = new Set<string>()

/** The part of Electron's `protocol` that the planner uses. */
export const protocol = {
  registerSchemesAsPrivileged: (schemes: readonly { readonly scheme: string }[]): void => {
    for (const { scheme } of schemes) registered.add(scheme)
  },
  handle: (scheme: string, handler: Handler): void => {
    if (!registered.has(scheme)) throw new Error(`The scheme ${scheme} was not registered as privileged.`)
    handlers.set(scheme, handler)
  },
}

/** The address that stands for `url` in the browser. */
export function standInUrl(url: string): string {
  const { protocol: scheme, host, pathname, search } = new URL(url)
  return scheme === 'app:' ? `https://${host}${STAND_IN}${pathname}${search}` : url
}

/** The address that `url` stands for. */
export function realUrl(url: string): string {
  if (!URL.canParse(url)) return url
  const { host, pathname, search } = new URL(url)
  return host.endsWith(STAND_IN) ? `app://${host.slice(0, -STAND_IN.length)}${pathname}${search}` : url
}

/** What the program answers to a request of its own scheme; null for any other. */
export async function answerRequest(url: string, method: string): Promise<Response | null> {
  const real = realUrl(url)
  const handler = handlers.get(new URL(real).protocol.slice(0, -1))
  return handler ? handler(new Request(real, { method })) : null
}
