import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { request as httpRequest, type IncomingMessage, type OutgoingHttpHeaders } from 'node:http'
import { connect, type Socket } from 'node:net'
import { symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { describe, expect, onTestFinished, test } from 'vitest'
import { startLoopback, type Loopback, type LoopbackLimits } from '../../../electron/loopback.ts'
import { runHost, type RunningHost } from '../../support/running-host.ts'
import { tempFolder, writeTree } from '../../support/temp-folder.ts'

interface Door extends RunningHost {
  readonly server: Loopback
  readonly origin: string
  /** The header that carries the key. */
  readonly authorization: string
  readonly get: (path: string, headers?: OutgoingHttpHeaders) => Promise<Answer>
  readonly call: (name: string, args: unknown, headers?: OutgoingHttpHeaders) => Promise<Answer>
}

interface Answer {
  readonly status: number
  readonly headers: IncomingMessage['headers']
  readonly text: string
}

/** Serves a small page over a real host on a free port, with a browser that was let in. */
async function openDoor(limits: Partial<LoopbackLimits> = {}): Promise<Door> {
  const running = await runHost()
  const site = await tempFolder()
  await writeTree(site, {
    'secret.js': 'SECRET',
    'page/index.html': '<!doctype html>page',
    'page/assets/a.js': 'a',
  })
  await symlink(join(site, 'secret.js'), join(site, 'page/assets/out.js'))
  const server = await startLoopback({ ...running, renderer: join(site, 'page'), port: 0, limits })
  onTestFinished(server.close)
  const origin = `http://127.0.0.1:${server.port}`
  const authorization = `Bearer ${new URL(server.url).hash.slice('#key='.length)}`
  return {
    ...running,
    server,
    origin,
    authorization,
    get: (path, headers = {}) => send(server.port, 'GET', path, { authorization, ...headers }),
    call: (name, args, headers = {}) =>
      send(
        server.port,
        'POST',
        `/api/${name}`,
        { authorization, origin, 'content-type': 'application/json', ...headers },
        typeof args === 'string' ? args : JSON.stringify(args),
      ),
  }
}

/** A request sent as it is: nothing is normalised on the way. An undefined header is left out. */
function send(
  port: number,
  method: string,
  path: string,
  headers: OutgoingHttpHeaders = {},
  body = '',
): Promise<Answer> {
  const sent = Object.fromEntries(Object.entries(headers).filter(([, value]) => value !== undefined))
  return new Promise((resolve, reject) => {
    const request = httpRequest(
      { host: '127.0.0.1', port, method, path, headers: sent, agent: false },
      (response) => {
        let text = ''
        response.on('data', (chunk: Buffer) => (text += chunk.toString()))
        response.on('end', () =>
          resolve({ status: response.statusCode ?? 0, headers: response.headers, text }),
        )
        response.on('error', reject)
      },
    )
    request.on('error', reject)
    request.end(body)
  })
}

/** The host still answers, and nothing it did not foresee has happened. */
async function expectAlive(door: Door): Promise<void> {
  const answer = await door.call('hostInfo', {})
  expect([answer.status, JSON.parse(answer.text)]).toMatchObject([
    200,
    { ok: true, value: { version: '1.2.3' } },
  ])
  expect(door.log).toEqual([])
}

/** A refusal says nothing of the host's paths, code or lab. */
function expectNothingLeaked(door: Door, { text }: Answer): void {
  for (const secret of [door.home, 'node_modules', ' at ', 'SECRET', 'coder-daily', 'FST_']) {
    expect(text).not.toContain(secret)
  }
}

describe('the door of the browser host', () => {
  test('serves the page and its files, which need no key, with the policy', async () => {
    const door = await openDoor()
    const page = await send(door.server.port, 'GET', '/')
    expect([page.status, page.text]).toEqual([200, '<!doctype html>page'])
    expect(page.headers['content-security-policy']).toContain("default-src 'none'; script-src 'self'")
    expect(page.headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    expect(page.headers).not.toHaveProperty('access-control-allow-origin')
    expect(page.headers).not.toHaveProperty('set-cookie')
    const key = door.authorization.slice('Bearer '.length)
    expect(JSON.stringify([page.headers, page.text])).not.toContain(key)
    expect((await door.get('/assets/a.js')).text).toBe('a')
    const head = await send(door.server.port, 'HEAD', '/')
    expect([head.status, head.text]).toEqual([200, ''])
  })

  test('refuses a foreign Host, as when a name was made to lead here', async () => {
    const door = await openDoor()
    for (const host of ['evil.example', `localhost:${door.server.port}`, '127.0.0.1']) {
      for (const answer of [await door.get('/', { host }), await door.call('hostInfo', {}, { host })]) {
        expect(answer.status, host).toBe(403)
        expectNothingLeaked(door, answer)
      }
    }
    await expectAlive(door)
  })

  test('refuses a foreign Origin, a missing one, and what comes from another site', async () => {
    const door = await openDoor()
    const before = door.host.snapshot()
    for (const headers of [
      { origin: 'http://evil.example' },
      { origin: 'null' },
      { origin: undefined },
      { 'sec-fetch-site': 'cross-site' },
    ]) {
      const answer = await door.call('openLab', { by: 'sample' }, headers)
      expect(answer.status, JSON.stringify(headers)).toBe(403)
      expectNothingLeaked(door, answer)
    }
    expect(door.host.snapshot()).toBe(before)
    const preflight = await send(door.server.port, 'OPTIONS', '/api/openLab', {
      origin: 'http://evil.example',
      'access-control-request-method': 'POST',
    })
    expect(preflight.headers).not.toHaveProperty('access-control-allow-origin')
    await expectAlive(door)
  })

  test('refuses no key, a wrong one and one of another run', async () => {
    const [door, other] = [await openDoor(), await openDoor()]
    const key = door.authorization.slice('Bearer '.length)
    const answers = [
      await door.get('/api/events', { authorization: undefined }),
      await door.get('/api/events', { authorization: other.authorization }),
      await door.get(`/api/events?key=${key}`, { authorization: undefined, cookie: `key=${key}` }),
      await door.call('hostInfo', {}, { authorization: undefined }),
      await door.call('hostInfo', {}, { authorization: other.authorization }),
      await door.call('hostInfo', {}, { authorization: `Bearer ${key}x` }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(401)
      expect(JSON.parse(answer.text)).toMatchObject({ ok: false, error: { code: 'refused' } })
      expect(answer.text).toContain('Open the address that Lab Planner printed')
      expectNothingLeaked(door, answer)
    }
    await expectAlive(door)
  })

  test('reaches no file outside the page, and lists nothing', async () => {
    const door = await openDoor()
    const paths = [
      '/../secret.js',
      '/assets/../../secret.js',
      '/%2e%2e/secret.js',
      '/..%2fsecret.js',
      '/..%5Csecret.js',
      '/assets/out.js',
      '/assets',
      '/assets/',
      '/index.html%00',
      '/api/',
      '/api',
    ]
    for (const path of paths) {
      const answer = await door.get(path)
      expect(answer.status, path).toBe(404)
      expectNothingLeaked(door, answer)
    }
    expect((await door.get('/%zz')).status).toBe(400)
    await expectAlive(door)
  })

  test('refuses a body of 100 MB at once, announced or not', async () => {
    const door = await openDoor()
    const head = [
      'POST /api/saveOverlay HTTP/1.1',
      `Host: 127.0.0.1:${door.server.port}`,
      `Origin: ${door.origin}`,
      `Authorization: ${door.authorization}`,
      'Content-Type: application/json\r\n',
    ].join('\r\n')
    const announced = await openSocket(door)
    announced.write(`${head}Content-Length: 104857600\r\n\r\n{`)
    expect(await answerOf(announced)).toContain('HTTP/1.1 413')

    const unannounced = await openSocket(door)
    unannounced.write(`${head}Transfer-Encoding: chunked\r\n\r\n`)
    const chunk = `100000\r\n${'x'.repeat(0x100000)}\r\n`
    const answer = answerOf(unannounced)
    let sent = 0
    // Until the server hangs up: it must not wait for all of it.
    while (!unannounced.destroyed && unannounced.writable && sent < 100) {
      sent++
      if (!unannounced.write(chunk)) await drained(unannounced)
    }
    expect(await answer).toContain('HTTP/1.1 413')
    expect(sent).toBeLessThan(100)
    await expectAlive(door)
  })

  test('refuses malformed JSON, other types, wrong arguments and unknown calls', async () => {
    const door = await openDoor()
    const refusals: [Promise<Answer>, number, string][] = [
      [door.call('openLab', '{"by": '), 400, 'refused'],
      [door.call('openLab', ''), 400, 'refused'],
      [door.call('openLab', '{"__proto__": {"by": "sample"}}'), 400, 'refused'],
      [
        door.call('openLab', 'by=sample', { 'content-type': 'application/x-www-form-urlencoded' }),
        415,
        'refused',
      ],
      [door.call('openLab', '{"by":"sample"}', { 'content-type': 'text/plain' }), 415, 'refused'],
      [door.call('openLab', { by: 'token' }), 400, 'bad_arguments'],
      [door.call('openLab', { by: 'sample', path: '/etc' }), 400, 'bad_arguments'],
      [door.call('openLab', 'null'), 400, 'bad_arguments'],
      [door.call('saveOverlay', { text: 5, baseHash: null }), 400, 'bad_arguments'],
      [door.call('settings', '[]'), 400, 'bad_arguments'],
      [door.call('toString', {}), 404, 'unknown_call'],
      [door.call('__proto__', {}), 404, 'unknown_call'],
      [door.call('nothing', {}), 404, 'unknown_call'],
    ]
    for (const [asked, status, code] of refusals) {
      const answer = await asked
      expect([answer.status, JSON.parse(answer.text)]).toMatchObject([status, { ok: false, error: { code } }])
      expectNothingLeaked(door, answer)
    }
    await expectAlive(door)
  })

  test('stays alive under 500 slow connections, and ends them', async () => {
    const door = await openDoor({ headersMs: 1500, requestMs: 3000 })
    const slow = await Promise.all(Array.from({ length: 500 }, () => openSocket(door)))
    for (const socket of slow)
      socket.write(`GET / HTTP/1.1\r\nHost: 127.0.0.1:${door.server.port}\r\nX-Slow: `)
    await expectAlive(door)
    const answers = await Promise.all(slow.map(answerOf))
    expect(answers.filter((answer) => answer.startsWith('HTTP/1.1 408'))).toHaveLength(500)
    await expectAlive(door)
  })

  test('lets the owner in while 2,100 connections that show no key are held open', async () => {
    const door = await openDoor({ headersMs: 60_000, requestMs: 60_000 })
    const owner = await openSocket(door)
    const ask = `GET /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:${door.server.port}\r\nAuthorization: ${door.authorization}\r\n\r\n`
    owner.write(ask)
    let heard = ''
    owner.on('data', (chunk: Buffer) => (heard += chunk.toString()))
    await expect.poll(() => heard.split('HTTP/1.1 404').length).toBe(2)
    const idle: Socket[] = []
    for (let i = 0; i < 2100; i++) idle.push(await openSocket(door))
    // Neither who comes now nor who was there with the key is kept out.
    await expectAlive(door)
    owner.write(ask)
    await expect.poll(() => heard.split('HTTP/1.1 404').length).toBe(3)
    await expect
      .poll(() => idle.filter(({ destroyed, readableEnded }) => !destroyed && !readableEnded).length)
      .toBeLessThan(600)
    for (const socket of idle) socket.destroy()
  })

  test('lets in who shows the key 100 ms after coming, while a program opens connections without end', async () => {
    const door = await openDoor()
    const flood = spawn(process.execPath, ['-e', FLOOD, String(door.server.port)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    onTestFinished(() => void flood.kill('SIGKILL'))
    // By then far more have come than are kept.
    await once(flood.stdout, 'data')
    const answers = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        await pause(i * 25)
        const owner = await openSocket(door)
        await pause(100)
        owner.write(
          `GET /api/nothing HTTP/1.1\r\nHost: 127.0.0.1:${door.server.port}\r\n` +
            `Authorization: ${door.authorization}\r\nConnection: close\r\n\r\n`,
        )
        return (await answerOf(owner)).slice(0, 12)
      }),
    )
    expect(answers).toEqual(answers.map(() => 'HTTP/1.1 404'))
    expect(flood.exitCode).toBeNull()
  })

  test('counts no requests without the key against the owner', async () => {
    const door = await openDoor({ requestsPerSecond: 5 })
    const pages = await Promise.all(Array.from({ length: 50 }, () => send(door.server.port, 'GET', '/')))
    const calls = await Promise.all(
      Array.from({ length: 50 }, () => door.call('hostInfo', {}, { authorization: undefined })),
    )
    expect(new Set(pages.map(({ status }) => status))).toEqual(new Set([200]))
    expect(new Set(calls.map(({ status }) => status))).toEqual(new Set([401]))
    await expectAlive(door)
  })

  test('asks for patience when a page runs wild, and answers again after it', async () => {
    const door = await openDoor({ requestsPerSecond: 5 })
    const answers = await Promise.all(Array.from({ length: 100 }, () => door.call('hostInfo', {})))
    const statuses = new Set(answers.map(({ status }) => status))
    expect(statuses).toEqual(new Set([200, 429]))
    const refused = answers.find(({ status }) => status === 429)
    expect(JSON.parse(refused?.text ?? '')).toMatchObject({ ok: false, error: { code: 'refused' } })
    await expect.poll(async () => (await door.call('hostInfo', {})).status, { timeout: 5000 }).toBe(200)
  })

  test('streams events, begins with the open lab, and ends its streams when it closes', async () => {
    const door = await openDoor()
    await door.call('openLab', { by: 'default' })
    const socket = await openSocket(door)
    socket.write(
      `GET /api/events HTTP/1.1\r\nHost: 127.0.0.1:${door.server.port}\r\nAuthorization: ${door.authorization}\r\n\r\n`,
    )
    let text = ''
    socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
    await expect.poll(() => text).toContain('event: labChanged\ndata: {"revision":1,')
    expect(text).toMatch(/\r\nlab-planner-run: [\w-]{36}\r\n/)
    await door.call('changeSettings', { theme: 'dark' })
    await expect.poll(() => text).toContain('event: settingsChanged\ndata: {"theme":"dark"')
    const ended = once(socket, 'close')
    await door.server.close()
    await ended
  })

  test('gives its port free when it closes, and cannot be had twice', async () => {
    const door = await openDoor()
    const again = () => startLoopback({ ...door, renderer: '/nowhere', port: door.server.port })
    await expect(again()).rejects.toMatchObject({ code: 'EADDRINUSE' })
    await door.server.close()
    const second = await again()
    expect(second.port).toBe(door.server.port)
    expect(second.url).not.toBe(door.server.url)
    await second.close()
  })

  test('is not reachable by any other address of the machine', async () => {
    const door = await openDoor()
    const socket = connect(door.server.port, '::1')
    const [error] = (await once(socket, 'error')) as [NodeJS.ErrnoException]
    expect(['ECONNREFUSED', 'EADDRNOTAVAIL']).toContain(error.code)
  })
})

/** Opens connections as fast as it can, as long as it lives; says so once 5,000 were made. */
const FLOOD = `
  const { connect } = require('node:net')
  let made = 0
  const open = () => {
    const socket = connect(Number(process.argv[1]), '127.0.0.1')
    socket.on('connect', () => { if (++made === 5000) console.log('made'); setImmediate(open) })
    socket.on('error', () => setImmediate(open))
    socket.resume()
  }
  for (let i = 0; i < 256; i++) open()
`

async function openSocket(door: Door): Promise<Socket> {
  const socket = connect(door.server.port, '127.0.0.1')
  socket.on('error', () => undefined)
  await once(socket, 'connect')
  return socket
}

/** Waits until more can be written, or nothing ever will. */
function drained(socket: Socket): Promise<void> {
  return new Promise((resolve) => {
    for (const event of ['drain', 'error', 'close']) socket.once(event, resolve)
  })
}

/** Everything the server says until it hangs up. */
function answerOf(socket: Socket): Promise<string> {
  let text = ''
  socket.on('data', (chunk: Buffer) => (text += chunk.toString()))
  return new Promise((resolve) => socket.once('close', () => resolve(text)))
}
