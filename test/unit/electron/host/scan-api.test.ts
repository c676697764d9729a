import { appendFile, readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test } from 'vitest'
import { createScanApi, type ScanApi, type ScanMachine } from '../../../../electron/host/scan-api.ts'
import type { LabSource } from '../../../../electron/host/lab-source.ts'
import { labPathsByConvention } from '../../../../electron/host/paths.ts'
import { realVolumes } from '../../../../electron/host/scan/volumes.ts'
import type { HostResult } from '../../../../shared/host-api.ts'
import type { ScanReport } from '../../../../shared/scan/scan-report.ts'
import { BARE_MACHINE, scanFolders, type ScanFolders } from '../../../support/scan-lab.ts'
import { writeModels } from '../../../support/model-trees.ts'

const ROSTER = 'roster: [{id: r, name: Coder, repo: org/A, backend: mlx_lm, ram_gb: 1}]'

interface Page {
  readonly api: ScanApi
  readonly folders: ScanFolders
  readonly told: ScanReport[]
  /** The last report of the scan that runs. */
  readonly ended: () => Promise<ScanReport>
}

async function page(
  changes: { source?: LabSource | null; machine?: Partial<ScanMachine> } = {},
): Promise<Page> {
  const folders = await scanFolders(ROSTER)
  await writeModels(folders.models, { 'org/A/a.gguf': 'aaaa', 'org/B/b.gguf': 'bb', 'org/C/c.bin': 'x' })
  const paths = labPathsByConvention(folders.lab, {}, { cwd: '/', home: '/nowhere' })
  const told: ScanReport[] = []
  let wake: ((report: ScanReport) => void) | null = null
  const api = createScanApi({
    home: '/nowhere',
    configDir: folders.config,
    hashWorker: null,
    lab: () =>
      changes.source === undefined
        ? { paths, origin: 'picked', readOnly: null, recent: null }
        : changes.source,
    folderOf: (token) => (token === 'models' ? folders.models : null),
    tell: (report) => {
      told.push(report)
      if (report.state === 'ended') wake?.(report)
    },
    machine: {
      hostName: 'Studio.local',
      usualPlaces: () => Promise.resolve({ places: [{ path: folders.models, shown: '~/models' }], away: [] }),
      probe: () => Promise.resolve(BARE_MACHINE),
      volumes: realVolumes(),
      nowSecs: () => 1000,
      ...changes.machine,
    },
  })
  onTestFinished(() => api.close())
  const ended = () =>
    new Promise<ScanReport>((resolve) => {
      const last = told.find(({ state }) => state === 'ended')
      if (last) resolve(last)
      else wake = resolve
    })
  return { api, folders, told, ended }
}

function value<T>(result: HostResult<T>): T {
  if (!result.ok) throw new Error(result.error.message)
  return result.value
}

async function findIds({ api }: Page): Promise<readonly string[]> {
  return value(await api.findModels({ places: ['models'], usual: false })).models.map(({ id }) => id)
}

describe('finding models for the page', () => {
  test('reports what they are, which role they serve, and what cannot be scanned', async () => {
    const { api } = await page()
    const { models, refused } = value(await api.findModels({ places: ['models'], usual: true }))
    expect(
      models.map(({ name, roles, format, shards, bytes, known }) => [
        name,
        roles,
        format,
        shards,
        bytes,
        known,
      ]),
    ).toEqual([
      ['Coder', ['r'], 'gguf', 1, '28', false],
      ['b', [], 'gguf', 1, '26', false],
    ])
    expect(refused[0]?.reason).toContain('PyTorch')
  })

  test('takes tokens that stand for folders, and no paths', async () => {
    const { api, folders } = await page()
    expect(await api.findModels({ places: [folders.models], usual: false })).toMatchObject({
      ok: false,
      error: { code: 'unknown_token' },
    })
  })

  test('needs an open lab', async () => {
    const { api } = await page({ source: null })
    expect(await api.findModels({ places: [], usual: true })).toMatchObject({ error: { code: 'no_lab' } })
    expect(await api.startScan({ models: [], redistributable: false, node: true })).toMatchObject({
      error: { code: 'no_lab' },
    })
  })
})

describe('a scan for the page', () => {
  test('writes the chosen models and this machine’s facts, telling how far it is', async () => {
    const scanning = await page()
    const { api, folders, told } = scanning
    const [first] = await findIds(scanning)
    const { scan } = value(await api.startScan({ models: [first ?? ''], redistributable: false, node: true }))
    const last = await scanning.ended()
    expect(last).toMatchObject({
      scan,
      doneBytes: '28',
      totalBytes: '28',
      models: [{ id: first, doneBytes: '28', outcome: { kind: 'written' } }],
      node: { nodeId: 'Studio' },
    })
    expect(told.map(({ state }) => state)).toEqual(expect.arrayContaining(['models', 'node', 'ended']))
    expect(told.filter(({ state }) => state === 'ended')).toHaveLength(1)
    expect(await readdir(join(folders.lab, 'docs/models/manifests'))).toEqual(['Coder.json'])
    expect(await readFile(join(folders.lab, 'docs/models/nodes/Studio.json'), 'utf8')).toContain('model:')
    const { models } = value(await api.findModels({ places: ['models'], usual: false }))
    expect(models.map(({ known }) => known)).toEqual([true, false])
  })

  test('is one at a time, and can be cancelled', async () => {
    const scanning = await page({ machine: { probe: () => Promise.reject(new Error('must not be asked')) } })
    const { api, folders } = scanning
    const ids = await findIds(scanning)
    const start = () => api.startScan({ models: [...ids], redistributable: false, node: true })
    const { scan } = value(await start())
    expect(await start()).toMatchObject({ ok: false, error: { code: 'refused' } })
    value(await api.cancelScan({ scan: 'another' }))
    value(await api.cancelScan({ scan }))
    const last = await scanning.ended()
    expect(last.models.map(({ outcome }) => outcome?.kind)).toEqual(['cancelled', 'cancelled'])
    expect(last.node).toBeNull()
    expect(await readdir(join(folders.lab, 'docs/models'))).toEqual(['queue.yaml'])
    expect(value(await api.cancelScan({ scan }))).toBeNull()
  })

  test('reports a model that changed since it was found', async () => {
    const scanning = await page()
    const ids = await findIds(scanning)
    await appendFile(join(scanning.folders.models, 'org/A/a.gguf'), 'more')
    value(await scanning.api.startScan({ models: [...ids], redistributable: true, node: false }))
    expect((await scanning.ended()).models.map(({ outcome }) => outcome?.kind)).toEqual(['failed', 'written'])
  })

  test('ends with the reason when the machine cannot be asked', async () => {
    const scanning = await page({ machine: { probe: () => Promise.reject(new Error('no answer')) } })
    value(await scanning.api.startScan({ models: [], redistributable: false, node: true }))
    expect((await scanning.ended()).node).toEqual({ reason: 'no answer' })
  })

  test('is refused for models of an earlier search, and for nothing', async () => {
    const scanning = await page()
    const [old = ''] = await findIds(scanning)
    await findIds(scanning)
    const start = (models: string[]) =>
      scanning.api.startScan({ models, redistributable: false, node: false })
    expect(await start([old])).toMatchObject({ error: { code: 'unknown_token' } })
    expect(await start([])).toMatchObject({ error: { code: 'bad_arguments' } })
  })

  test('recreates no lab in the place of one that is away', async () => {
    const folders = await scanFolders()
    const paths = labPathsByConvention(join(folders.lab, 'away'), {}, { cwd: '/', home: '/nowhere' })
    const scanning = await page({ source: { paths, origin: 'picked', readOnly: null, recent: null } })
    const ids = await findIds(scanning)
    value(await scanning.api.startScan({ models: [...ids], redistributable: false, node: false }))
    expect((await scanning.ended()).models[0]?.outcome).toMatchObject({ kind: 'failed' })
    expect(await readdir(folders.lab)).toEqual(['docs'])
  })
})
