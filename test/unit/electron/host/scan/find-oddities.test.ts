import { mkdir, realpath, rename, symlink, unlink } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { realDisk, type Disk } from '../../../../../electron/host/disk.ts'
import { distinctFinds } from '../../../../../electron/host/scan/found-model.ts'
import { safetensors, writeModels, writeOllamaModel, writeSnapshot } from '../../../../support/model-trees.ts'
import { scanFolders, scanInto } from '../../../../support/scan-lab.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'
import { usualPlaces } from '../../../../../electron/host/scan/usual-places.ts'
import { find, found, lines, one } from './find-in.ts'

const TENSORS = safetensors('pt', 'w')

describe('models of the same bytes', () => {
  test('in two repos that share a blob are a model each, and one place named twice is one', async () => {
    const hub = await tempFolder()
    for (const repo of ['acme/A', 'acme/B']) {
      const snapshot = await writeSnapshot(hub, repo, 'r1', {
        'config.json': '{}',
        'model.safetensors': TENSORS,
      })
      const blobs = join(dirname(dirname(snapshot)), 'blobs')
      const shared = join(hub, 'blobs/0b', `0b${'1'.repeat(62)}`)
      await writeModels(hub, { 'blobs/.huggingface-shared-blobs': '1' })
      await mkdir(dirname(shared), { recursive: true })
      const link = join(snapshot, 'model.safetensors')
      await rename(await realpath(link), shared)
      await unlink(link)
      await symlink(shared, join(blobs, 'e'.repeat(64)))
      await symlink(join('../../blobs', 'e'.repeat(64)), link)
    }
    const finds = [...(await find(hub)), ...(await find(join(hub, 'models--acme--A')))]
    expect(distinctFinds(finds).models.map(({ source }) => source?.hfRepo)).toEqual(['acme/A', 'acme/B'])
  })
})

describe('a folder for each quantization', () => {
  test('of other formats than GGUF is named with its repo', async () => {
    const folder = await tempFolder()
    await writeModels(folder, {
      'pub/Alpha-mlx/4bit/model.safetensors': TENSORS,
      'pub/Alpha-mlx/4bit/config.json': '{"quantization": {}}',
      'pub/Alpha-mlx/8-bit/model.safetensors': TENSORS,
      'pub/Alpha-mlx/8-bit/config.json': '{"quantization": {}}',
      'pub/Beta/fp16/model.safetensors': TENSORS,
    })
    const models = await found(folder)
    expect(models.map(({ folderName }) => folderName)).toEqual([
      'Alpha-mlx-4bit',
      'Alpha-mlx-8-bit',
      'Beta-fp16',
    ])
    expect(models[0]).toMatchObject({ folderRepo: 'Alpha-mlx/4bit', parentRepo: 'pub/Alpha-mlx' })
  })

  test('in a snapshot is named with its repo too', async () => {
    const hub = await tempFolder()
    await writeSnapshot(hub, 'acme/M', 'r1', {
      '4bit/config.json': '{}',
      '4bit/model.safetensors': TENSORS,
      '8bit/config.json': '{}',
      '8bit/model.safetensors': TENSORS,
    })
    expect((await found(hub)).map(({ folderName }) => folderName)).toEqual(['M-4bit', 'M-8bit'])
  })

  test('has the projector of its repo reported with each model', async () => {
    const repo = join(await tempFolder(), 'V-GGUF')
    await writeModels(repo, { 'Q4_K_M/V-Q4_K_M.gguf': '4', 'Q8_0/V-Q8_0.gguf': '8', 'mmproj-F16.gguf': 'p' })
    const finds = await find(repo)
    expect(lines(finds)).toEqual([])
    expect(finds.map((each) => each.ok && each.warnings)).toEqual([
      ['mmproj-F16.gguf lies with it, a projector: not in its manifest'],
      ['mmproj-F16.gguf lies with it, a projector: not in its manifest'],
    ])
  })
})

describe('links to nothing', () => {
  test('are reported where a folder may have been', async () => {
    const folder = await tempFolder()
    await writeModels(folder, { 'ok.gguf': 'w' })
    await symlink('/nowhere/models', join(folder, 'Qwen2.5-7B'))
    expect(lines(await find(folder))).toEqual([`${join(folder, 'Qwen2.5-7B')}: a link to nothing`])
  })

  test('keep a model from being whole that lacks its tokenizer by one, each reported once', async () => {
    const root = await tempFolder()
    await writeModels(root, { 'model-00001-of-00002.safetensors': TENSORS, 'config.json': '{}' })
    await symlink('/nowhere', join(root, 'tokenizer.json'))
    await symlink('/nowhere', join(root, 'model-00002-of-00002.safetensors'))
    expect((await one(root)).missing).toEqual([
      'model-00002-of-00002.safetensors is a link to nothing',
      'tokenizer.json is a link to nothing',
    ])
  })
})

describe('names', () => {
  test('that differ in the case of their extension are two models', async () => {
    const folder = await tempFolder()
    await writeModels(folder, { 'same.gguf': 'a', 'same.GGUF': 'b' })
    expect((await found(folder)).map(({ shards }) => shards.length)).toEqual([1, 1])
  })
})

describe('a tag of Ollama', () => {
  test('without weights, as of a model in its cloud, is passed over and no failure', async () => {
    const store = await tempFolder()
    await writeOllamaModel(store, 'big', '120b-cloud', [{ type: 'license', content: 'l' }])
    expect(await find(store)).toContainEqual(
      expect.objectContaining({ kind: 'passed', reason: expect.stringContaining('no weights') as string }),
    )
  })
})

describe('a manifest', () => {
  test('is not replaced by one with a shard fewer and a tokenizer more', async () => {
    const folders = await scanFolders()
    await writeModels(folders.models, {
      'M/a.safetensors': safetensors('pt', 'a'),
      'M/b.safetensors': TENSORS,
    })
    await scanInto(folders)
    await unlink(join(folders.models, 'M/b.safetensors'))
    await writeModels(folders.models, { 'M/tokenizer.json': '{}' })
    expect(await scanInto(folders)).toMatchObject([{ kind: 'part', gone: ['b.safetensors'] }])
  })
})

describe('the usual places', () => {
  test('of Ollama are those of the service too, however it was installed', async () => {
    const asked: string[] = []
    const disk = {
      ...realDisk,
      realpath: ((path: string) => {
        asked.push(path)
        return Promise.resolve(path)
      }) as Disk['realpath'],
    }
    await usualPlaces({ env: {}, platform: 'linux', home: '/home/me' }, disk)
    expect(asked).toEqual(
      expect.arrayContaining([
        '/home/me/.ollama/models',
        '/usr/share/ollama/.ollama/models',
        '/var/lib/ollama/models',
        '/var/lib/ollama',
        '/var/snap/ollama/common/models',
      ]),
    )
    asked.length = 0
    await usualPlaces({ env: {}, platform: 'darwin', home: '/home/me' }, disk)
    expect(asked.filter((path) => path.startsWith('/var'))).toEqual([])
  })
})
