import { createParser } from 'eventsource-parser'
import { RUN_HEADER, type ConnectionChange } from '../shared/host-api.ts'
import type { LoopbackKey } from './loopback-key.ts'

/**
 * The first wait before the event stream is opened again, in milliseconds; it doubles up to {@link
 * LAST_WAIT_MS}.
 */
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 8000

export interface StreamListener {
  readonly onEvent: (name: string, data: string) => void
  readonly onConnection: (change: ConnectionChange) => void
}

/** The headers of every request that needs the key. */
export function keyHeaders(key: LoopbackKey): Readonly<Record<string, string>> {
  const current = key.current()
  return current === null ? {} : { authorization: `Bearer ${current}` }
}

/**
 * Follows the events of the host at `/api/events` for as long as the page lives, and opens the stream again whenever it
 * ends: after a wait, or at once when there is a new key. (The browser's own `EventSource` cannot send the key.)
 */
export function followEvents(key: LoopbackKey, listener: StreamListener): void {
  let state: ConnectionChange['state'] = 'connected'
  let run: string | null = null
  let waitMs = FIRST_WAIT_MS
  let wake: () => void = () => undefined
  const change = (now: ConnectionChange['state'], isAnother = false): void => {
    if (now === state && !isAnother) return
    state = now
    listener.onConnection({ state, isAnother })
  }

  const connected = async (response: Response, body: ReadableStream<Uint8Array>): Promise<void> => {
    const before = run
    run = response.headers.get(RUN_HEADER)
    waitMs = FIRST_WAIT_MS
    change('connected', before !== null && before !== run)
    const parser = createParser({ onEvent: ({ event, data }) => listener.onEvent(event ?? '', data) })
    const decoder = new TextDecoder()
    const reader = body.getReader()
    for (;;) {
      const { done, value } = await reader.read()
      if (done) return
      parser.feed(decoder.decode(value, { stream: true }))
    }
  }

  const connect = async (): Promise<void> => {
    try {
      const response = await fetch('/api/events', { headers: keyHeaders(key) })
      if (response.ok && response.body !== null) await connected(response, response.body)
      change(response.status === 401 ? 'refused' : 'away')
    } catch {
      change('away')
    }
  }

  const wait = (): Promise<void> =>
    new Promise((resolve) => {
      const timer = setTimeout(resolve, waitMs)
      waitMs = Math.min(waitMs * 2, LAST_WAIT_MS)
      wake = () => {
        clearTimeout(timer)
        waitMs = FIRST_WAIT_MS
        resolve()
      }
    })

  key.onNew(() => wake())
  const follow = async (): Promise<never> => {
    for (;;) {
      await connect()
      await wait()
    }
  }
  void follow()
}
