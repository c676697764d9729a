/**
 * `npm run soak:watch -- [MINUTES] [NODES] [PORTS] [--every SECONDS]`: watches a lab of so many nodes as the window does, each
 * with a server on the port of every role, and holds what comes against the plan. At the end the memory in use must be
 * what it was after the first third, and the processor's time under one hundredth of the time that went by. The servers are a
 * process of their own. `--every` shortens the ten seconds between two rounds: an hour is then over sooner, and the share of
 * the processor is given as it would be at ten seconds.
 */
import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { createEventHub } from '../../electron/host/events.ts'
import { createLabDesk } from '../../electron/host/lab-session.ts'
import { liveCalls } from '../../electron/host/live/live-calls.ts'
import { openSettings } from '../../electron/host/settings.ts'
import { compareToPlan } from '../../shared/live/expected-roles.ts'
import { countLive } from '../../shared/live/compare-live.ts'
import { observedFromJson, type LiveReport } from '../../shared/live/observed-json.ts'
import { withServersSeen } from '../../shared/live/servers-seen.ts'
import { createLabReader } from '../../shared/lab/read-lab.ts'
import { plan } from '../../shared/plan/planner.ts'
import { PlanMemo } from '../../shared/plan/plan-memo.ts'
import { DEFAULT_SCENARIO } from '../../shared/scenario/scenario.ts'

const SERVERS = '--servers'
const FIRST_PORT = 41_000
const MOST_SHARE = 0.01
const MOST_GROWTH = 1.1
const LEASE_MS = 30_000
const ROUND_SECS = 10

/** A llama-server on each of `ports`, for every address of the loopback network. */
async function serve(ports: number): Promise<void> {
  const answers: Readonly<Record<string, (role: string) => unknown>> = {
    '/v1/models': (role) => ({ data: [{ id: role, owned_by: 'llamacpp', meta: { size: 5_000_000_000 } }] }),
    '/models': (role) => ({ data: [{ id: role, owned_by: 'llamacpp' }] }),
    '/props': (role) => ({ model_path: `/m/${role}.gguf`, default_generation_settings: { n_ctx: 4096 } }),
  }
  for (let i = 0; i < ports; i++) {
    const server = createServer(({ url }, response) => {
      const answer = answers[url ?? '']
      response.writeHead(answer ? 200 : 404).end(JSON.stringify(answer?.(`role-${i}`) ?? {}))
    })
    server.listen(FIRST_PORT + i, '0.0.0.0')
    await once(server, 'listening')
  }
  // Nothing is left behind by a run that was stopped.
  process.on('disconnect', () => process.exit())
  process.send?.('ready')
}

async function writeLab(folder: string, nodes: number, ports: number): Promise<void> {
  const models = join(folder, 'docs/models')
  await mkdir(models, { recursive: true })
  const entries = Array.from({ length: ports }, (_, i) => {
    return `- {id: role-${i}, name: Model-${i}, backend: llamacpp, ram_gb: 5, port: ${FIRST_PORT + i}}\n`
  })
  await writeFile(join(models, 'queue.yaml'), `roster:\n${entries.join('')}`)
  const sites = Array.from({ length: nodes }, (_, i) => {
    const host = `127.0.${1 + Math.floor(i / 250)}.${1 + (i % 250)}`
    return `- {id: node-${i}, url: "http://${host}:${FIRST_PORT}", eligible: true, free_gib: 64}\n`
  })
  await writeFile(join(models, 'fleet.yaml'), `nodes:\n${sites.join('')}`)
}

interface Footprint {
  readonly heap: number
  readonly rss: number
}

function footprint(): Footprint {
  global.gc?.()
  const { heapUsed, rss } = process.memoryUsage()
  return { heap: heapUsed, rss }
}

const mb = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`

async function watch(minutes: number, nodes: number, ports: number, everySecs: number): Promise<boolean> {
  const folder = await mkdtemp(join(tmpdir(), 'lab-planner-watch-'))
  const servers = fork(fileURLToPath(import.meta.url), [SERVERS, '--ports', `${ports}`])
  try {
    await once(servers, 'message')
    await writeLab(folder, nodes, ports)
    return await watchLab(folder, { minutes, nodes, ports, everySecs })
  } finally {
    await ended(servers)
    await rm(folder, { recursive: true, force: true })
  }
}

async function ended(servers: ChildProcess): Promise<void> {
  const exit = once(servers, 'exit')
  servers.kill()
  await exit
}

interface Run {
  readonly minutes: number
  readonly nodes: number
  readonly ports: number
  readonly everySecs: number
}

async function watchLab(folder: string, { minutes, nodes, ports, everySecs }: Run): Promise<boolean> {
  const configDir = join(folder, 'config')
  const settings = await openSettings(configDir, console.error)
  const desk = createLabDesk(
    { home: folder, configDir, bundledSample: folder, startLab: null, settings },
    createEventHub(),
  )
  await desk.openPath(folder)
  const readLab = createLabReader()
  const memo = new PlanMemo()
  let rounds = 0
  let last = ''
  const tell = (report: LiveReport): void => {
    const observed = report.addresses.map(observedFromJson)
    const files = desk.current()?.files()
    if (files === undefined) return
    // As the window has it: the plan that counts with what runs, and every role against it.
    const made = plan(withServersSeen(readLab(files), observed), null, DEFAULT_SCENARIO, memo)
    const { asPlanned, differ } = countLive(compareToPlan(made, observed))
    rounds++
    last = `${report.addresses.length} addresses, ${asPlanned} as planned, ${differ} differ`
  }
  const times = { roundMs: everySecs * 1000, leaseMs: LEASE_MS }
  const calls = liveCalls({ session: desk, tell, env: {}, configDir, times })
  await calls.watchLive({ on: true })
  const renewing = setInterval(() => void calls.watchLive({ on: true }), LEASE_MS / 2)
  const third = (minutes * 60_000) / 3
  const wait = (): Promise<unknown> => new Promise((resolve) => setTimeout(resolve, third))
  await wait()
  const [first, cpu, since, roundsBefore] = [footprint(), process.cpuUsage(), performance.now(), rounds]
  await wait()
  const second = footprint()
  await wait()
  const used = process.cpuUsage(cpu)
  const wall = performance.now() - since
  const end = footprint()
  clearInterval(renewing)
  await calls.close()
  await desk.close()
  const measured = rounds - roundsBefore
  const cpuSecs = (used.user + used.system) / 1e6
  const share = everySecs === ROUND_SECS ? cpuSecs / (wall / 1000) : cpuSecs / (measured * ROUND_SECS)
  console.log(`${nodes} nodes, ${ports} ports, ${minutes} minutes: ${rounds} rounds; the last: ${last}`)
  console.log(
    `heap ${mb(first.heap)}, ${mb(second.heap)}, ${mb(end.heap)}; resident ${mb(first.rss)}, ${mb(second.rss)}, ${mb(end.rss)}`,
  )
  console.log(
    `${((cpuSecs / measured) * 1000).toFixed(0)} ms of the processor a round, ${(share * 100).toFixed(2)} % of one core`,
  )
  return end.heap <= first.heap * MOST_GROWTH && share < MOST_SHARE
}

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { servers: { type: 'boolean' }, ports: { type: 'string' }, every: { type: 'string' } },
})
if (values.servers === true) await serve(Number(values.ports))
else {
  const [minutes = '60', nodes = '200', ports = '1'] = positionals
  const isWell = await watch(
    Number(minutes),
    Number(nodes),
    Number(ports),
    Number(values.every ?? ROUND_SECS),
  )
  console.log(
    isWell ? 'flat, and under 1 % of one core' : 'NOT WELL: memory grows, or the processor is used too much',
  )
  process.exitCode = isWell ? 0 : 1
}
