import { createHash } from 'node:crypto'
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk, type Disk } from '../../../../../electron/host/disk.ts'
import type { HashProgress } from '../../../../../electron/host/scan/hash-models.ts'
import { readManifest } from '../../../../../shared/model-manifest/read-manifest.ts'
import { diskFailingAt } from '../../../../support/failing-disk.ts'
import { contentOf, envelopeJson, sign } from '../../../../support/manifests.ts'
import {
  blake3Of,
  safetensors,
  writeModels,
  writeOllamaModel,
  writeSnapshot,
} from '../../../../support/model-trees.ts'
import { scanFolders, scanInto } from '../../../../support/scan-lab.ts'
import { writeTree } from '../../../../support/temp-folder.ts'

const MANIFESTS = 'docs/models/manifests'

/** Every file below `folder` with the hash of its content. */
async function contents(folder: string): Promise<Record<string, string>> {
  const all: Record<string, string> = {}
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name)
    const kind = entry.isFile()
      ? createHash('sha256')
          .update(await readFile(path))
          .digest('hex')
      : 'other'
    all[path.slice(folder.length)] = kind
  }
  return all
}

/** The real disk, which reports which files below `folder` were opened. */
function watchedDisk(folder: string): { readonly disk: Disk; readonly opened: string[] } {
  const opened: string[] = []
  const open: Disk['open'] = (path, flags, mode) => {
    if (String(path).startsWith(folder)) opened.push(String(path).slice(folder.length + 1))
    return realDisk.open(path, flags, mode)
  }
  return { disk: { ...realDisk, open }, opened }
}

describe('scanning models', () => {
  test('writes manifests that tell the files as they are, and nothing beside the weights', async () => {
    const folders = await scanFolders(
      'roster: [{id: r, name: Coder-80B, repo: org/Coder, backend: mlx_lm, ram_gb: 1}]',
    )
    const files = {
      'model.safetensors': safetensors('mlx', 'w'),
      'tokenizer.json': '{}',
      'chat_template.jinja': 'hi',
    }
    await writeSnapshot(folders.models, 'org/Coder', 'abc', files)
    const blobs = await writeOllamaModel(join(folders.models, 'store'), 'tiny', '7b', [
      { type: 'model', content: 'weights' },
      { type: 'template', content: 'tmpl' },
    ])
    const before = await contents(folders.models)
    const outcomes = await scanInto(folders)
    expect(outcomes.map(({ kind }) => kind)).toEqual(['written', 'written'])
    expect(await contents(folders.models)).toEqual(before)

    expect(await readdir(join(folders.lab, MANIFESTS))).toEqual(['Coder-80B.json', 'tiny%3A7b.json'])
    const bodies = await Promise.all(
      ['Coder-80B.json', 'tiny%3A7b.json'].map(async (name) => {
        const read = readManifest(await readFile(join(folders.lab, MANIFESTS, name), 'utf8'), name)
        if (!read.ok) throw new Error(read.problems[0]?.message)
        return read.value
      }),
    )
    expect(bodies[0]?.body).toEqual({
      name: 'Coder-80B',
      format: 'mlx',
      shards: [
        {
          path: 'model.safetensors',
          size: BigInt(files['model.safetensors'].length),
          blake3: blake3Of(files['model.safetensors']),
        },
      ],
      tokenizerPath: 'tokenizer.json',
      tokenizerBlake3: blake3Of('{}'),
      templatePath: 'chat_template.jinja',
      templateBlake3: blake3Of('hi'),
      source: { hfRepo: 'org/Coder', hfRevision: 'abc', ollamaTag: null },
      redistributable: false,
    })
    expect(bodies[1]?.body).toMatchObject({
      name: 'tiny:7b',
      format: 'ollama',
      shards: [{ path: blobs[0], size: 7n, blake3: blake3Of('weights') }],
      templatePath: blobs[1],
      templateBlake3: blake3Of('tmpl'),
      source: { hfRepo: null, hfRevision: null, ollamaTag: 'tiny:7b' },
    })
    const ids = outcomes.map((outcome) => (outcome.kind === 'written' ? outcome.packageId : ''))
    expect(bodies.map(({ packageId }) => packageId)).toEqual(ids)
  })

  test('reads two files at a time, whatever model they are of, and each file once', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A.gguf': 'a', 'B.gguf': 'b', 'C.gguf': 'c', 'D.gguf': 'd' })
    let now = 0
    let most = 0
    const { disk, opened } = watchedDisk(folders.models)
    const counting: Disk = {
      ...disk,
      open: async (path, flags, mode) => {
        const handle = await disk.open(path, flags, mode)
        if (!String(path).startsWith(folders.models)) return handle
        most = Math.max(most, ++now)
        const close = handle.close.bind(handle)
        return Object.assign(handle, { close: () => close().finally(() => now--) })
      },
    }
    await scanInto(folders, { disk: counting })
    expect(opened.sort()).toEqual(['A.gguf', 'B.gguf', 'C.gguf', 'D.gguf'])
    expect(most).toBe(2)
  })

  test('keeps the hash of a file whose size and time are the same, and reads one that changed', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A.gguf': 'a', 'B.gguf': 'b' })
    await scanInto(folders)
    const { disk, opened } = watchedDisk(folders.models)
    expect((await scanInto(folders, { disk })).map(({ kind }) => kind)).toEqual(['same', 'same'])
    expect(opened).toEqual([])
    await appendFile(join(folders.models, 'B.gguf'), '!')
    expect(await scanInto(folders, { disk })).toMatchObject([
      { kind: 'same' },
      { kind: 'written', replaced: true },
    ])
    expect(opened).toEqual(['B.gguf'])
  })

  test('goes on where it was after it was cancelled', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A.gguf': 'a', 'B.gguf': 'b', 'C.gguf': 'c' })
    const controller = new AbortController()
    const { disk, opened } = watchedDisk(folders.models)
    const stopping: Disk = {
      ...disk,
      open: (path, flags, mode) => {
        if (String(path).endsWith('B.gguf')) controller.abort()
        return disk.open(path, flags, mode)
      },
    }
    const kinds = (await scanInto(folders, { disk: stopping, signal: controller.signal })).map(
      ({ kind }) => kind,
    )
    expect(kinds[2]).toBe('cancelled')
    expect(kinds).not.toContain('failed')
    const before = [...opened]
    opened.length = 0
    const again = await scanInto(folders, { disk })
    expect(again.every(({ kind }) => kind === 'written' || kind === 'same')).toBe(true)
    const hashedBefore = kinds.flatMap((kind, i) =>
      kind === 'written' ? [['A.gguf', 'B.gguf', 'C.gguf'][i]] : [],
    )
    expect(before).toContain('B.gguf')
    expect(opened.sort()).toEqual(
      ['A.gguf', 'B.gguf', 'C.gguf'].filter((name) => !hashedBefore.includes(name)),
    )
  })

  test('reports a file that grows while it is read, records nothing of its model, and goes on', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A.gguf': 'a', 'B.gguf': 'b' })
    const growing: Disk = {
      ...realDisk,
      open: async (path, flags, mode) => {
        const handle = await realDisk.open(path, flags, mode)
        if (String(path).endsWith('A.gguf')) {
          const read = handle.read.bind(handle)
          const growingRead = async (...args: [Buffer, number, number, number]) => {
            const result = await read(...args)
            await appendFile(path, 'more')
            return result
          }
          return Object.assign(handle, { read: growingRead })
        }
        return handle
      },
    }
    const outcomes = await scanInto(folders, { disk: growing })
    expect(outcomes).toMatchObject([
      { kind: 'failed', reason: expect.stringContaining('A.gguf: it changed while it was read') as string },
      { kind: 'written' },
    ])
    expect(await readdir(join(folders.lab, MANIFESTS))).toEqual(['B.json'])
    // What it became is read again.
    expect((await scanInto(folders)).map(({ kind }) => kind)).toEqual(['written', 'same'])
  })

  test('reports a file that cannot be read, and does not read the rest of its model for nothing', async () => {
    const folders = await scanFolders()
    const shards = Object.fromEntries(
      ['a', 'b', 'c', 'd', 'e'].map((name) => [`M/${name}.safetensors`, name]),
    )
    await writeModels(folders.models, shards)
    const { disk, opened } = watchedDisk(join(folders.models, 'M'))
    const failing = diskFailingAt('open', 'EACCES', (path) => path.endsWith('a.safetensors'))
    const both: Disk = {
      ...disk,
      open: (path, flags, mode) =>
        String(path).endsWith('a.safetensors')
          ? failing.open(path, flags, mode)
          : disk.open(path, flags, mode),
    }
    expect(await scanInto(folders, { disk: both })).toMatchObject([
      { kind: 'failed', reason: expect.stringContaining('a.safetensors: permission denied') as string },
    ])
    expect(opened.filter((name) => name === 'e.safetensors')).toEqual([])
  })

  test('reports progress with bytes up to the whole, and what of it needs no reading', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A.gguf': 'aaaa', 'B.gguf': 'bb' })
    const told: HashProgress[] = []
    await scanInto(folders, { onProgress: (progress) => told.push(progress) })
    expect(told[0]?.whole).toMatchObject({ doneBytes: 0n, totalBytes: 54n })
    expect(told.at(-1)?.whole).toMatchObject({ doneBytes: 54n, totalBytes: 54n, secondsLeft: 0 })
    expect(told.at(-1)?.models).toEqual([
      { doneBytes: 28n, totalBytes: 28n, finished: true },
      { doneBytes: 26n, totalBytes: 26n, finished: true },
    ])
    told.length = 0
    await scanInto(folders, { onProgress: (progress) => told.push(progress) })
    expect(told.at(-1)?.whole).toMatchObject({ doneBytes: 0n, totalBytes: 0n })
    expect(told.at(-1)?.models[0]).toEqual({ doneBytes: 28n, totalBytes: 28n, finished: true })
  })

  test('says so when what was scanned cannot be remembered', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A.gguf': 'a' })
    await writeFile(folders.config, 'a file in the place of the settings')
    expect(await scanInto(folders)).toMatchObject([
      { kind: 'failed', reason: expect.stringContaining('not remembered') as string },
    ])
  })
})

describe('the manifest in the lab', () => {
  test('is replaced when asked to be redistributable, and stays so when not asked again', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A/A.gguf': 'a' })
    await scanInto(folders)
    expect(await scanInto(folders, { redistributable: true })).toMatchObject([
      { kind: 'written', replaced: true },
    ])
    expect(await readFile(join(folders.lab, MANIFESTS, 'A.json'), 'utf8')).toContain(
      '"redistributable": true',
    )
    expect(await scanInto(folders)).toMatchObject([{ kind: 'known' }])
  })

  test('is never written over one that is signed, or over something else', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A.gguf': 'a', 'B.gguf': 'b' })
    const shard = { path: 'A.gguf', size: 9, blake3: blake3Of('other') }
    const envelope = envelopeJson({ name: 'A', format: 'gguf', shards: [shard] })
    const signed = JSON.stringify({ ...envelope, signatures: [sign(contentOf(envelope), 1)] })
    await writeTree(folders.lab, { [`${MANIFESTS}/A.json`]: signed, [`${MANIFESTS}/B.json`]: '{"mine": 1}' })
    expect(await scanInto(folders)).toMatchObject([
      { kind: 'failed', reason: expect.stringContaining('is signed') as string },
      { kind: 'failed', reason: expect.stringContaining('is no manifest') as string },
    ])
    expect(await readFile(join(folders.lab, MANIFESTS, 'A.json'), 'utf8')).toBe(signed)
    expect(await readFile(join(folders.lab, MANIFESTS, 'B.json'), 'utf8')).toBe('{"mine": 1}')
  })

  test('is not written beside one of the registry for the same weights', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'A/A.gguf': 'a' })
    const [first] = await scanInto(folders)
    if (first?.kind !== 'written') throw new Error('not written')
    const path = join(folders.lab, MANIFESTS, 'A.json')
    const envelope = JSON.parse(await readFile(path, 'utf8')) as unknown
    await rm(path)
    const models = { [first.packageId]: { envelope, root: 'r', files: [] } }
    await writeTree(folders.lab, {
      'docs/models/registry.json': JSON.stringify({ schema: 'weftos.model-registry.v1', models }),
    })
    expect(await scanInto(folders)).toMatchObject([{ kind: 'same', packageId: first.packageId }])
    expect(await readdir(join(folders.lab, MANIFESTS))).toEqual([])
  })

  test('of two models of one name is that of the first; the other is reported', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'x/M/M.gguf': 'a', 'y/M/M.gguf': 'b' })
    expect(await scanInto(folders)).toMatchObject([
      { kind: 'written' },
      { kind: 'failed', reason: expect.stringContaining('another model of this scan is named M') as string },
    ])
  })

  test('of a copy at another place is the same one', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, { 'x/M/M.gguf': 'a', 'y/M/M.gguf': 'a' })
    const kinds = (await scanInto(folders)).map(({ kind }) => kind)
    expect(kinds).not.toContain('failed')
    expect(await readdir(join(folders.lab, MANIFESTS))).toEqual(['M.json'])
  })
})
