import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { gatherLab, type GatherOptions } from '../../../../../electron/host/gather/gather-lab.ts'
import { measureLink } from '../../../../../electron/host/gather/measure-links.ts'
import { labMachines, type MachineState } from '../../../../../shared/gather/machines.ts'
import { readNodeFacts } from '../../../../../shared/node/read-node-facts.ts'
import type { NodeFacts } from '../../../../../shared/node/types.ts'
import { runTerminal } from '../../../../support/run-terminal.ts'
import { openLabAt } from '../../../../support/scan-lab.ts'
import { missingTools } from '../../../../support/ssh-nodes.ts'
import {
  BANNER,
  DIES,
  FISH,
  GATHER_TOOLS,
  HANGS,
  startSshMachines,
  type SshMachines,
} from '../../../../support/ssh-machines.ts'
import { tempFolder, writeTree } from '../../../../support/temp-folder.ts'
import { gguf } from '../../../../support/weight-files.ts'

const missing = missingTools(GATHER_TOOLS)
const MODEL = gguf({ fill: 'w' })
const NOW = 1_790_000_000

const KINDS = {
  planner: { node: true, planner: true },
  noded: { node: true },
  fishy: { node: true, loginShell: FISH },
  greeter: { node: true, loginShell: BANNER },
  bare: { node: false },
  hung: { node: true, loginShell: HANGS },
  locked: { node: true, refusesKey: true },
  strange: { node: true, unknownHost: true },
  dying: { node: true, loginShell: DIES },
} as const

describe.skipIf(missing.length > 0)('gathering over real OpenSSH servers', { timeout: 180_000 }, () => {
  let machines: SshMachines
  beforeAll(async () => {
    machines = await startSshMachines(KINDS)
    for (const name of Object.keys(KINDS)) {
      await writeTree(machines.home(name), { 'models/Alpha-8B.gguf': MODEL, 'models/notes.txt': 'x' })
    }
  }, 60_000)
  afterAll(() => machines.stop())

  async function labOf(names: readonly string[], more: Readonly<Record<string, string>> = {}) {
    const folder = await tempFolder()
    const fleet = names.map(
      (name) => `  - {id: ${name}, ssh: ${name}, root: ${join(machines.home(name), 'models')}}\n`,
    )
    await writeTree(folder, { 'docs/models/fleet.yaml': `nodes:\n${fleet.join('')}`, ...more })
    return folder
  }

  async function gather(folder: string, changes: Partial<GatherOptions> = {}) {
    const lab = await openLabAt(folder)
    const list = labMachines(lab.lab)
    const seen = new Map<string, MachineState['kind'][]>()
    const states = await gatherLab({
      lab,
      machines: list,
      env: machines.env,
      agent: () => readFile('dist/agent/agent.cjs', 'utf8'),
      nowSecs: () => NOW,
      signal: new AbortController().signal,
      onState: (nodeId, { kind }) => void seen.set(nodeId, [...(seen.get(nodeId) ?? []), kind]),
      times: { ready: 15_000, silence: 60_000 },
      ...changes,
    })
    return { states: new Map(list.map(({ nodeId }, i) => [nodeId, states[i]])), seen }
  }

  async function factsOf(folder: string, nodeId: string): Promise<NodeFacts> {
    const file = join(folder, 'docs/models/nodes', `${nodeId}.json`)
    const read = readNodeFacts(await readFile(file, 'utf8'), file)
    if (!read.ok) throw new Error('no facts')
    return read.value
  }

  test('five machines side by side give facts and holdings, whatever their shell, and keep nothing but hashes', async () => {
    const names = ['planner', 'noded', 'fishy', 'greeter', 'bare'] as const
    const folder = await labOf(names)
    const { states } = await gather(folder)
    expect(
      [...states.values()].map((state) => [state?.kind, state?.kind === 'gathered' && state.by]),
    ).toEqual([
      ['gathered', 'sh'],
      ['gathered', 'node'],
      ['gathered', 'node'],
      ['gathered', 'node'],
      ['gathered', 'lab-planner'],
    ])
    const lab = await openLabAt(folder)
    const [manifest] = lab.lab.manifests
    expect(lab.lab.manifests.map(({ body }) => body.name)).toEqual(['Alpha-8B'])
    // What it takes in memory comes with it.
    expect([...lab.lab.shapes.keys()]).toEqual([manifest?.packageId])
    for (const name of names) {
      const facts = await factsOf(folder, name)
      expect(facts).toMatchObject({ nodeId: name, issuedAt: NOW })
      expect(facts.capabilities.some(({ id }) => id === 'mem.system')).toBe(true)
      expect(facts.capabilities.some(({ id }) => id === 'store.tier.internal')).toBe(true)
      const held = facts.capabilities.filter(({ id }) => id === 'model.present')
      const whole = held.some(({ attrs }) => {
        return [attrs.get('shards')].flat().includes(`model:${manifest?.packageId ?? ''}`)
      })
      expect(whole, name).toBe(name !== 'bare')
      const left = (await machines.filesAt(name)).filter((file) => !file.startsWith('models'))
      expect(left, name).toEqual(name === 'bare' ? [] : ['.config/lab-planner/scan.json'])
    }
    const bare = states.get('bare')
    expect(bare?.kind === 'gathered' && bare.notes.join()).toMatch(
      /neither Lab Planner nor Node.*ssh -t bare/,
    )
  })

  test('a second gathering reads no weights again, and facts come after each other', async () => {
    const folder = await labOf(['noded'])
    await gather(folder)
    const first = await factsOf(folder, 'noded')
    const bytes: string[] = []
    await gather(folder, {
      onState: (_id, state) => {
        if (state.kind === 'working') bytes.push(state.progress.totalBytes)
      },
    })
    expect(bytes.length).toBeGreaterThan(0)
    expect(new Set(bytes)).toEqual(new Set(['0']))
    expect((await factsOf(folder, 'noded')).seq).toBe(first.seq + 1)
  })

  test('machines that do not answer keep their old facts, and say why in ssh’s words', async () => {
    const names = ['hung', 'locked', 'strange', 'dying', 'noded', 'nowhere.invalid']
    const folder = await labOf(names)
    const old = `{"version":1,"node_id":"locked","issued_at":1,"ttl_secs":1,"seq":7,"capabilities":[],"notes":[]}`
    await writeTree(folder, { 'docs/models/nodes/locked.json': old })
    const { states } = await gather(folder, { times: { ready: 4000, silence: 60_000 } })
    const reason = (name: string): string => {
      const state = states.get(name)
      return state?.kind === 'failed' ? state.reason : `${name} is ${state?.kind ?? 'away'}`
    }
    expect(reason('hung')).toMatch(/did not start within 4 s/)
    expect(reason('locked')).toMatch(/Permission denied \(publickey/)
    expect(reason('strange')).toMatch(/Host key verification failed.*connect to it once by hand/)
    expect(reason('dying')).toMatch(/ended before the answer was whole \(exit code 3\)/)
    expect(reason('nowhere.invalid')).toMatch(/Could not resolve hostname/)
    expect(states.get('noded')?.kind).toBe('gathered')
    expect(await readFile(join(folder, 'docs/models/nodes/locked.json'), 'utf8')).toBe(old)
    const known = await readFile(join(machines.folder, 'etc/known_hosts'), 'utf8')
    expect(known.trim().split('\n')).toHaveLength(Object.keys(KINDS).length - 1)
  })

  test('one machine is stopped alone, and all at once', async () => {
    const folder = await labOf(['hung', 'noded'])
    const one = new AbortController()
    const { states } = await gather(folder, {
      signalOf: (nodeId) => (nodeId === 'hung' ? one.signal : new AbortController().signal),
      onState: (nodeId, { kind }) => {
        if (nodeId === 'noded' && kind === 'gathered') one.abort()
      },
      times: { ready: 60_000, silence: 60_000 },
    })
    expect(states.get('hung')).toEqual({ kind: 'stopped' })
    expect(states.get('noded')?.kind).toBe('gathered')
    const all = new AbortController()
    const stopped = await gather(folder, {
      signal: all.signal,
      onState: (nodeId, { kind }) => {
        if (nodeId === 'hung' && kind === 'connecting') all.abort()
      },
    })
    expect([...stopped.states.values()].map((state) => state?.kind)).toEqual(['stopped', 'stopped'])
  })

  test('the link between two machines is measured by the one reading from the other, and not where they do not reach each other', async () => {
    const { lab } = await openLabAt(await labOf(['noded', 'fishy', 'locked']))
    const options = { env: machines.env, signal: new AbortController().signal, bytes: 3_000_000 }
    const between = (from: string, to: string) => measureLink({ from, to }, labMachines(lab), options)
    expect((await between('noded', 'fishy')).mbps).toBeGreaterThan(0)
    expect((await between('fishy', 'noded')).mbps).toBeGreaterThan(0)
    const closed = await between('locked', 'noded')
    expect(closed).toMatchObject({ mbps: null })
    expect(closed.reason).toContain('Permission denied')
  })

  test('the terminal adds hosts to the fleet, gathers them, and measures their links where that is asked for', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'docs/models/fleet.yaml': '# my machines\n' })
    const scanLab = (...more: readonly string[]) =>
      runTerminal(['scan', 'lab', '--lab', folder, ...more], { ...machines.env, LC_ALL: 'C' })
    const none = await scanLab()
    expect(none).toMatchObject({ code: 3, out: '' })
    expect(none.err).toContain('no node of')
    const first = await scanLab(
      '--add',
      'noded',
      '--add',
      'fishy',
      '--add',
      'hung',
      'noded',
      'fishy',
      '--measure-links',
    )
    expect(first.err).toContain('measuring links: 2 transfers, 128.0 MB in all')
    expect(first.out).toMatch(/noded {2}\d+ whole models?, by Node there/)
    expect(first.out).toContain('2 machines: 2 gathered.')
    expect(first.code).toBe(0)
    const fleet = await readFile(join(folder, 'docs/models/fleet.yaml'), 'utf8')
    expect(fleet).toMatch(
      /^# my machines\nnodes:\n {2}- id: noded\n {4}ssh: noded\n {4}link_mbps: \d+\n {2}- id: fishy\n {4}ssh: fishy\n {4}link_mbps: \d+\n {2}- id: hung\n {4}ssh: hung\n$/,
    )
    const json = await scanLab('noded', '--json')
    expect(JSON.parse(json.out)).toMatchObject({
      machines: [{ node: 'noded', state: 'gathered', by: 'node' }],
    })
    expect((await scanLab('nothing')).err).toContain('nothing is no node that')
  })

  test('of 200 names most do not resolve, and those that do are gathered', async () => {
    const away = Array.from({ length: 197 }, (_, i) => `away-${i}.invalid`)
    const folder = await labOf([...away, 'noded', 'fishy', 'planner'])
    const { states } = await gather(folder)
    const kinds = [...states.values()].map((state) => state?.kind)
    expect(kinds.filter((kind) => kind === 'failed')).toHaveLength(197)
    expect(kinds.filter((kind) => kind === 'gathered')).toHaveLength(3)
  })
})
