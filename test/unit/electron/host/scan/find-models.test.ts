import { mkdir, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findModels } from '../../../../../electron/host/scan/find-models.ts'
import type { Find, FoundModel } from '../../../../../electron/host/scan/found-model.ts'
import { usualPlaces } from '../../../../../electron/host/scan/usual-places.ts'
import type { Disk } from '../../../../../electron/host/disk.ts'
import { diskFailingAt } from '../../../../support/failing-disk.ts'
import { safetensors, writeOllamaModel, writeSnapshot } from '../../../../support/model-trees.ts'
import { tempFolder, writeTree } from '../../../../support/temp-folder.ts'

function find(path: string, disk?: Disk): Promise<readonly Find[]> {
  return findModels({ path, shown: path }, disk)
}

async function found(path: string): Promise<readonly FoundModel[]> {
  return (await find(path)).map((each) => {
    if (!each.ok) throw new Error(each.reason)
    return each.model
  })
}

async function one(path: string): Promise<FoundModel> {
  const [model, ...more] = await found(path)
  if (!model || more.length > 0) throw new Error(`${more.length} more than one`)
  return model
}

async function refusal(path: string, disk?: Disk): Promise<string> {
  const finds = await find(path, disk)
  return finds.map((each) => (each.ok ? 'found' : each.reason)).join('; ')
}

function paths({ shards }: FoundModel): string[] {
  return shards.map(({ path }) => path)
}

describe('a model folder', () => {
  test('has weight files to the fourth level as shards, its tokenizer and its template', async () => {
    const root = join(await tempFolder(), 'org', 'Model-4bit')
    await writeTree(root, {
      'config.json': '{}',
      'b.safetensors': safetensors('mlx', 'b'),
      'a.SafeTensors': 'a',
      'x/y/z/deep.bin': 'd',
      'x/y/z/w/too-deep.bin': 'no',
      'x/tokenizer.json': 'not at the root',
      'tokenizer.model': 'second choice',
      'tokenizer.json': 'first choice',
      'tokenizer_config.json': 'third choice',
      'chat_template.json': 'second choice',
      'README.md': 'no weights',
    })
    const [only] = await find(root)
    if (only?.ok !== true) throw new Error('not found')
    const { model, warnings } = only
    expect(paths(model)).toEqual(['a.SafeTensors', 'b.safetensors', 'x/y/z/deep.bin'])
    expect(model.tokenizer?.path).toBe('tokenizer.json')
    expect(model.template?.path).toBe('chat_template.json')
    expect(model).toMatchObject({ kind: 'folder', folderName: 'Model-4bit', folderRepo: 'org/Model-4bit' })
    expect(warnings).toEqual(['x/y/z/w is deeper than 4 levels: what is in it is not looked at'])
  })

  test('is mlx where mlx-lm wrote it and safetensors elsewhere', async () => {
    const folder = await tempFolder()
    await writeTree(folder, {
      'tensors/a.safetensors': safetensors('mlx', ''),
      'config/a.safetensors': safetensors('pt', ''),
      'config/config.json': '{"quantization": {"bits": 4}}',
      'plain/a.safetensors': safetensors('pt', ''),
      'plain/config.json': '{"quantization_config": {"bits": 4}}',
      'broken/a.safetensors': 'short',
      'broken/config.json': '{',
    })
    const formats = (await found(folder)).map(({ folderName, format }) => [folderName, format])
    expect(formats).toEqual([
      ['broken', 'safetensors'],
      ['config', 'mlx'],
      ['plain', 'safetensors'],
      ['tensors', 'mlx'],
    ])
  })

  test('has only those of its files whose names are plain tokens', async () => {
    const root = await tempFolder()
    await writeTree(root, {
      'a.gguf': '',
      '.hidden.gguf': '',
      'b c.gguf': '',
      'é.gguf': '',
      '.cache/d.gguf': '',
    })
    // A name that is no UTF-8 at all.
    await writeFile(
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.gguf')]),
      '',
    )
    expect(paths(await one(root))).toEqual(['a.gguf'])
  })

  test('is refused with more than 255 weight files', async () => {
    const root = await tempFolder()
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}.safetensors`, 'x']))
    await writeTree(root, files(255))
    expect(paths(await one(root))).toHaveLength(255)
    await writeTree(root, files(256))
    expect(await refusal(root)).toBe('it has 256 weight files; a manifest can list 255')
  })

  test('is refused with more than 4,096 entries, and taken with as many', async () => {
    const root = await tempFolder()
    await writeTree(root, { 'a.gguf': '' })
    for (let i = 0; i < 4095; i += 256) {
      const names = Array.from({ length: Math.min(256, 4095 - i) }, (_, j) => join(root, `f${i + j}`))
      await Promise.all(names.map((name) => writeFile(name, '')))
    }
    expect(paths(await one(root))).toEqual(['a.gguf'])
    await writeTree(root, { 'one-more': '' })
    expect(await refusal(root)).toContain('more than 4096 entries')
  })

  test('is refused without weights, and with weights of no manifest’s format', async () => {
    const folder = await tempFolder()
    await writeTree(folder, {
      'none/config.json': '{}',
      'torch/pytorch_model.bin': 'x',
      'empty/README.md': '',
    })
    expect(await refusal(join(folder, 'none'))).toContain('there are no weights in it')
    expect(await refusal(join(folder, 'torch'))).toContain('PyTorch')
    expect(await refusal(join(folder, 'empty'))).toContain('no model was found')
    expect(await refusal(join(folder, 'gone'))).toContain('there is no such file or folder')
  })

  test('is refused, with the file, when something in it cannot be looked at', async () => {
    const root = await tempFolder()
    await writeTree(root, { 'a.gguf': '', 'sub/b.gguf': '' })
    expect(
      await refusal(
        root,
        diskFailingAt('lstat', 'EACCES', (path) => path.endsWith('a.gguf')),
      ),
    ).toContain('a.gguf cannot be looked at: permission denied')
    expect(
      await refusal(
        root,
        diskFailingAt('readdir', 'EACCES', (path) => path.endsWith('sub')),
      ),
    ).toContain('sub cannot be listed: permission denied')
  })
})

describe('links in a model folder', () => {
  test('are followed inside it, and passed over when they lead nowhere or in a circle', async () => {
    const root = await tempFolder()
    await writeTree(root, { 'real/a.safetensors': 'x', 'config.json': '{}' })
    await symlink('real/a.safetensors', join(root, 'b.safetensors'))
    await symlink('nowhere.safetensors', join(root, 'dangling.safetensors'))
    await symlink('circle.safetensors', join(root, 'circle.safetensors'))
    const [only] = await find(root)
    if (only?.ok !== true) throw new Error('not found')
    expect(paths(only.model)).toEqual(['b.safetensors', 'real/a.safetensors'])
    expect(only.model.shards[0]?.real).toBe(join(root, 'real/a.safetensors'))
    expect(only.warnings).toEqual([
      'circle.safetensors is a link to nothing: it is passed over',
      'dangling.safetensors is a link to nothing: it is passed over',
    ])
  })

  test('refuse the scan when one leads out, also to a folder whose name starts the same', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'model/a.safetensors': 'x', 'model-2/b.safetensors': 'x' })
    await symlink('../model-2/b.safetensors', join(folder, 'model', 'b.safetensors'))
    expect(await refusal(join(folder, 'model'))).toContain('b.safetensors is a link that leads out')
  })

  test('refuse the scan when one is to a folder, wherever that is', async () => {
    const root = await tempFolder()
    await writeTree(root, { 'a.safetensors': 'x', 'sub/b.safetensors': 'x' })
    await symlink('sub', join(root, 'linked'))
    expect(await refusal(root)).toContain('linked is a link to a folder')
  })

  test('may lead to the folder itself', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'drive/Model/a.safetensors': 'x' })
    await symlink('drive/Model', join(folder, 'shortcut'))
    expect(await one(join(folder, 'shortcut'))).toMatchObject({
      root: join(folder, 'drive/Model'),
      folderName: 'Model',
    })
  })
})

describe('a snapshot of the Hugging Face cache', () => {
  const FILES = {
    'model.safetensors': safetensors('pt', 'w'),
    'tokenizer.json': '{"t": 1}',
    'config.json': '{}',
  }

  test('is read through its links into blobs, and says what it is of', async () => {
    const hub = await tempFolder()
    const snapshot = await writeSnapshot(hub, 'org/Model', 'abc123', FILES)
    expect(await one(snapshot)).toMatchObject({
      kind: 'hf_snapshot',
      format: 'safetensors',
      source: { hfRepo: 'org/Model', hfRevision: 'abc123', ollamaTag: null },
      folderRepo: 'org/Model',
      folderName: 'Model',
      tokenizer: { path: 'tokenizer.json' },
    })
  })

  test('is refused when a link leads to the blobs of another repo', async () => {
    const hub = await tempFolder()
    const snapshot = await writeSnapshot(hub, 'org/Model', 'abc', FILES)
    await writeTree(hub, { 'models--org--Other/blobs/x': 'theirs' })
    await symlink('../../../models--org--Other/blobs/x', join(snapshot, 'b.safetensors'))
    expect(await refusal(snapshot)).toContain('b.safetensors is a link that leads out')
  })

  test('passes over a link whose blob is gone', async () => {
    const hub = await tempFolder()
    const snapshot = await writeSnapshot(hub, 'org/Model', 'abc', FILES)
    await symlink('../../blobs/none', join(snapshot, 'b.safetensors'))
    expect(paths(await one(snapshot))).toEqual(['model.safetensors'])
  })

  test('is found through the cache and the repo: the one that main is at, else the newest', async () => {
    const cache = await tempFolder()
    const hub = join(cache, 'hub')
    await writeSnapshot(hub, 'org/Model', 'old', FILES)
    const repo = join(hub, 'models--org--Model')
    await writeSnapshot(hub, 'org/Model', 'new', FILES)
    await utimes(join(repo, 'snapshots/old'), 1000, 1000)
    await writeSnapshot(hub, 'gpt2', 'r1', FILES)
    await writeFile(join(repo, 'refs/main'), 'old\n')
    const revisions = (models: readonly FoundModel[]) => models.map(({ source }) => source)
    expect(revisions(await found(cache))).toEqual([
      { hfRepo: 'gpt2', hfRevision: 'r1', ollamaTag: null },
      { hfRepo: 'org/Model', hfRevision: 'old', ollamaTag: null },
    ])
    await unlink(join(repo, 'refs/main'))
    expect((await one(repo)).source?.hfRevision).toBe('new')
    const [chosen] = await find(repo)
    expect(chosen?.ok === true && chosen.warnings.join()).toContain('2 snapshots')
  })
})

describe('GGUF files', () => {
  test('are a model each, parts of a split one together', async () => {
    const folder = await tempFolder()
    await writeTree(folder, {
      'models/a-Q4.gguf': '',
      'models/b-00001-of-00002.gguf': '',
      'models/b-00002-of-00002.gguf': '',
    })
    const models = await found(join(folder, 'models'))
    expect(models.map((model) => [model.folderName, model.format, paths(model)])).toEqual([
      ['a-Q4', 'gguf', ['a-Q4.gguf']],
      ['b', 'gguf', ['b-00001-of-00002.gguf', 'b-00002-of-00002.gguf']],
    ])
  })

  test('are one model of their folder with a projector beside', async () => {
    const folder = join(await tempFolder(), 'Vision')
    await writeTree(folder, { 'model.gguf': '', 'mmproj-F16.gguf': '' })
    expect(await one(folder)).toMatchObject({ folderName: 'Vision', kind: 'folder' })
  })

  test('can be named by themselves, and then are all that counts of their folder', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'a-Q4.gguf': 'aa', 'a-Q8.gguf': '', 'c.safetensors': '' })
    await symlink('nowhere', join(folder, 'dangling'))
    const model = await one(join(folder, 'a-Q4.gguf'))
    expect(model).toMatchObject({ kind: 'gguf', folderName: 'a-Q4', root: folder })
    expect(model.shards).toMatchObject([{ path: 'a-Q4.gguf', size: 2n }])
  })

  test('in a snapshot keep its source; a link out of a folder is refused', async () => {
    const hub = await tempFolder()
    const snapshot = await writeSnapshot(hub, 'org/M-GGUF', 'abc', { 'm.gguf': 'x' })
    expect(await one(join(snapshot, 'm.gguf'))).toMatchObject({ source: { hfRepo: 'org/M-GGUF' } })
    await mkdir(join(hub, 'elsewhere'))
    await symlink(join(snapshot, 'm.gguf'), join(hub, 'elsewhere', 'm.gguf'))
    expect(await refusal(join(hub, 'elsewhere', 'm.gguf'))).toContain('leads out of its folder')
  })

  test('are the only files that can be named by themselves', async () => {
    const folder = await tempFolder()
    await writeTree(folder, { 'a.safetensors': '', 'b c.gguf': '' })
    expect(await refusal(join(folder, 'a.safetensors'))).toContain('name the folder of the model')
    expect(await refusal(join(folder, 'b c.gguf'))).toContain('no plain token')
  })
})

describe('an Ollama store', () => {
  test('has a model for each tag, its blobs as files', async () => {
    const store = await tempFolder()
    const blobs = await writeOllamaModel(store, 'tiny', '7b', [
      { type: 'license', content: 'MIT' },
      { type: 'model', content: 'weights' },
      { type: 'template', content: '{{ .Prompt }}' },
    ])
    await writeOllamaModel(store, 'other', 'latest', [{ type: 'model', content: 'more weights' }])
    const [other, tiny] = await found(store)
    expect(other?.source).toEqual({ hfRepo: null, hfRevision: null, ollamaTag: 'other:latest' })
    expect(tiny).toMatchObject({
      kind: 'ollama',
      format: 'ollama',
      root: store,
      folderName: 'tiny:7b',
      shards: [{ path: blobs[1], size: 7n }],
      template: { path: blobs[2] },
      tokenizer: null,
    })
  })

  test('is found in the folder around it', async () => {
    const home = await tempFolder()
    await writeOllamaModel(join(home, 'models'), 'tiny', '7b', [{ type: 'model', content: 'w' }])
    expect((await one(home)).folderName).toBe('tiny:7b')
  })

  test('tells each model that is damaged, and has the others', async () => {
    const store = await tempFolder()
    await writeOllamaModel(store, 'good', '1b', [{ type: 'model', content: 'w' }])
    await writeOllamaModel(store, 'short', '1b', [{ type: 'model', content: 'ww', size: 3 }])
    await writeTree(store, { 'manifests/registry.ollama.ai/library/odd/1b': 'not json' })
    await writeTree(store, { 'manifests/registry.ollama.ai/library/huge/1b': ' '.repeat(1024 * 1024 + 1) })
    const [gone] = await writeOllamaModel(store, 'gone', '1b', [{ type: 'model', content: 'x' }])
    await unlink(join(store, gone ?? ''))
    const told = (await find(store)).map((each) => (each.ok ? `${each.model.folderName} found` : each.reason))
    expect(told).toEqual([
      expect.stringContaining('is not there: pull the model again'),
      'good:1b found',
      expect.stringContaining('it is over 1 MiB'),
      'its Ollama manifest is not JSON with a list of layers',
      expect.stringContaining('has 2 bytes instead of 3'),
    ])
  })

  test('is refused a blob that is a link out of it', async () => {
    const folder = await tempFolder()
    const store = join(folder, 'store')
    const [blob] = await writeOllamaModel(store, 'tiny', '7b', [{ type: 'model', content: 'w' }])
    await writeTree(folder, { outside: 'w' })
    await unlink(join(store, blob ?? ''))
    await symlink(join(folder, 'outside'), join(store, blob ?? ''))
    expect(await refusal(store)).toContain('leads out of the store')
  })
})

describe('a folder of models', () => {
  test('is searched three levels deep, past links and hidden folders; refusals are told', async () => {
    const folder = await tempFolder()
    await writeTree(folder, {
      'org/repo/A/a.gguf': '',
      'org/repo/deep/B/b.gguf': '',
      '.hidden/C/c.gguf': '',
      'torch/pytorch_model.bin': '',
    })
    await symlink('org', join(folder, 'linked'))
    const finds = await find(folder)
    expect(finds.map((each) => (each.ok ? each.model.shown : each.shown))).toEqual([
      join(folder, 'org/repo/A'),
      join(folder, 'torch'),
    ])
  })
})

describe('the usual places', () => {
  test('are those that are there, by the variables that move them, each once', async () => {
    const home = await tempFolder()
    await writeTree(home, {
      '.ollama/models/x': '',
      'hf/hub/x': '',
      '.lmstudio/models/x': '',
      'models/x': '',
    })
    const around = { env: { HF_HOME: join(home, 'hf'), LLAMA_CACHE: join(home, 'models') }, home }
    const places = await usualPlaces({ ...around, platform: 'darwin' })
    expect(places.map(({ shown }) => shown)).toEqual([
      '~/hf/hub',
      '~/.ollama/models',
      '~/.lmstudio/models',
      '~/models',
    ])
  })
})
