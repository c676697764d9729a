import { readdir, readFile, writeFile } from 'node:fs/promises'
import { createServer, Socket, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { expect, onTestFinished, test, vi } from 'vitest'
import { LIVE_PATHS } from '../../../../../shared/live/ask-server.ts'
import type { LiveReport } from '../../../../../shared/live/observed-json.ts'
import { runHost } from '../../../../support/running-host.ts'

const KEY = 'sk-key-of-the-operator'
const COMMAND = 'sk-in-a-command'
const PROMPT = 'a prompt of the operator'

/** What each path answers: everything that some server answers there, with all that must not be kept. */
const secret = { prompt: PROMPT, cmd: `llama-server --api-key ${COMMAND}`, chat_template: PROMPT }
const listed = {
  id: 'hermes',
  status: { value: 'loaded', args: ['--api-key', COMMAND], preset: COMMAND },
  ...secret,
}
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/v1/models': { data: [listed], ...secret },
  '/running': { running: [{ model: 'hermes', state: 'ready', ...secret }], ...secret },
  '/props': {
    model_path: '/m/hermes.gguf',
    default_generation_settings: { n_ctx: 4096, ...secret },
    ...secret,
  },
  '/slots': [secret],
}

/** A server that keeps every byte that reaches it. */
async function recorder(): Promise<{ port: number; received: () => string }> {
  let received = ''
  const server = createServer((socket) => {
    socket.on('error', () => undefined)
    socket.on('data', (bytes: Buffer) => {
      received += bytes.toString('latin1')
      const path = /^GET (\S+) /.exec(bytes.toString('latin1'))?.[1] ?? ''
      const body = JSON.stringify(ANSWERS[path] ?? { error: secret })
      const status = path in ANSWERS ? '200 OK' : '404 Not Found'
      socket.end(
        `HTTP/1.1 ${status}\r\ncontent-length: ${Buffer.byteLength(body)}\r\nconnection: close\r\n\r\n${body}`,
      )
    })
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return { port: (server.address() as AddressInfo).port, received: () => received }
}

/** Every place that this process connects to from now on, as `host:port`. */
function connections(): () => readonly string[] {
  const spy = vi.spyOn(Socket.prototype, 'connect')
  onTestFinished(() => spy.mockRestore())
  return () =>
    spy.mock.calls.map((args: readonly unknown[]) => {
      const [first] = Array.isArray(args[0]) ? (args[0] as unknown[]) : args
      const { host, port } = first as { host?: string; port?: number }
      return `${host ?? ''}:${port ?? ''}`
    })
}

async function textsBelow(folder: string): Promise<string> {
  const files = await readdir(folder, { recursive: true, withFileTypes: true })
  const texts = files
    .filter((file) => file.isFile())
    .map((file) => readFile(join(file.parentPath, file.name), 'latin1'))
  return (await Promise.all(texts)).join('\n')
}

test('only the listed GETs go out, only while watching, and no key, command or prompt is kept anywhere', async () => {
  vi.stubEnv('LAB_KEY', KEY)
  onTestFinished(() => void vi.unstubAllEnvs())
  const printed = [vi.spyOn(process.stdout, 'write'), vi.spyOn(process.stderr, 'write')]
  onTestFinished(() => printed.forEach((spy) => spy.mockRestore()))
  const { port, received } = await recorder()
  const { host, dispatch, home, log } = await runHost()
  const models = join(home, 'llm/docs/models')
  await writeFile(
    join(models, 'queue.yaml'),
    `roster:\n- {id: hermes, name: Hermes-4.3-36B, ram_gb: 27.5, backend: llama.cpp, port: ${port}}\n`,
  )
  await writeFile(
    join(models, 'fleet.yaml'),
    `nodes: [{id: gpu-box, url: "http://127.0.0.1:${port}", key_env: LAB_KEY}, {id: mac-studio}]\n`,
  )
  const places = connections()
  const told: string[] = []
  const reports: LiveReport[] = []
  onTestFinished(
    host.events.listen((event) => {
      told.push(JSON.stringify(event))
      if (event.name === 'liveObserved') reports.push(event.payload)
    }),
  )

  // Off: a lab is opened, read again and exported, and nothing is asked.
  const opened = await dispatch('openLab', { by: 'default' })
  expect(opened.ok).toBe(true)
  await dispatch('reload', {})
  expect(await dispatch('watchLive', { on: false })).toMatchObject({ ok: true })
  expect([places(), received()]).toEqual([[], ''])

  // On: a round of a server that is none of the known kinds (all paths are asked), and its history.
  expect(await dispatch('watchLive', { on: true })).toMatchObject({ ok: true, value: { addresses: 1 } })
  await vi.waitFor(() => expect(reports).toHaveLength(1), 20_000)
  const states = [{ role: 'hermes', state: 'as_planned' }]
  const history = await dispatch('liveHistory', { states })
  expect(history).toMatchObject({ ok: true, value: [{ role: 'hermes', state: 'as_planned' }] })
  expect(reports[0]?.addresses[0]?.observation).toMatchObject({ kind: 'server', server: 'llama-swap' })

  // Off again.
  await dispatch('watchLive', { on: false })
  const [connected, bytes] = [places().length, received()]
  await host.close()
  expect([places().length, received()]).toEqual([connected, bytes])

  expect(new Set(places())).toEqual(new Set([`127.0.0.1:${port}`]))
  const requests = bytes.split('\r\n\r\n').filter((request) => request !== '')
  expect(requests.length).toBe(connected)
  for (const request of requests) {
    const [line = '', ...heads] = request.split('\r\n')
    const [method, path, version] = line.split(' ')
    expect([method, version]).toEqual(['GET', 'HTTP/1.1'])
    expect(LIVE_PATHS).toContain(path)
    const names = heads.map((head) => head.split(':')[0]?.toLowerCase())
    expect(names.toSorted()).toEqual(['accept', 'authorization', 'connection', 'host'])
  }
  const kept = [
    await textsBelow(home),
    JSON.stringify(log),
    told.join('\n'),
    JSON.stringify([opened, history]),
    ...printed.flatMap(({ mock }) => mock.calls.map(([text]) => String(text))),
  ].join('\n')
  expect(kept).toContain('as_planned')
  for (const word of [KEY, COMMAND, PROMPT]) expect(kept).not.toContain(word)
})
