/**
 * Watches a real `llama-server`: everything else of watching is proved against servers made for it, this against llama.cpp's
 * own. Exits with 3 where it cannot be had.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { observeAll } from '../../electron/host/live/observe.ts'
import type { Observation } from '../../shared/live/types.ts'
import { KINDS } from '../llama/kinds.ts'
import { freePort } from '../support/free-port.ts'
import { bodyJson, envelopeJson, hash } from '../support/manifests.ts'
import { runTerminal } from '../support/run-terminal.ts'
import { llamaServer, type FetchedServer } from './fetched-server.ts'

const NOT_TO_BE_HAD = 3
const READY_MS = 60_000
const CONTEXT = 4096
const KEY = 'sk-of-the-test'

let failures = 0

function check(what: string, is: unknown, wanted: unknown): void {
  const same = JSON.stringify(is) === JSON.stringify(wanted)
  if (!same) failures++
  console.log(
    same ? `same    ${what}` : `DIFFER  ${what}: ${JSON.stringify(is)}, not ${JSON.stringify(wanted)}`,
  )
}

/** What is seen at `port`, in the words that matter here. */
async function seenAt(port: number, key?: string) {
  const address = { nodeId: 'box', url: `http://127.0.0.1:${port}`, port, keyEnv: 'LAB_KEY' }
  const [seen] = await observeAll([address], {
    signal: new AbortController().signal,
    env: key === undefined ? {} : { LAB_KEY: key },
  })
  return summary(seen?.observation ?? { kind: 'unknown' })
}

function summary(observation: Observation) {
  if (observation.kind !== 'server') return { kind: observation.kind }
  const { server, models } = observation
  return {
    server,
    models: models.map(({ id, state, file, contextTokens, bytes }) => ({
      id,
      state,
      file: file?.split('/').at(-1) ?? null,
      contextTokens,
      hasSize: bytes !== null && bytes > 0n,
    })),
  }
}

/** Runs the server for as long as `use` takes. */
async function withServer(
  { program, args, env }: Extract<FetchedServer, { ok: true }>,
  own: readonly string[],
  use: (port: number) => Promise<void>,
  ready = 'listening on http',
): Promise<void> {
  const port = await freePort()
  const server = spawn(program, [...args, '--host', '127.0.0.1', '--port', `${port}`, '--no-webui', ...own], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  try {
    await said(server, ready)
    await use(port)
  } finally {
    const ended = once(server, 'exit')
    if (server.exitCode === null && server.kill('SIGKILL')) await ended
  }
  check('its port is closed afterwards', await seenAt(port), { kind: 'closed' })
}

/** Waits until the server's log says `words`. */
function said(server: ChildProcess, words: string): Promise<void> {
  return new Promise((resolve, reject) => {
    let log = ''
    const fail = (why: string): void => reject(new Error(`llama-server ${why}:\n${log.slice(-2000)}`))
    const timer = setTimeout(() => fail('did not start in time'), READY_MS)
    server.on('exit', () => fail('ended'))
    server.stderr?.on('data', (chunk: Buffer) => {
      log += chunk.toString()
      if (!log.includes(words)) return
      clearTimeout(timer)
      resolve()
    })
  })
}

/** What `lab-planner status` says of a lab whose one role should run at `port`, with `context`. */
async function statusOf(folder: string, port: number, context: number) {
  const models = join(folder, 'lab/docs/models')
  mkdirSync(join(models, 'manifests'), { recursive: true })
  const shards = [{ path: 'hermes.gguf', size: 5, blake3: hash('1') }]
  const body = bodyJson({ name: 'Hermes', format: 'gguf', shards, source: null })
  writeFileSync(join(models, 'manifests/hermes.json'), JSON.stringify(envelopeJson(body)))
  writeFileSync(
    join(models, 'queue.yaml'),
    `roster: [{id: hermes, name: Hermes, backend: llamacpp, ram_gb: 1, port: ${port}}]\n`,
  )
  writeFileSync(
    join(models, 'fleet.yaml'),
    `nodes: [{id: box, url: "http://127.0.0.1:${port}", eligible: true, free_gib: 8, models: {Hermes: complete}}]\n`,
  )
  writeFileSync(
    join(folder, 'scenario.json'),
    JSON.stringify({ schema: 'lab-planner.scenario.v1', role_context: { hermes: context } }),
  )
  const args = ['status', '--json', '--lab', join(folder, 'lab'), '--scenario', join(folder, 'scenario.json')]
  const { code, out, err } = await runTerminal(args, process.env)
  const [role] = (JSON.parse(out || '{"roles":[]}') as { roles: { state: string; node: string | null }[] })
    .roles
  return { code, state: role?.state, node: role?.node, err }
}

async function main(): Promise<number> {
  const server = llamaServer()
  if (!server.ok) {
    console.log(`NOT WATCHED ON A REAL llama-server: ${server.reason}.`)
    return NOT_TO_BE_HAD
  }
  const folder = mkdtempSync(join(tmpdir(), 'lab-planner-live-'))
  try {
    const models = join(folder, 'models')
    mkdirSync(models)
    const file = join(models, 'hermes.gguf')
    writeFileSync(file, KINDS[0]?.file() ?? '')
    const loaded = {
      id: 'hermes',
      state: 'loaded',
      file: 'hermes.gguf',
      contextTokens: CONTEXT,
      hasSize: true,
    }
    const own = ['-m', file, '--alias', 'hermes', '-c', `${CONTEXT}`]

    await withServer(server, own, async (port) => {
      check('a server with its model', await seenAt(port), { server: 'llama-server', models: [loaded] })
    })
    await withServer(server, [...own, '--api-key', KEY], async (port) => {
      check('a server that wants a key', await seenAt(port), { kind: 'needs_key' })
      check('the same with a wrong key', await seenAt(port, 'sk-wrong'), { kind: 'needs_key' })
      check('the same with its key', await seenAt(port, KEY), { server: 'llama-server', models: [loaded] })
    })
    const asleep = { ...loaded, state: 'sleeping' }
    await withServer(
      server,
      [...own, '--sleep-idle-seconds', '1'],
      async (port) => {
        check('a server that sleeps', await seenAt(port), { server: 'llama-server', models: [asleep] })
        check('the same asked again: asking did not wake it', await seenAt(port), {
          server: 'llama-server',
          models: [asleep],
        })
      },
      'entering sleeping state',
    )
    await withServer(server, ['--models-dir', models], async (port) => {
      const unloaded = { id: 'hermes', state: 'unloaded', file: null, contextTokens: null, hasSize: false }
      const router = { server: 'llama-server router', models: [unloaded] }
      check('a router', await seenAt(port), router)
      check('the same asked again: asking loaded nothing', await seenAt(port), router)
    })
    await withServer(server, own, async (port) => {
      check('status of a lab as planned', await statusOf(folder, port, CONTEXT), {
        code: 0,
        state: 'as_planned',
        node: 'box',
        err: '',
      })
      check('status of a lab with another context', await statusOf(folder, port, 8192), {
        code: 1,
        state: 'other_context',
        node: 'box',
        err: '',
      })
    })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
  console.log(
    failures === 0 ? 'A real llama-server is understood.' : `${failures} answers are not understood.`,
  )
  return failures === 0 ? 0 : 1
}

process.exitCode = await main()
