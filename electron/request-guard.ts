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
  /** The value of this run's cookie. */
  readonly cookie: string | undefined
}

/** Who may come in. */
export interface GuardPolicy {
  /**
   * The one `Host` that is answered, such as `127.0.0.1:7321`: a foreign name that resolves here is refused.
   */
  readonly host: string
  /** In the address that the host prints, to be turned into the cookie. */
  readonly entryToken: string
  readonly cookieValue: string
}

export type GuardVerdict =
  | { readonly kind: 'pass' }
  /** The printed address: give the cookie, and lead on to the address without the token. */
  | { readonly kind: 'enter' }
  | { readonly kind: 'refuse'; readonly status: 401 | 403 | 405; readonly message: string }

/** Decides about a request before anything of it is read or looked up. */
export function judgeRequest(request: GuardedRequest, policy: GuardPolicy): GuardVerdict {
  if (request.host !== policy.host) return refuse(403, 'This address is not served here.')
  const isRead = request.method === 'GET' || request.method === 'HEAD'
  if (!isRead && request.method !== 'POST') return refuse(405, 'Only GET and POST are answered.')
  const ownOrigin = `http://${policy.host}`
  // Browsers send an Origin with every POST; one without is no page of ours.
  if (request.origin === undefined ? !isRead : request.origin !== ownOrigin) return refuse(403, FOREIGN)

  const token = isRead ? entryTokenIn(request.url) : null
  if (token !== null) {
    // Wherever the link stood (a terminal, a mail, a page on disk): who has the token was given it.
    return equal(token, policy.entryToken) ? { kind: 'enter' } : refuse(401, OLD_ADDRESS)
  }
  if (!isOwnSite(request.fetchSite, isRead)) return refuse(403, FOREIGN)
  return equal(request.cookie ?? '', policy.cookieValue) ? { kind: 'pass' } : refuse(401, OLD_ADDRESS)
}

function entryTokenIn(url: string): string | null {
  return url.startsWith('/?') ? new URLSearchParams(url.slice(2)).get('token') : null
}

const FOREIGN = 'Only the planner’s own page is answered.'
const OLD_ADDRESS =
  'Open the address that Lab Planner printed when it was started: this one belongs to no running planner.'

/** `none` is a person who typed or opened the address; old browsers and tools do not say. */
function isOwnSite(site: string | undefined, isRead: boolean): boolean {
  return site === undefined || site === 'same-origin' || (site === 'none' && isRead)
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
