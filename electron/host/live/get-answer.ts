import { request as httpRequest } from 'node:http'
import { request as httpsRequest } from 'node:https'
import type { PathAnswer } from '../../../shared/live/types.ts'
import { errorCode } from '../system-error.ts'
import type { ResolvedHost } from './resolve-host.ts'

export interface AskLimits {
  readonly connectMs: number
  /** From the request to the last byte of the answer. */
  readonly wholeMs: number
  readonly bytes: number
}

export const ASK_LIMITS: AskLimits = { connectMs: 1000, wholeMs: 3000, bytes: 1024 * 1024 }

export interface AskOptions {
  readonly resolved: Extract<ResolvedHost, { readonly ok: true }>
  /** Sent as a bearer token, to this address only; null sends none. */
  readonly key: string | null
  readonly limits: AskLimits
  readonly signal: AbortSignal
}

/** What came back for one path, before anybody reads it. */
export type RawAnswer =
  | { readonly kind: 'bytes'; readonly status: number; readonly bytes: Buffer }
  | Exclude<PathAnswer, { readonly kind: 'json' }>

const STOPPED: RawAnswer = { kind: 'failed', reason: 'asking was stopped' }

/**
 * One GET, at the address that was resolved before. It never throws, follows no redirect, and gives up at each limit.
 */
export function getAnswer(url: URL, options: AskOptions): Promise<RawAnswer> {
  const { resolved, key, limits, signal } = options
  const isTls = url.protocol === 'https:'
  if (signal.aborted) return Promise.resolve(STOPPED)
  return new Promise((resolve) => {
    const hostName = url.hostname.replace(/^\[(.*)\]$/, '$1')
    const request = (isTls ? httpsRequest : httpRequest)({
      host: resolved.address,
      family: resolved.family,
      port: url.port === '' ? (isTls ? 443 : 80) : Number(url.port),
      path: url.pathname,
      method: 'GET',
      agent: false,
      headers: {
        host: url.host,
        accept: 'application/json',
        connection: 'close',
        ...(key === null ? {} : { authorization: `Bearer ${key}` }),
      },
      // The certificate is checked for the name that was written, not for the address it led to.
      ...(isTls && hostName !== resolved.address ? { servername: hostName } : {}),
    })
    const end = (answer: RawAnswer): void => {
      clearTimeout(connecting)
      clearTimeout(whole)
      signal.removeEventListener('abort', stopped)
      request.destroy()
      resolve(answer)
    }
    const stopped = (): void => end(STOPPED)
    signal.addEventListener('abort', stopped)
    const failed = (reason: string): void => end({ kind: 'failed', reason })
    const connecting = setTimeout(
      () => failed(`no connection within ${limits.connectMs / 1000} s`),
      limits.connectMs,
    )
    const whole = setTimeout(
      () => failed(`no whole answer within ${limits.wholeMs / 1000} s`),
      limits.wholeMs,
    )
    request.on('socket', (socket) => {
      socket.once(isTls ? 'secureConnect' : 'connect', () => clearTimeout(connecting))
    })
    request.on('error', (error) => end(failure(error)))
    request.on('response', (response) => {
      const status = response.statusCode ?? 0
      if (status >= 300 && status < 400) {
        end({ kind: 'other', status })
        return
      }
      const chunks: Buffer[] = []
      let size = 0
      response.on('data', (chunk: Buffer) => {
        size += chunk.length
        if (size > limits.bytes) failed(`the answer is longer than ${limits.bytes} bytes`)
        else chunks.push(chunk)
      })
      response.on('error', (error) => end(failure(error)))
      response.on('aborted', () => failed('the answer broke off'))
      response.on('end', () => end({ kind: 'bytes', status, bytes: Buffer.concat(chunks) }))
    })
    request.end()
  })
}

/** An answer as JSON, whatever its type says; `other` where it is none. */
export function parsedAnswer(answer: RawAnswer): PathAnswer {
  if (answer.kind !== 'bytes') return answer
  const { status, bytes } = answer
  try {
    return { kind: 'json', status, body: JSON.parse(bytes.toString('utf8')) as unknown }
  } catch {
    return { kind: 'other', status }
  }
}

function failure(error: unknown): RawAnswer {
  const code = errorCode(error)
  if (code === 'ECONNREFUSED') return { kind: 'closed' }
  const reasons: Readonly<Record<string, string>> = {
    EHOSTUNREACH: 'the machine cannot be reached',
    ENETUNREACH: 'its network cannot be reached',
    EHOSTDOWN: 'the machine is down',
    ECONNRESET: 'the connection was cut',
    ETIMEDOUT: 'no connection in time',
    EPROTO: 'it does not speak TLS',
    HPE_INVALID_CONSTANT: 'it does not speak HTTP',
  }
  const known = code === null ? undefined : reasons[code]
  if (known !== undefined) return { kind: 'failed', reason: known }
  const isCertificate = code !== null && /CERT|SIGNATURE|ALTNAME/.test(code)
  return {
    kind: 'failed',
    reason: isCertificate
      ? `its certificate is not trusted (${code})`
      : `the connection failed${code === null ? '' : ` (${code})`}`,
  }
}
