import type { HostApi, HostClient, HostError, HostEventName, HostResult } from '../shared/host-api.ts'
import { browserKey, type LoopbackKey } from './loopback-key.ts'
import { followEvents, keyHeaders } from './loopback-stream.ts'

const GONE: HostError = {
  code: 'disconnected',
  message: 'Lab Planner is not answering. If it was stopped, start it again and open the address it prints.',
}

type Listener = (payload: unknown) => void

/**
 * The client of a page that `lab-planner serve` served: calls are `POST /api/CALL`, events come as a stream
 * from `GET /api/events`, which is opened with the first listener and opened again for as long as the page
 * lives; both carry the key. A host that cannot be reached is an error like any other (`disconnected`); a call never
 * throws.
 */
export function createLoopbackClient(key: LoopbackKey = browserKey()): HostClient {
  const call = new Proxy({} as HostApi, {
    get: (_, name) => (typeof name === 'string' ? (args: unknown) => post(key, name, args) : undefined),
  })
  return { call, on: createEvents(key) }
}

async function post(key: LoopbackKey, name: string, args: unknown): Promise<HostResult<unknown>> {
  try {
    const response = await fetch(`/api/${encodeURIComponent(name)}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...keyHeaders(key) },
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

function createEvents(key: LoopbackKey): HostClient['on'] {
  const listeners = new Map<string, Set<Listener>>()
  let isFollowing = false
  const tell = (name: string, payload: unknown): void => {
    for (const listener of [...(listeners.get(name) ?? [])]) listener(payload)
  }
  return (name: HostEventName, listener) => {
    const all = listeners.get(name) ?? new Set<Listener>()
    listeners.set(name, all.add(listener as Listener))
    if (!isFollowing) {
      isFollowing = true
      followEvents(key, {
        onEvent: (event, data) => {
          if (listeners.has(event)) tell(event, JSON.parse(data))
        },
        onConnection: (change) => tell('connectionChanged', change),
      })
    }
    return () => void all.delete(listener as Listener)
  }
}
