import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { createLoopbackClient } from '../../../renderer/loopback-client.ts'

/** A key that the test hands out. */
function testKey(first: string | null = 'first') {
  let key = first
  const listeners: (() => void)[] = []
  return {
    current: () => key,
    onNew: (listener: () => void) => void listeners.push(listener),
    give: (next: string) => {
      key = next
      for (const listener of listeners) listener()
    },
  }
}

/** An event stream that the client asked for. */
interface Stream {
  readonly init: RequestInit
  readonly answer: (response: Response) => void
  readonly fail: () => void
  /** Answers with a stream of `run`. */
  readonly connect: (run?: string) => void
  readonly push: (name: string, payload: unknown) => void
  readonly end: () => void
}

let streams: Stream[] = []

/** Answers every request for events by the test's hand. */
function serveStreams(): void {
  vi.stubGlobal('fetch', (url: string, init: RequestInit) => {
    expect(url).toBe('/api/events')
    return new Promise<Response>((resolve, reject) => {
      let controller: ReadableStreamDefaultController<Uint8Array> | null = null
      const body = new ReadableStream<Uint8Array>({ start: (own) => void (controller = own) })
      streams.push({
        init,
        answer: resolve,
        fail: () => reject(new TypeError('Failed to fetch')),
        connect: (run = 'run-1') => resolve(new Response(body, { headers: { 'lab-planner-run': run } })),
        push: (name, payload) =>
          controller?.enqueue(
            new TextEncoder().encode(`event: ${name}\ndata: ${JSON.stringify(payload)}\n\n`),
          ),
        end: () => controller?.close(),
      })
    })
  })
}

beforeEach(() => {
  streams = []
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** Lets everything that was answered be handled. */
const settle = () => vi.advanceTimersByTimeAsync(0)

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
    expect(await createLoopbackClient(testKey()).call.setUnsaved({ unsaved: true })).toEqual({
      ok: true,
      value: null,
    })
    expect(asked[0]?.url).toBe('/api/setUnsaved')
    expect(asked[0]?.init).toMatchObject({
      method: 'POST',
      body: '{"unsaved":true}',
      headers: { authorization: 'Bearer first' },
    })
  })

  test('that are refused give the refusal, whatever its status', async () => {
    const refusal = { ok: false, error: { code: 'refused', message: 'No.' } }
    answering(() => Response.json(refusal, { status: 401 }))
    expect(await createLoopbackClient(testKey()).call.hostInfo({})).toEqual(refusal)
  })

  test('that get no answer, or none of the host’s, are data and not thrown', async () => {
    const { call } = createLoopbackClient(testKey())
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    expect(await call.hostInfo({})).toMatchObject({ ok: false, error: { code: 'disconnected' } })
    for (const body of ['<html>', 'null', '{"ok":true}', '{"fine":1}', '"ok"']) {
      answering(() => new Response(body))
      expect(await call.hostInfo({}), body).toMatchObject({ ok: false, error: { code: 'disconnected' } })
    }
  })
})

describe('events', () => {
  test('are heard by all who listen, also those who came later, until they stop', async () => {
    serveStreams()
    const client = createLoopbackClient(testKey())
    const heard: string[] = []
    expect(streams).toEqual([])
    const stop = client.on('menuCommand', (command) => heard.push(`1 ${command}`))
    client.on('menuCommand', (command) => heard.push(`2 ${command}`))
    client.on('settingsChanged', ({ theme }) => heard.push(theme))
    expect(streams.map(({ init }) => init.headers)).toEqual([{ authorization: 'Bearer first' }])
    const [stream] = streams
    stream?.connect()
    stream?.push('menuCommand', 'undo')
    stream?.push('nothing anyone listens to', 'x')
    stream?.push('settingsChanged', { theme: 'dark' })
    await settle()
    stop()
    stream?.push('menuCommand', 'redo')
    await settle()
    expect(heard).toEqual(['1 undo', '2 undo', 'dark', '2 redo'])
  })

  test('say once that the host is away, and once that it is back, the same or another run', async () => {
    serveStreams()
    const seen: unknown[] = []
    createLoopbackClient(testKey()).on('connectionChanged', (change) => seen.push(change))
    streams[0]?.connect()
    await settle()
    expect(seen).toEqual([])
    streams[0]?.end()
    await vi.advanceTimersByTimeAsync(500)
    streams[1]?.fail()
    await vi.advanceTimersByTimeAsync(1000)
    expect(seen.splice(0)).toEqual([{ state: 'away', isAnother: false }])
    streams[2]?.connect()
    await settle()
    expect(seen.splice(0)).toEqual([{ state: 'connected', isAnother: false }])
    streams[2]?.end()
    await vi.advanceTimersByTimeAsync(500)
    streams[3]?.connect('run-2')
    await settle()
    expect(seen).toEqual([
      { state: 'away', isAnother: false },
      { state: 'connected', isAnother: true },
    ])
  })

  test('are asked for less and less often while the host is away', async () => {
    serveStreams()
    createLoopbackClient(testKey()).on('menuCommand', () => undefined)
    const waits: number[] = []
    for (let i = 0; i < 7; i++) {
      streams.at(-1)?.fail()
      await settle()
      const before = streams.length
      let waited = 0
      while (streams.length === before) {
        await vi.advanceTimersByTimeAsync(100)
        waited += 100
      }
      waits.push(waited)
    }
    expect(waits).toEqual([500, 1000, 2000, 4000, 8000, 8000, 8000])
    // Once it stood, the waits begin again.
    streams.at(-1)?.connect()
    await settle()
    streams.at(-1)?.end()
    await vi.advanceTimersByTimeAsync(500)
    expect(streams).toHaveLength(9)
  })

  test('are refused to a page of an earlier run, and come at once with a new key', async () => {
    serveStreams()
    const key = testKey('old')
    const seen: unknown[] = []
    createLoopbackClient(key).on('connectionChanged', (change) => seen.push(change))
    streams[0]?.answer(new Response('', { status: 401 }))
    await settle()
    expect(seen.splice(0)).toEqual([{ state: 'refused', isAnother: false }])
    key.give('new')
    await settle()
    expect(streams[1]?.init.headers).toEqual({ authorization: 'Bearer new' })
    streams[1]?.connect()
    await settle()
    expect(seen).toEqual([{ state: 'connected', isAnother: false }])
  })
})
