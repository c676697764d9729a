import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createServer as createTcpServer, type Socket } from 'node:net'
import { ASK_LIMITS } from '../../../../../electron/host/live/get-answer.ts'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  observeAll,
  type ObserveOptions,
  type WatchMemory,
} from '../../../../../electron/host/live/observe.ts'
import { LIVE_PATHS } from '../../../../../shared/live/ask-server.ts'
import type { Observation } from '../../../../../shared/live/types.ts'

// Generous but where a test waits for them: a busy machine is no slow server.
const LIMITS = { connectMs: 20_000, wholeMs: 20_000, bytes: 64 * 1024 }
const IMPATIENT = { ...LIMITS, wholeMs: 300 }

async function listening(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => {
    server.closeAllConnections()
    server.close()
  })
  return (server.address() as AddressInfo).port
}

const serve = (answer: RequestListener): Promise<number> => listening(createServer(answer))

async function look(
  port: number,
  options: Partial<ObserveOptions> = {},
  host = '127.0.0.1',
): Promise<Observation> {
  const [seen] = await observeAll([{ nodeId: 'n', url: `http://${host}:${port}`, port, keyEnv: 'LAB_KEY' }], {
    signal: new AbortController().signal,
    env: {},
    limits: LIMITS,
    ...options,
  })
  if (seen === undefined) throw new Error('nothing was observed')
  return seen.observation
}

const vllm = JSON.stringify({ data: [{ id: 'm', owned_by: 'vllm' }] })

describe('asking a server', () => {
  test('asks only by GET, only listed paths, and sends the key only there', async () => {
    const requests: { method: string | undefined; url: string | undefined; key: string | undefined }[] = []
    const port = await serve(({ method, url, headers }, response) => {
      requests.push({ method, url, key: headers.authorization })
      response.writeHead(404, { 'content-type': 'application/json' }).end('{}')
    })
    expect(await look(port, { env: { LAB_KEY: 'sk-1', OTHER: 'sk-2' } })).toEqual({ kind: 'unknown' })
    expect(requests.length).toBeGreaterThan(3)
    for (const { method, url, key } of requests) {
      expect(method).toBe('GET')
      expect(LIVE_PATHS).toContain(url)
      expect(key).toBe('Bearer sk-1')
    }
  })

  test('sends no key where its variable is not set', async () => {
    const keys: unknown[] = []
    const port = await serve((request, response) => {
      keys.push(request.headers.authorization)
      response.end(vllm)
    })
    await look(port)
    expect(new Set(keys)).toEqual(new Set([undefined]))
  })

  test('follows no redirect', async () => {
    const reached: string[] = []
    const target = await serve(({ url }, response) => {
      reached.push(url ?? '')
      response.end('{}')
    })
    const port = await serve((_, response) => {
      response.writeHead(302, { location: `http://127.0.0.1:${target}/latest/meta-data` }).end()
    })
    expect(await look(port)).toEqual({ kind: 'unknown' })
    expect(reached).toEqual([])
  })

  test.each<[string, RequestListener, RegExp]>([
    [
      'a byte at a time',
      (_, response) => {
        response.writeHead(200)
        const timer = setInterval(() => response.write('{'), 20)
        response.on('close', () => clearInterval(timer))
      },
      /no whole answer/,
    ],
    ['never', () => undefined, /no whole answer/],
    [
      'without an end',
      (_, response) => {
        response.writeHead(200)
        const more = (): void => {
          while (!response.destroyed && response.write('x'.repeat(16_384)));
          if (!response.destroyed) response.once('drain', more)
        }
        more()
      },
      /longer than/,
    ],
    [
      'half an answer',
      (_, response) => {
        response.writeHead(200, { 'content-length': '100' })
        response.write('{"data"')
        setImmediate(() => response.destroy())
      },
      /broke off|cut/,
    ],
  ])('gives up on a server that answers %s', async (_, answer, reason) => {
    const limits = String(reason).includes('whole') ? IMPATIENT : LIMITS
    const seen = await look(await serve(answer), { limits })
    expect(seen.kind).toBe('no_answer')
    expect(seen.kind === 'no_answer' ? seen.reason : '').toMatch(reason)
  })

  test('gives up on 10 MB of sound JSON, and takes no more of it than the limit', async () => {
    let sent = 0
    const body = JSON.stringify({ data: [{ id: 'm', owned_by: 'vllm', junk: 'x'.repeat(10_000_000) }] })
    const port = await serve((_, response) => {
      let at = 0
      const more = (): void => {
        while (at < body.length) {
          const piece = body.slice(at, (at += 16_384))
          sent += piece.length
          if (!response.write(piece)) {
            response.once('drain', more)
            return
          }
        }
        response.end()
      }
      more()
    })
    expect(await look(port, { limits: { ...LIMITS, bytes: ASK_LIMITS.bytes } })).toEqual({
      kind: 'no_answer',
      reason: 'the answer is longer than 1048576 bytes',
    })
    expect(sent).toBeLessThan(body.length)
  })

  test('follows no redirect to a metadata address, and looks up no name for it', async () => {
    const names: string[] = []
    const lookup = (name: string) => {
      names.push(name)
      return Promise.resolve([{ address: '127.0.0.1', family: 4 }])
    }
    const port = await serve((_, response) => {
      response.writeHead(307, { location: 'http://169.254.169.254/latest/meta-data/' }).end()
    })
    expect(await look(port, { lookup }, 'gpu-box.test')).toEqual({ kind: 'unknown' })
    expect(names).toEqual(['gpu-box.test'])
  })

  test('gets through 500 addresses that take a connection and never answer, and holds none of them', async () => {
    const open = new Set<Socket>()
    let most = 0
    const warnings: string[] = []
    const warned = ({ message }: Error): void => void warnings.push(message)
    process.on('warning', warned)
    onTestFinished(() => void process.off('warning', warned))
    const server = createTcpServer((socket) => {
      open.add(socket)
      most = Math.max(most, open.size)
      socket.on('error', () => undefined)
      socket.on('close', () => open.delete(socket))
      socket.resume()
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    const addresses = Array.from({ length: 500 }, (_, i) => {
      // Half of them wait for a handshake of TLS that never comes.
      const scheme = i % 2 === 0 ? 'http' : 'https'
      return { nodeId: `n${i}`, url: `${scheme}://127.0.0.1:${port}`, port, keyEnv: null }
    })
    const seen = await observeAll(addresses, {
      signal: new AbortController().signal,
      env: {},
      limits: { ...LIMITS, connectMs: 25, wholeMs: 25 },
    })
    expect(seen.map(({ observation }) => observation.kind)).toEqual(Array(500).fill('no_answer'))
    await new Promise((resolve) => server.close(resolve))
    await vi.waitFor(() => expect(open.size).toBe(0), 10_000)
    expect(warnings).toEqual([])
    expect(most).toBeLessThanOrEqual(16)
  })

  test('asks one path of a server that it knows, and everything when that answers anything else', async () => {
    const asked: string[] = []
    let id = 'hermes'
    const port = await serve(({ url = '' }, response) => {
      asked.push(url)
      const list = { data: [{ id, owned_by: 'llamacpp' }] }
      const answers: Record<string, unknown> = {
        '/v1/models': list,
        '/models': list,
        '/props': { model_alias: id },
      }
      response.end(JSON.stringify(answers[url]))
    })
    const memory: WatchMemory = new Map()
    const rounds = async (count: number) => {
      asked.length = 0
      let seen: Observation = { kind: 'unknown' }
      for (let i = 0; i < count; i++) seen = await look(port, { memory })
      return { seen, asked: [...asked] }
    }
    const whole = ['/v1/models', '/models', '/props']
    const first = await rounds(1)
    expect(first.asked).toEqual(whole)
    expect(await rounds(3)).toEqual({ seen: first.seen, asked: ['/props', '/props', '/props'] })
    id = 'qwen'
    const changed = await rounds(1)
    expect(changed.asked).toEqual(['/props', '/v1/models', '/models'])
    expect(changed.seen).toMatchObject({ models: [{ id: 'qwen' }] })
    // Everything again from time to time, all the same.
    expect((await rounds(30)).asked).toEqual([...Array<string>(29).fill('/props'), ...whole])
  })

  test('takes a page for an answer that it does not understand, whatever its type says', async () => {
    const port = await serve((_, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('<html>')
    })
    expect(await look(port)).toEqual({ kind: 'unknown' })
  })

  test('distinguishes a closed port from a server that does not speak HTTP', async () => {
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.end('SSH-2.0-x\r\n', () => socket.destroy())
    })
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
    const { port } = server.address() as AddressInfo
    expect(await look(port)).toMatchObject({ kind: 'no_answer' })
    await new Promise((resolve) => server.close(resolve))
    expect(await look(port)).toEqual({ kind: 'closed' })
  })

  test('resolves a name once and asks that address, whatever the name says later', async () => {
    let lookups = 0
    const port = await serve((_, response) => void response.end(vllm))
    const lookup = () => {
      lookups++
      return Promise.resolve([{ address: lookups === 1 ? '127.0.0.1' : '169.254.169.254', family: 4 }])
    }
    expect(await look(port, { lookup }, 'gpu-box.test')).toMatchObject({ kind: 'server', server: 'vLLM' })
    expect(lookups).toBe(1)
  })

  test.each([
    '169.254.169.254',
    '169.254.1.2',
    '0.0.0.0',
    'fe80::1',
    'fd00:ec2::254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '224.0.0.1',
  ])('does not ask a name that leads to %s', async (address) => {
    const lookup = () => Promise.resolve([{ address, family: address.includes(':') ? 6 : 4 }])
    const seen = await look(9, { lookup }, 'innocent.test')
    expect(seen).toMatchObject({ kind: 'no_answer' })
    expect(seen.kind === 'no_answer' ? seen.reason : '').toContain('link-local or a metadata address')
  })

  test('looks a name up once for all its ports, and waits for no resolver that hangs', async () => {
    const names: string[] = []
    const lookup = (name: string) => {
      names.push(name)
      return new Promise<never>(() => undefined)
    }
    const addresses = [8080, 8081, 8082].map((port) => {
      return { nodeId: 'n', url: `http://gpu-box.test:${port}`, port, keyEnv: null }
    })
    const options = { signal: new AbortController().signal, env: {}, lookup }
    const seen = await observeAll(addresses, { ...options, limits: { ...LIMITS, connectMs: 50 } })
    expect(names).toEqual(['gpu-box.test'])
    for (const { observation } of seen) {
      expect(observation).toEqual({
        kind: 'no_answer',
        reason: 'the name gpu-box.test cannot be resolved',
      })
    }
  })

  test('asks at most eight at once, and all of a hundred', async () => {
    let now = 0
    let most = 0
    const port = await serve((_, response) => {
      most = Math.max(most, ++now)
      setImmediate(() => {
        now--
        response.end(vllm)
      })
    })
    const addresses = Array.from({ length: 100 }, (_, i) => {
      return { nodeId: `n${i}`, url: `http://127.0.0.1:${port}`, port, keyEnv: null }
    })
    const seen = await observeAll(addresses, {
      signal: new AbortController().signal,
      env: {},
      limits: LIMITS,
    })
    expect(seen).toHaveLength(100)
    expect(most).toBeLessThanOrEqual(8)
  })

  test('stops at once when it is called off', async () => {
    const controller = new AbortController()
    const port = await serve(() => controller.abort())
    expect(await look(port, { signal: controller.signal })).toEqual({
      kind: 'no_answer',
      reason: 'asking was stopped',
    })
  })
})
