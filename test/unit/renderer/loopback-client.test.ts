import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLoopbackClient } from '../../../renderer/loopback-client.ts'

/** As much of the browser's event stream as the client uses, driven by the test. */
class Stream extends EventTarget {
  static readonly CLOSED = 2
  static opened: Stream[] = []
  readyState = 0
  readonly url: string

  constructor(url: string) {
    super()
    this.url = url
    Stream.opened.push(this)
  }

  connect(): void {
    this.readyState = 1
    this.dispatchEvent(new Event('open'))
  }

  push(name: string, payload: unknown): void {
    this.dispatchEvent(new MessageEvent(name, { data: JSON.stringify(payload) }))
  }

  /** `reconnecting`: the browser tries again by itself; `closed`: it was refused, and does not. */
  lose(how: 'reconnecting' | 'closed'): void {
    this.readyState = how === 'closed' ? Stream.CLOSED : 0
    this.dispatchEvent(new Event('error'))
  }
}

beforeEach(() => {
  Stream.opened = []
  vi.stubGlobal('EventSource', Stream)
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function answering(answer: () => Response): { readonly url: string; readonly init: RequestInit }[] {
  const asked: { url: string; init: RequestInit }[] = []
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    asked.push({ url, init })
    return Promise.resolve(answer())
  })
  return asked
}

describe('calls', () => {
  test('are posted as JSON, and answered with what the host says', async () => {
    const asked = answering(() => Response.json({ ok: true, value: null }))
    expect(await createLoopbackClient().call.setUnsaved({ unsaved: true })).toEqual({ ok: true, value: null })
    expect(asked[0]?.url).toBe('/api/setUnsaved')
    expect(asked[0]?.init).toMatchObject({ method: 'POST', body: '{"unsaved":true}' })
  })

  test('that are refused give the refusal, whatever its status', async () => {
    const refusal = { ok: false, error: { code: 'refused', message: 'No.' } }
    answering(() => Response.json(refusal, { status: 401 }))
    expect(await createLoopbackClient().call.hostInfo({})).toEqual(refusal)
  })

  test('that get no answer, or none of the host’s, are data and not thrown', async () => {
    const { call } = createLoopbackClient()
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await call.hostInfo({})).toMatchObject({ ok: false, error: { code: 'disconnected' } })
    for (const body of ['<html>', 'null', '{"ok":true}', '{"fine":1}', '"ok"']) {
      answering(() => new Response(body))
      expect(await call.hostInfo({}), body).toMatchObject({ ok: false, error: { code: 'disconnected' } })
    }
  })
})

describe('events', () => {
  test('are heard by all who listen, also those who came later, until they stop', () => {
    const client = createLoopbackClient()
    const heard: string[] = []
    expect(Stream.opened).toEqual([])
    const stop = client.on('menuCommand', (command) => heard.push(`1 ${command}`))
    client.on('menuCommand', (command) => heard.push(`2 ${command}`))
    client.on('settingsChanged', ({ theme }) => heard.push(theme))
    expect(Stream.opened.map(({ url }) => url)).toEqual(['/api/events'])
    const [stream] = Stream.opened
    stream?.push('menuCommand', 'undo')
    stream?.push('settingsChanged', { theme: 'dark' })
    stop()
    stream?.push('menuCommand', 'redo')
    expect(heard).toEqual(['1 undo', '2 undo', 'dark', '2 redo'])
  })

  test('tell once that the line is lost, and once that it is back', () => {
    const told: boolean[] = []
    createLoopbackClient().on('connectionChanged', ({ connected }) => told.push(connected))
    const [stream] = Stream.opened
    stream?.connect()
    expect(told).toEqual([])
    stream?.lose('reconnecting')
    stream?.lose('reconnecting')
    expect(told).toEqual([false])
    stream?.connect()
    expect(told).toEqual([false, true])
    vi.advanceTimersByTime(60_000)
    // The browser reopens what only dropped.
    expect(Stream.opened).toHaveLength(1)
  })

  test('of a refused stream come again from a new one, asked for less and less often', () => {
    const heard: string[] = []
    createLoopbackClient().on('menuCommand', (command) => heard.push(command))
    const waits: number[] = []
    for (let i = 0; i < 7; i++) {
      Stream.opened.at(-1)?.lose('closed')
      const before = Stream.opened.length
      let waited = 0
      while (Stream.opened.length === before) {
        vi.advanceTimersByTime(100)
        waited += 100
      }
      waits.push(waited)
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
    Stream.opened.at(-1)?.connect()
    Stream.opened.at(-1)?.push('menuCommand', 'undo')
    expect(heard).toEqual(['undo'])
    // Once it stood, the waits begin again.
    Stream.opened.at(-1)?.lose('closed')
    vi.advanceTimersByTime(500)
    expect(Stream.opened).toHaveLength(9)
  })
})
