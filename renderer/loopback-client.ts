import type { HostApi, HostClient, HostError, HostEventName, HostResult } from '../shared/host-api.ts'

/**
 * The first wait before the event stream is opened again, in milliseconds; it doubles up to {@link
 * LAST_WAIT_MS}.
 */
const FIRST_WAIT_MS = 500
const LAST_WAIT_MS = 8000

const GONE: HostError = {
  code: 'disconnected',
  message: 'Lab Planner is not answering. If it was stopped, start it again and open the address it prints.',
}

type Listener = (payload: unknown) => void

/**
 * The client of a page that `lab-planner serve` served: calls are `POST /api/CALL`, events come as a stream
 * from `GET /api/events`, which is opened with the first listener and opened again for as long as the page
 * lives. A host that cannot be reached is an error like any other (`disconnected`); a call never throws.
 */
export function createLoopbackClient(): HostClient {
  const events = createEventStream()
  const call = new Proxy({} as HostApi, {
    get: (_, name) => (typeof name === 'string' ? (args: unknown) => post(name, args) : undefined),
  })
  return {
    call,
    on: (name, listener) => events.listen(name, listener as Listener),
  }
}

async function post(name: string, args: unknown): Promise<HostResult<unknown>> {
  try {
    const response = await fetch(`/api/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(args),
    })
    const answer: unknown = await response.json()
    return isHostResult(answer) ? answer : { ok: false, error: GONE }
  } catch {
    return { ok: false, error: GONE }
  }
}

function isHostResult(answer: unknown): answer is HostResult<unknown> {
  if (typeof answer !== 'object' || answer === null || !('ok' in answer)) return false
  return answer.ok === true ? 'value' in answer : 'error' in answer
}

interface EventStream {
  readonly listen: (name: HostEventName, listener: Listener) => () => void
}

function createEventStream(): EventStream {
  const listeners = new Map<HostEventName, Set<Listener>>()
  let source: EventSource | null = null
  let connected = true
  let waitMs = FIRST_WAIT_MS

  const tell = (name: HostEventName, payload: unknown) => {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(payload)
  }
  const setConnected = (now: boolean) => {
    if (now === connected) return
    connected = now
    tell('connectionChanged', { connected })
  }
  const hear = (stream: EventSource, name: HostEventName) => {
    stream.addEventListener(name, (event: MessageEvent<string>) => tell(name, JSON.parse(event.data)))
  }
  const open = () => {
    const stream = new EventSource('/api/events')
    source = stream
    stream.addEventListener('open', () => {
      waitMs = FIRST_WAIT_MS
      setConnected(true)
    })
    stream.addEventListener('error', () => {
      setConnected(false)
      // A dropped stream is reopened by the browser; one that was refused is closed for good and ours to
      // reopen.
      if (stream.readyState !== EventSource.CLOSED) return
      setTimeout(open, waitMs)
      waitMs = Math.min(waitMs * 2, LAST_WAIT_MS)
    })
    for (const name of listeners.keys()) hear(stream, name)
  }

  return {
    listen: (name, listener) => {
      const known = listeners.get(name)
      const all = known ?? new Set<Listener>()
      all.add(listener)
      if (!known) {
        listeners.set(name, all)
        if (source) hear(source, name)
      }
      if (!source) open()
      return () => void all.delete(listener)
    },
  }
}
