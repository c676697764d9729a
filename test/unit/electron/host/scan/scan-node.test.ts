import { appendFile, readFile, rename, rm, utimes, writeFile } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk } from '../../../../../electron/host/disk.ts'
import {
  scanNode,
  writeNodeFacts,
  type NodeScanOptions,
} from '../../../../../electron/host/scan/scan-node.ts'
import { openScanRecord } from '../../../../../electron/host/scan/scan-record.ts'
import { scannedTargets, targetOf, verifyModels } from '../../../../../electron/host/scan/verify-models.ts'
import { realVolumes, type Volumes } from '../../../../../electron/host/scan/volumes.ts'
import { holdingOf } from '../../../../support/product-holding.ts'
import { mismatchedShards } from '../../../../../shared/locality/mismatched-shards.ts'
import { readNodeFacts } from '../../../../../shared/node/read-node-facts.ts'
import type { NodeFacts } from '../../../../../shared/node/types.ts'
import { blake3Of, writeModels } from '../../../../support/model-trees.ts'
import { diskFailingAt } from '../../../../support/failing-disk.ts'
import {
  BARE_MACHINE,
  namedModels,
  openLabAt,
  scanFolders,
  scanInto,
  type ScanFolders,
} from '../../../../support/scan-lab.ts'
import { writeTree } from '../../../../support/temp-folder.ts'
import { tensorsOf } from '../../../../support/weight-files.ts'

/** Drives that can be taken away: each folder of `mounts` is one, and those in `away` are not there. */
function fakeVolumes(mounts: readonly string[], away: ReadonlySet<string> = new Set()): Volumes {
  return {
    mountOf: (path) => Promise.resolve(mounts.find((mount) => path.startsWith(mount)) ?? '/'),
    isMounted: (mount) => Promise.resolve(!away.has(mount)),
  }
}

async function nodeOptions(
  { lab, config }: ScanFolders,
  changes: Partial<NodeScanOptions> = {},
): Promise<NodeScanOptions> {
  return {
    lab: await openLabAt(lab),
    record: await openScanRecord(config),
    volumes: realVolumes(),
    nodeId: 'box',
    hostName: 'host.local',
    probe: () => Promise.resolve(BARE_MACHINE),
    nowSecs: 1000,
    ...changes,
  }
}

function factsIn(text: string): NodeFacts {
  const read = readNodeFacts(text, 'box.json')
  expect(read.problems).toEqual([])
  if (!read.ok) throw new Error('not read')
  return read.value
}

async function factsOf(folders: ScanFolders, changes: Partial<NodeScanOptions> = {}): Promise<NodeFacts> {
  const scan = await scanNode(await nodeOptions(folders, changes))
  if (!scan.ok) throw new Error(scan.reason)
  return factsIn(scan.text)
}

/** What the planner reads of the lab's only model out of `facts`. */
async function holding(folders: ScanFolders, facts: NodeFacts) {
  const [manifest] = (await openLabAt(folders.lab)).lab.manifests
  if (!manifest) throw new Error('no manifest')
  const { packageId, body } = manifest
  const held = holdingOf('box', packageId, body, facts.capabilities, true)
  return {
    complete: held.complete,
    held: body.shards.filter(({ blake3 }) => held.shards.has(blake3)).map(({ path }) => path),
    mismatched: body.shards
      .filter(({ blake3 }) => mismatchedShards(facts, packageId).has(blake3))
      .map(({ path }) => path),
    states: facts.capabilities.filter(({ id }) => id === 'model.present').map(({ state }) => state),
  }
}

async function verify(folders: ScanFolders) {
  const lab = await openLabAt(folders.lab)
  const record = await openScanRecord(folders.config)
  const [verified] = await verifyModels(scannedTargets(lab.lab.manifests, record, '/nowhere'), {
    record,
    signal: new AbortController().signal,
    nowMs: () => 0,
    onProgress: () => undefined,
  })
  return verified?.files.map(({ path, verdict }) => `${path} ${verdict}`)
}

async function scannedModel(): Promise<ScanFolders> {
  const folders = await scanFolders()
  await writeModels(folders.models, {
    'M/a.safetensors': 'aaa',
    'M/b.safetensors': 'bbb',
    'M/tokenizer.json': '{}',
  })
  await scanInto(folders)
  return folders
}

describe('what the facts say of a scanned model', () => {
  test('is the whole of it, without a word of where it lies', async () => {
    const folders = await scannedModel()
    const facts = await factsOf(folders)
    expect(await holding(folders, facts)).toEqual({
      complete: true,
      held: ['a.safetensors', 'b.safetensors'],
      mismatched: [],
      states: ['available'],
    })
    expect(JSON.stringify(facts.notes) + JSON.stringify(facts.capabilities)).not.toContain(
      dirname(folders.lab),
    )
  })

  test('is a part of it when a shard is gone or cannot be looked at', async () => {
    const folders = await scannedModel()
    const failing = diskFailingAt('stat', 'EACCES', (path) => path.endsWith('a.safetensors'))
    expect(await holding(folders, await factsOf(folders, { disk: failing }))).toMatchObject({
      complete: false,
      held: ['b.safetensors'],
    })
    await rm(join(folders.models, 'M/a.safetensors'))
    const facts = await factsOf(folders)
    expect(await holding(folders, facts)).toMatchObject({ complete: false, held: ['b.safetensors'] })
    expect(facts.notes.map(({ note }) => note)).toContain('M: a.safetensors: missing')
  })

  test('is a part of it after a scan that found a shard gone, and the manifest stays', async () => {
    const folders = await scannedModel()
    await rm(join(folders.models, 'M/a.safetensors'))
    expect(await scanInto(folders)).toMatchObject([{ kind: 'part', gone: ['a.safetensors'] }])
    const facts = await factsOf(folders)
    expect(await holding(folders, facts)).toMatchObject({ complete: false, held: ['b.safetensors'] })
  })

  test('is a part of it where a model was never whole, for labs that have its manifest', async () => {
    const folders = await scannedModel()
    const other = { ...folders, config: join(folders.config, 'other') }
    await writeModels(folders.models, { 'M/c-00001-of-00002.safetensors': 'ccc' })
    expect(await scanInto(other)).toMatchObject([
      { kind: 'incomplete', missing: ['c-00002-of-00002.safetensors is not there'] },
    ])
    expect(await holding(folders, await factsOf(other))).toMatchObject({
      held: ['a.safetensors', 'b.safetensors'],
      states: ['available'],
    })
    await rm(join(folders.lab, 'docs/models/manifests'), { recursive: true })
    const facts = await factsOf(other)
    const [present] = facts.capabilities.filter(({ id }) => id === 'model.present')
    expect(present?.attrs.get('shards')).toHaveLength(3)
    expect(facts.notes.map(({ note }) => note)).toContain('M: only a part of it is there, 3 of its files')
  })

  test('does not count a shard that changed since it was hashed', async () => {
    const folders = await scannedModel()
    await appendFile(join(folders.models, 'M/a.safetensors'), '!')
    expect(await holding(folders, await factsOf(folders))).toMatchObject({
      held: ['b.safetensors'],
      mismatched: [],
    })
  })

  test('is nothing when it was removed, and when it was never scanned', async () => {
    const folders = await scannedModel()
    await rm(join(folders.models, 'M'), { recursive: true })
    expect(await holding(folders, await factsOf(folders))).toMatchObject({ held: [], states: [] })
    const stranger = { ...folders, config: join(folders.config, 'other') }
    expect(await holding(folders, await factsOf(stranger))).toMatchObject({ held: [], states: [] })
  })

  test('is detached when its drive is gone, with a tier that is not mounted', async () => {
    const folders = await scanFolders()
    const drive = join(folders.models, 'drive')
    await writeModels(drive, { 'M/a.gguf': 'aaa' })
    await scanInto(folders, { volumes: fakeVolumes([drive]) })
    await rename(drive, `${drive}-away`)
    const gone = fakeVolumes([drive], new Set([drive]))
    const facts = await factsOf(folders, { volumes: gone })
    expect(await holding(folders, facts)).toEqual({
      complete: false,
      held: [],
      mismatched: [],
      states: ['degraded'],
    })
    // The same with the drive there and the folder gone is another thing.
    const back = await factsOf(folders, { volumes: fakeVolumes([drive]) })
    expect((await holding(folders, back)).states).toEqual([])
  })

  test('is reported in a lab that has no manifest of it, for labs that have one', async () => {
    const folders = await scannedModel()
    await rm(join(folders.lab, 'docs/models/manifests'), { recursive: true })
    const [present] = (await factsOf(folders)).capabilities.filter(({ id }) => id === 'model.present')
    expect(present?.attrs.get('shards')).toEqual(
      expect.arrayContaining([blake3Of(tensorsOf('aaa')), blake3Of(tensorsOf('bbb'))]),
    )
  })
})

describe('verifying', () => {
  test('finds what has other bytes under the same size and time, and the facts tell it', async () => {
    const folders = await scannedModel()
    const shard = join(folders.models, 'M/a.safetensors')
    const { mtime } = await realDisk.stat(shard)
    await utimes(shard, mtime, mtime)
    await scanInto(folders)
    await writeFile(shard, tensorsOf('aXa'))
    await utimes(shard, mtime, mtime)
    expect((await holding(folders, await factsOf(folders))).complete).toBe(true)
    expect(await verify(folders)).toEqual(['a.safetensors mismatch', 'b.safetensors ok', 'tokenizer.json ok'])
    expect(await holding(folders, await factsOf(folders))).toEqual({
      complete: false,
      held: ['b.safetensors'],
      mismatched: ['a.safetensors'],
      states: ['available'],
    })
  })

  test('reports a mismatch and a missing file, and that all is well again', async () => {
    const folders = await scannedModel()
    await writeFile(join(folders.models, 'M/b.safetensors'), 'short')
    await rm(join(folders.models, 'M/tokenizer.json'))
    expect(await verify(folders)).toEqual([
      'a.safetensors ok',
      'b.safetensors mismatch',
      'tokenizer.json missing',
    ])
    await writeModels(folders.models, { 'M/b.safetensors': 'bbb', 'M/tokenizer.json': '{}' })
    expect(await verify(folders)).toEqual(['a.safetensors ok', 'b.safetensors ok', 'tokenizer.json ok'])
    expect((await holding(folders, await factsOf(folders))).complete).toBe(true)
  })

  test('holds a folder that was never scanned against the lab’s manifest of its name', async () => {
    const folders = await scannedModel()
    const stranger = { ...folders, config: join(folders.config, 'other') }
    await writeFile(join(folders.models, 'M/a.safetensors'), tensorsOf('aXa'))
    const lab = await openLabAt(stranger.lab)
    const record = await openScanRecord(stranger.config)
    const [named] = await namedModels(join(folders.models, 'M'), lab)
    const target = named ? await targetOf(named, lab.lab.manifests, record, realVolumes()) : null
    if (!target) throw new Error('no target')
    const [verified] = await verifyModels([target], {
      record,
      signal: new AbortController().signal,
      nowMs: () => 0,
      onProgress: () => undefined,
    })
    expect(verified?.files.map(({ verdict }) => verdict)).toEqual(['mismatch', 'ok', 'ok'])
    expect(await holding(folders, await factsOf(stranger))).toMatchObject({
      held: ['b.safetensors'],
      mismatched: ['a.safetensors'],
    })
  })
})

describe('the facts file', () => {
  test('is written with a seq above the one before, under the id it was given first', async () => {
    const folders = await scannedModel()
    const first = await nodeOptions(folders, { nodeId: 'studio' })
    const scan = await scanNode(first)
    if (!scan.ok) throw new Error(scan.reason)
    expect(await writeNodeFacts(scan, first.lab, first.record)).toBeNull()
    const again = await scanNode(await nodeOptions(folders, { nodeId: null, nowSecs: 900 }))
    if (!again.ok) throw new Error(again.reason)
    expect(basename(again.path)).toBe('studio.json')
    expect(factsIn(scan.text).seq).toBe(1000)
    expect(factsIn(again.text).seq).toBe(1001)
    expect(await readFile(scan.path, 'utf8')).toBe(scan.text)
  })

  test('is named after the machine unless it is given another name', async () => {
    const scan = await scanNode(await nodeOptions(await scanFolders(), { nodeId: null }))
    expect(scan).toMatchObject({ ok: true, nodeId: 'host' })
  })

  test('can be hidden or reserved by no id', async () => {
    const folders = await scanFolders()
    const nameOf = async (nodeId: string) => {
      const scan = await scanNode(await nodeOptions(folders, { nodeId }))
      return scan.ok ? basename(scan.path) : scan.reason
    }
    expect(await nameOf('.box')).toBe('%2Ebox.json')
    expect(await nameOf('con')).toBe('%63on.json')
    expect(await nameOf('10.0.0.1:22')).toBe('10.0.0.1%3A22.json')
  })

  test('is not written over the facts of another node', async () => {
    const folders = await scanFolders()
    const other = { version: 1, node_id: 'other', issued_at: 1, ttl_secs: 1, seq: 1, capabilities: [] }
    await writeTree(folders.lab, { 'docs/models/nodes/box.json': JSON.stringify(other) })
    expect(await scanNode(await nodeOptions(folders))).toMatchObject({
      ok: false,
      reason: expect.stringContaining('has the facts of node other') as string,
    })
  })

  test('is written over one that cannot be read', async () => {
    const folders = await scanFolders()
    await writeTree(folders.lab, { 'docs/models/nodes/box.json': '{' })
    expect((await factsOf(folders)).seq).toBe(1000)
  })
})
