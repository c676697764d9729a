import { createHash, timingSafeEqual } from 'node:crypto'

/** What the guard looks at in a request. */
export interface GuardedRequest {
  readonly method: string
  /** The request target as received, such as `/index.html?x=1`. */
  readonly url: string
  readonly host: string | undefined
  readonly origin: string | undefined
  /** `Sec-Fetch-Site`: what the browser says of where the request comes from. */
  readonly fetchSite: string | undefined
  /** `Sec-Fetch-Dest`: what the browser wants it for. */
  readonly fetchDest: string | undefined
  readonly authorization: string | undefined
}

/** Who may come in. */
export interface GuardPolicy {
  /**
   * The one `Host` that is answered, such as `127.0.0.1:7321`: a foreign name that resolves here is refused.
   */
  readonly host: string
  /**
   * In the fragment of the address that the host prints, which browsers neither send nor log; the page sends it with every
   * call. (A cookie would go to every port of 127.0.0.1.)
   */
  readonly key: string
}

export type GuardVerdict =
  | { readonly kind: 'pass' }
  | { readonly kind: 'refuse'; readonly status: 401 | 403 | 405; readonly message: string }

/**
 * Decides about a request before anything of it is read or looked up. The page's files hold no secret and need no key;
 * calls and events do.
 */
export function judgeRequest(request: GuardedRequest, policy: GuardPolicy): GuardVerdict {
  if (request.host !== policy.host) return refuse(403, 'This address is not served here.')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  const isApi = request.url.startsWith('/api/')
  if (!isRead && (request.method !== 'POST' || !isApi)) return refuse(405, 'Only GET and POST are answered.')
  const ownOrigin = `http://${policy.host}`
  // Browsers send an Origin with every POST; one without is no page of ours.
  if (request.origin === undefined ? !isRead : request.origin !== ownOrigin) return refuse(403, FOREIGN)
  if (!isApi) return isOwnSite(request.fetchSite) || isFollowedLink(request) ? PASS : refuse(403, FOREIGN)
  if (!isOwnSite(request.fetchSite)) return refuse(403, FOREIGN)
  return equal(request.authorization ?? '', `Bearer ${policy.key}`) ? PASS : refuse(401, NO_KEY)
}

const PASS: GuardVerdict = { kind: 'pass' }
const FOREIGN = 'Only the planner’s own page is answered.'
/** Shown by the page, so it says what a person can do. */
const NO_KEY =
  'This page has no key to the planner that runs here. Open the address that Lab Planner printed when it was started: ' +
  'it ends in #key=… and is another one with every start.'

/** `none` is a person who typed or opened the address; old browsers and tools do not say. */
function isOwnSite(site: string | undefined): boolean {
  return site === undefined || site === 'same-origin' || site === 'none'
}

/** The address in a mail, a file or another page, as far as it is opened as a page of its own. */
function isFollowedLink({ fetchDest }: GuardedRequest): boolean {
  return fetchDest === 'document'
}

/** Takes as long for a wrong guess that is nearly right as for any other. */
function equal(given: string, wanted: string): boolean {
  return timingSafeEqual(digest(given), digest(wanted))
}

function digest(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}

function refuse(status: 401 | 403 | 405, message: string): GuardVerdict {
  return { kind: 'refuse', status, message }
}
