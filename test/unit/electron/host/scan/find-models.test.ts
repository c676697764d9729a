import { mkdir, realpath, rename, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { findModels } from '../../../../../electron/host/scan/find-models.ts'
import type { Find, FoundModel } from '../../../../../electron/host/scan/found-model.ts'
import { usualPlaces } from '../../../../../electron/host/scan/usual-places.ts'
import type { Disk } from '../../../../../electron/host/disk.ts'
import { diskFailingAt } from '../../../../support/failing-disk.ts'
import { safetensors, writeModels, writeOllamaModel, writeSnapshot } from '../../../../support/model-trees.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'
import { gguf, tensorsOf } from '../../../../support/weight-files.ts'

function find(path: string, disk?: Disk): Promise<readonly Find[]> {
  return findModels({ path, shown: path }, disk)
}

async function found(path: string): Promise<readonly FoundModel[]> {
  return (await find(path)).flatMap((each) => {
    if (each.ok) return [each.model]
    if (each.kind === 'refused') throw new Error(each.reason)
    return []
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

function missing(model: FoundModel): readonly string[] {
  return model.missing
}

/** What was left out, `PLACE: REASON` each. */
function lines(finds: readonly Find[]): readonly string[] {
  return finds.flatMap((each) => (each.ok ? [] : [`${each.shown}: ${each.reason}`]))
}

function paths({ shards }: FoundModel): string[] {
  return shards.map(({ path }) => path)
}

describe('a model folder', () => {
  test('has weight files to the fourth level as shards, its tokenizer and its template', async () => {
    const root = join(await tempFolder(), 'org', 'Model-4bit')
    await writeModels(root, {
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
    const finds = await find(root)
    const only = finds.find(({ ok }) => ok)
    if (only?.ok !== true) throw new Error('not found')
    const { model, warnings } = only
    expect(paths(model)).toEqual(['a.SafeTensors', 'b.safetensors', 'x/y/z/deep.bin'])
    expect(model.tokenizer?.path).toBe('tokenizer.json')
    expect(model.template?.path).toBe('chat_template.json')
    expect(model).toMatchObject({ kind: 'folder', folderName: 'Model-4bit', folderRepo: 'org/Model-4bit' })
    expect(warnings).toEqual([])
    expect(missing(model)).toEqual([])
    expect(lines(finds)).toEqual([
      `${join(root, 'x/y/z/w')}: deeper than 4 levels: what is in it is not looked at`,
    ])
  })

  test('is mlx where mlx-lm wrote it and safetensors elsewhere', async () => {
    const folder = await tempFolder()
    await writeModels(folder, {
      'tensors/a.safetensors': safetensors('mlx', ''),
      'config/a.safetensors': safetensors('pt', ''),
      'config/config.json': '{"quantization": {"bits": 4}}',
      'plain/a.safetensors': safetensors('pt', ''),
      'plain/config.json': '{"quantization_config": {"bits": 4}}',
      'broken/a.safetensors': safetensors('pt', ''),
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

  test('has only those of its files whose names are plain tokens; the others are reported', async () => {
    const root = await tempFolder()
    await writeModels(root, {
      'a.gguf': 'a',
      '.hidden.gguf': 'h',
      'b c.gguf': 'b',
      'é.txt': 'e',
      '.cache/d.gguf': 'd',
      'My Model/e.gguf': 'e',
    })
    // A name that is no UTF-8 at all.
    await writeFile(
      Buffer.concat([Buffer.from(`${root}/`), Buffer.from([0xff, 0xfe]), Buffer.from('.gguf')]),
      '',
    )
    expect(paths(await one(root))).toEqual(['a.gguf'])
    const told = lines(await find(root)).map((line) => line.slice(root.length + 1))
    expect(told).toHaveLength(3)
    expect(told[0]).toMatch(/^My Model: .* to My-Model for example$/)
    expect(told[1]).toMatch(/^b c\.gguf: .* to b-c\.gguf for example$/)
  })

  test('is refused with more than 255 weight files', async () => {
    const root = await tempFolder()
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, i) => [`s${i}.safetensors`, 'x']))
    await writeModels(root, files(255))
    expect(paths(await one(root))).toHaveLength(255)
    await writeModels(root, files(256))
    expect(await refusal(root)).toBe('it has 256 weight files; a manifest can list 255')
  })

  test('is refused with more than 4,096 entries, and taken with as many', async () => {
    const root = await tempFolder()
    await writeModels(root, { 'a.safetensors': 'a' })
    for (let i = 0; i < 4095; i += 256) {
      const names = Array.from({ length: Math.min(256, 4095 - i) }, (_, j) => join(root, `f${i + j}`))
      await Promise.all(names.map((name) => writeFile(name, '')))
    }
    expect(paths(await one(root))).toEqual(['a.safetensors'])
    await writeModels(root, { 'one-more': '' })
    expect(await refusal(root)).toContain('more than 4096 entries')
  })

  test('is refused without weights, and with weights of no manifest’s format', async () => {
    const folder = await tempFolder()
    await writeModels(folder, {
      'none/config.json': '{}',
      'torch/pytorch_model.bin': 'x',
      'empty/README.md': '',
    })
    expect(await refusal(join(folder, 'none'))).toContain('there are no weights in it')
    expect(await refusal(join(folder, 'torch'))).toContain('PyTorch')
    expect(await refusal(join(folder, 'empty'))).toContain('no model was found')
    expect(await refusal(join(folder, 'gone'))).toContain('there is no such file or folder')
  })

  test('is reported, with the file, when something in it cannot be looked at; its neighbours are found', async () => {
    const root = await tempFolder()
    await writeModels(root, {
      'M/a.safetensors': 'a',
      'M/b.safetensors': 'b',
      'sub/b.gguf': 'b',
      'c.gguf': 'c',
    })
    const failing = await find(
      root,
      diskFailingAt('stat', 'EACCES', (path) => path.endsWith('a.safetensors')),
    )
    const model = failing.flatMap((each) => (each.ok && each.model.folderName === 'M' ? [each.model] : []))[0]
    expect(model && missing(model)).toEqual([
      expect.stringContaining('a.safetensors cannot be looked at: permission denied'),
    ])
    const unlisted = await find(
      root,
      diskFailingAt('readdir', 'EACCES', (path) => path.endsWith('sub')),
    )
    expect(unlisted.filter(({ ok }) => ok)).toHaveLength(2)
    expect(lines(unlisted).join()).toContain('sub: it cannot be read: permission denied')
  })
})

describe('links in a model folder', () => {
  test('are followed inside it; one that leads nowhere or in a circle keeps it from being whole', async () => {
    const root = await tempFolder()
    await writeModels(root, { 'real/a.safetensors': 'x', 'config.json': '{}' })
    await symlink('real/a.safetensors', join(root, 'b.safetensors'))
    await symlink('nowhere.safetensors', join(root, 'dangling.safetensors'))
    await symlink('circle.safetensors', join(root, 'circle.safetensors'))
    const model = await one(root)
    expect(paths(model)).toEqual(['b.safetensors', 'real/a.safetensors'])
    expect(model.shards[0]?.real).toBe(join(root, 'real/a.safetensors'))
    expect(missing(model)).toEqual([
      'circle.safetensors is a link to nothing',
      'dangling.safetensors is a link to nothing',
    ])
  })

  test('refuse the scan when one leads out, also to a folder whose name starts the same', async () => {
    const folder = await tempFolder()
    await writeModels(folder, { 'model/a.safetensors': 'x', 'model-2/b.safetensors': 'x' })
    await symlink('../model-2/b.safetensors', join(folder, 'model', 'b.safetensors'))
    expect(await refusal(join(folder, 'model'))).toContain('b.safetensors is a link that leads out')
  })

  test('to a folder are reported and passed over, wherever they lead', async () => {
    const root = await tempFolder()
    await writeModels(root, { 'config.json': '{}', 'a.safetensors': 'x', 'sub/b.safetensors': 'x' })
    await symlink('sub', join(root, 'linked'))
    expect(paths(await one(root))).toEqual(['a.safetensors', 'sub/b.safetensors'])
    expect(lines(await find(root))).toEqual([
      `${join(root, 'linked')}: a linked folder: name it itself to have it scanned`,
    ])
  })

  test('may lead to the folder itself', async () => {
    const folder = await tempFolder()
    await writeModels(folder, { 'drive/Model/a.safetensors': 'x' })
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
    await writeModels(hub, { 'models--org--Other/blobs/x': 'theirs' })
    await symlink('../../../models--org--Other/blobs/x', join(snapshot, 'b.safetensors'))
    expect(await refusal(snapshot)).toContain('b.safetensors is a link that leads out')
  })

  test('is not whole with a link whose blob is gone', async () => {
    const hub = await tempFolder()
    const snapshot = await writeSnapshot(hub, 'org/Model', 'abc', FILES)
    await symlink('../../blobs/none', join(snapshot, 'b.safetensors'))
    const model = await one(snapshot)
    expect(paths(model)).toEqual(['model.safetensors'])
    expect(missing(model)).toEqual(['b.safetensors is a link to nothing'])
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

  /** Moves the blob that `link` leads to among those that all repos share, as newer downloads have it. */
  async function shareBlob(hub: string, link: string, at: string): Promise<void> {
    const blob = await realpath(link)
    await mkdir(dirname(join(hub, 'blobs', at)), { recursive: true })
    await rename(blob, join(hub, 'blobs', at))
    await symlink(join('../../blobs', at), blob)
  }

  test.each([
    ['1', `ab/${'ab'.repeat(32)}`, 'found'],
    ['1\n', `ab/${'ab'.repeat(32)}`, 'found'],
    ['0', `ab/${'ab'.repeat(32)}`, 'leads out'],
    [null, `ab/${'ab'.repeat(32)}`, 'leads out'],
    ['1', `ab/${'ab'.repeat(31)}`, 'leads out'],
    ['1', `abc/${'ab'.repeat(32)}`, 'leads out'],
    ['1', `ab/cd/${'ab'.repeat(32)}`, 'leads out'],
  ])('with the marker %j and a shared blob at %s is %s', async (marker, at, outcome) => {
    const hub = await tempFolder()
    const snapshot = await writeSnapshot(hub, 'org/Model', 'abc', FILES)
    await shareBlob(hub, join(snapshot, 'model.safetensors'), at)
    if (marker !== null) await writeFile(join(hub, 'blobs/.huggingface-shared-blobs'), marker)
    expect(await refusal(snapshot)).toContain(outcome)
  })

  test('is refused when it leads to a shared blob without its repo’s own', async () => {
    const hub = await tempFolder()
    const snapshot = await writeSnapshot(hub, 'org/Model', 'abc', FILES)
    const at = `ab/${'ab'.repeat(32)}`
    await writeModels(join(hub, 'blobs'), { [at]: 'x', '.huggingface-shared-blobs': '1' })
    await symlink(join('../../../blobs', at), join(snapshot, 'c.safetensors'))
    expect(await refusal(snapshot)).toContain('c.safetensors is a link that leads out')
  })

  test('is not the one that main is at when only another is whole, and both are reported', async () => {
    const hub = await tempFolder()
    const index = '{"weight_map": {"w": "model.safetensors", "v": "other.safetensors"}}'
    await writeSnapshot(hub, 'org/Model', 'whole', FILES)
    await writeSnapshot(hub, 'org/Model', 'newer', { ...FILES, 'model.safetensors.index.json': index })
    const [chosen] = await find(join(hub, 'models--org--Model'))
    if (chosen?.ok !== true) throw new Error('not found')
    expect(chosen.model.source?.hfRevision).toBe('whole')
    expect(chosen.warnings).toEqual([
      'refs/main names the snapshot newer, which is not whole (other.safetensors is not there): whole counts',
    ])
  })

  test('of several quantizations is a model for each, from the snapshot that has it', async () => {
    const hub = await tempFolder()
    await writeSnapshot(hub, 'org/M-GGUF', 'one', { 'M-Q4_K_M.gguf': '4' })
    await writeSnapshot(hub, 'org/M-GGUF', 'two', {
      'Q8_0/M-Q8_0-00001-of-00002.gguf': '81',
      'Q8_0/M-Q8_0-00002-of-00002.gguf': '82',
      'mmproj-F16.gguf': gguf({ metadata: { 'general.type': 'mmproj' } }),
    })
    const models = await found(hub)
    expect(models.map(({ folderName, source }) => [folderName, source?.hfRevision])).toEqual([
      ['M-Q4_K_M', 'one'],
      ['M-Q8_0', 'two'],
    ])
  })

  test('is not whole beside an unfinished download, and is once that is there', async () => {
    const hub = await tempFolder()
    const snapshot = await writeSnapshot(hub, 'org/Model', 'abc', FILES)
    await writeModels(hub, { 'models--org--Model/blobs/fff.incomplete': 'half' })
    expect(missing(await one(snapshot))).toEqual(['blobs/fff.incomplete is an unfinished download'])
    await writeModels(hub, { 'models--org--Model/blobs/fff': 'whole' })
    expect(missing(await one(snapshot))).toEqual([])
  })

  test('that is a link out of its repo is reported and not followed', async () => {
    const hub = await tempFolder()
    await writeSnapshot(hub, 'org/Model', 'abc', FILES)
    await writeModels(hub, { 'elsewhere/model.safetensors': 'x' })
    await symlink('../../elsewhere', join(hub, 'models--org--Model/snapshots/linked'))
    await writeFile(join(hub, 'models--org--Model/refs/main'), 'linked')
    const finds = await find(join(hub, 'models--org--Model'))
    expect(finds.flatMap((each) => (each.ok ? [each.model.source?.hfRevision] : []))).toEqual(['abc'])
    expect(lines(finds).join()).toContain('a linked folder')
  })
})

describe('GGUF files', () => {
  test('are a model each, parts of a split one together', async () => {
    const folder = await tempFolder()
    await writeModels(folder, {
      'models/a-Q4.gguf': 'a',
      'models/b-00001-of-00002.gguf': '1',
      'models/b-00002-of-00002.gguf': '2',
    })
    const models = await found(join(folder, 'models'))
    expect(models.map((model) => [model.folderName, model.format, paths(model)])).toEqual([
      ['a-Q4', 'gguf', ['a-Q4.gguf']],
      ['b', 'gguf', ['b-00001-of-00002.gguf', 'b-00002-of-00002.gguf']],
    ])
  })

  test('have projectors, adapters and matrices reported beside them, by their headers', async () => {
    const folder = join(await tempFolder(), 'Vision')
    await writeModels(folder, {
      'model.gguf': 'm',
      'eyes.gguf': gguf({ metadata: { 'general.type': 'mmproj' } }),
      'my-lora.gguf': 'old, without a type',
    })
    const [only, ...more] = await find(folder)
    expect(more).toEqual([])
    expect(only).toMatchObject({
      model: { folderName: 'Vision', kind: 'gguf', shards: [{ path: 'model.gguf' }] },
      warnings: [
        'eyes.gguf lies with it, a projector: not in its manifest',
        'my-lora.gguf lies with it, an adapter: not in its manifest',
      ],
    })
  })

  test('of a projector alone are no model, which is reported', async () => {
    const folder = await tempFolder()
    await writeModels(folder, { 'mmproj-F16.gguf': 'p' })
    expect(await refusal(folder)).toContain('a projector, and no model that it belongs to is here')
  })

  test('are not whole when they are cut off, lack a part, or are being downloaded', async () => {
    const folder = await tempFolder()
    const file = gguf({ metadata: { 'general.type': 'model' }, tensors: { a: 100, b: 100 } })
    const part = gguf({ metadata: { 'split.count': 2 } })
    await writeModels(folder, {
      'ok.gguf': file,
      'cut.gguf': file.subarray(0, file.length - 100),
      'set-00002-of-00003.gguf': 'two',
      'renamed.gguf': part,
      'loading.gguf': 'all of it, with holes',
      'loading.gguf.aria2': 'control',
      'other.gguf.part': 'half',
    })
    const finds = await find(folder)
    const found = finds.flatMap((each) => (each.ok ? [[each.model.folderName, each.model.missing]] : []))
    expect(Object.fromEntries(found)).toEqual({
      ok: [],
      set: ['set-00001-of-00003.gguf is not there', 'set-00003-of-00003.gguf is not there'],
      renamed: [expect.stringContaining('one of 2 parts by its own header')],
      loading: ['loading.gguf.aria2 is an unfinished download'],
    })
    expect(lines(finds).join('\n')).toMatch(/cut\.gguf has \d+ of the \d+ bytes that its own header says/)
    expect(lines(finds).join('\n')).toMatch(/other\.gguf\.part: an unfinished download/)
  })

  test.each([
    ['', 'is empty'],
    ['version https://git-lfs.github.com/spec/v1\n', 'pointer of Git LFS'],
    ['<!DOCTYPE html>', 'is a web page'],
    ['anything', 'is no GGUF file'],
  ])('with %j in them are no weights', async (content, why) => {
    const folder = await tempFolder()
    await writeModels(folder, { 'a.gguf': Buffer.from(content), 'b.gguf': 'b' })
    expect((await find(folder)).filter(({ ok }) => ok)).toHaveLength(1)
    expect(lines(await find(folder)).join()).toContain(why)
  })

  test('can be named by themselves, and then are all that counts of their folder', async () => {
    const folder = await tempFolder()
    await writeModels(folder, { 'a-Q4.gguf': 'aa', 'a-Q8.gguf': '', 'c.safetensors': '' })
    await symlink('nowhere', join(folder, 'dangling'))
    const model = await one(join(folder, 'a-Q4.gguf'))
    expect(model).toMatchObject({ kind: 'gguf', folderName: 'a-Q4', root: folder })
    expect(model.shards).toMatchObject([{ path: 'a-Q4.gguf', size: 26n }])
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
    await writeModels(folder, { 'a.safetensors': '', 'b c.gguf': '' })
    expect(await refusal(join(folder, 'a.safetensors'))).toContain('name the folder of the model')
    expect(await refusal(join(folder, 'b c.gguf'))).toContain('rename it: only letters, digits and . _ + : -')
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

  test('reports each model that is damaged, and has the others', async () => {
    const store = await tempFolder()
    await writeOllamaModel(store, 'good', '1b', [{ type: 'model', content: 'w' }])
    await writeOllamaModel(store, 'short', '1b', [{ type: 'model', content: 'ww', size: 3 }])
    await writeModels(store, { 'manifests/registry.ollama.ai/library/odd/1b': 'not json' })
    await writeModels(store, { 'manifests/registry.ollama.ai/library/huge/1b': ' '.repeat(1024 * 1024 + 1) })
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

  test('has the models of every registry and namespace, with what is not in the manifest', async () => {
    const store = await tempFolder()
    const layers = [
      { type: 'model', content: 'w' },
      { type: 'projector', content: 'eyes' },
    ]
    await writeOllamaModel(store, 'coder', '7b', layers, 'registry.ollama.ai/someuser')
    await writeOllamaModel(store, 'Big-GGUF', 'Q4_K_M', layers, 'hf.co/acme')
    await writeOllamaModel(store, 'x', '1b', layers, 'my.host:5000/library')
    await writeModels(store, { 'manifests/stray': 'x' })
    await symlink('hf.co', join(store, 'manifests/linked'))
    const finds = await find(store)
    const models = finds.flatMap((each) => (each.ok ? [each] : []))
    expect(models.map(({ model }) => model.source?.ollamaTag)).toEqual([
      'hf.co/acme/Big-GGUF:Q4_K_M',
      'my.host:5000/library/x:1b',
      'someuser/coder:7b',
    ])
    expect(models[0]?.warnings.join()).toContain('a projector, is not in its manifest')
    expect(lines(finds)).toHaveLength(2)
  })

  test('is refused a blob that is a link out of it', async () => {
    const folder = await tempFolder()
    const store = join(folder, 'store')
    const [blob] = await writeOllamaModel(store, 'tiny', '7b', [{ type: 'model', content: 'w' }])
    await writeModels(folder, { outside: 'w' })
    await unlink(join(store, blob ?? ''))
    await symlink(join(folder, 'outside'), join(store, blob ?? ''))
    expect(await refusal(store)).toContain('leads out of the store')
  })
})

describe('a folder of models', () => {
  test('is searched three levels deep, past links and hidden folders, which are reported', async () => {
    const folder = await tempFolder()
    await writeModels(folder, {
      'org/repo/A/a.gguf': 'a',
      'org/repo/deep/B/b.gguf': 'b',
      '.hidden/C/c.gguf': 'c',
      'torch/pytorch_model.bin': 'x',
      'onnx/model.onnx': 'x',
    })
    await symlink('org', join(folder, 'linked'))
    const finds = await find(folder)
    expect(finds.flatMap((each) => (each.ok ? [each.model.shown] : []))).toEqual([
      join(folder, 'org/repo/A/a.gguf'),
    ])
    const told = lines(finds).map((line) => line.slice(folder.length + 1))
    expect(told.sort()).toEqual([
      'linked: a linked folder: name it itself to have it scanned',
      'onnx/model.onnx: a .onnx model: no manifest has that format',
      'org/repo/deep/B: deeper than 4 levels: what is in it is not looked at',
      expect.stringMatching(/^torch: its weights are PyTorch/),
    ])
  })

  test('is no model, whatever lies loose beside the folders', async () => {
    const folder = await tempFolder()
    await writeModels(folder, {
      'config.json': '{"theme": "dark"}',
      'Loose-Q4.gguf': 'loose',
      'acme/Small-1B/model.safetensors': 'small',
      'acme/Small-1B/config.json': '{}',
      'acme/Big-GGUF/Q4_K_M/Big-Q4_K_M.gguf': 'big',
      'acme/Plain/model.safetensors': 'plain',
    })
    expect((await found(folder)).map(({ folderName }) => folderName).sort()).toEqual([
      'Big-Q4_K_M',
      'Loose-Q4',
      'Plain',
      'Small-1B',
    ])
  })

  test('has a pipeline as one model, though each of its parts has a configuration', async () => {
    const folder = await tempFolder()
    await writeModels(folder, {
      'Pipe/model_index.json': '{}',
      'Pipe/unet/config.json': '{}',
      'Pipe/unet/a.safetensors': 'u',
      'Pipe/vae/config.json': '{}',
      'Pipe/vae/b.safetensors': 'v',
    })
    expect(paths(await one(folder))).toEqual(['unet/a.safetensors', 'vae/b.safetensors'])
  })
})

describe('the shards of a folder', () => {
  const NAMES = ['m-00001-of-00002.safetensors', 'm-00002-of-00002.safetensors'] as const
  const INDEX = JSON.stringify({ weight_map: { a: NAMES[0], b: NAMES[1] } })

  test.each([
    [
      'the index names one more',
      { [NAMES[0]]: 'a', 'm.safetensors.index.json': INDEX },
      `${NAMES[1]} is not there`,
    ],
    ['the numbers say there is one more', { [NAMES[1]]: 'b' }, `${NAMES[0]} is not there`],
    ['one is a pointer', { [NAMES[0]]: 'a', [NAMES[1]]: Buffer.from('version https://git-lfs') }, 'Git LFS'],
    [
      'one is cut off',
      { 'a.safetensors': safetensors('pt', ''), 'b.safetensors': tensorsOf('').subarray(0, 9) },
      'cut off',
    ],
    ['one is unfinished', { 'a.safetensors': 'a', 'b.safetensors.part': 'b' }, 'unfinished download'],
  ])('are not whole when %s', async (_what, files, why) => {
    const root = await tempFolder()
    await writeModels(root, files)
    const model = await one(root)
    expect(missing(model).join('; ')).toContain(why)
    expect(paths(model)).toHaveLength(1)
  })

  test('are whole beside a stale index, with a warning', async () => {
    const root = await tempFolder()
    await writeModels(root, { 'model.safetensors': 'all', 'model.safetensors.index.json': INDEX })
    const [only] = await find(root)
    expect(only?.ok === true && only.model.missing).toEqual([])
    expect(only?.ok === true && only.warnings.join()).toContain('is of other files')
  })
})

describe('the usual places', () => {
  test('are those that are there, by the variables that move them, each once', async () => {
    const home = await tempFolder()
    await writeModels(home, {
      '.ollama/models/x': '',
      'hf/hub/x': '',
      '.lmstudio/models/x': '',
      'models/x': '',
    })
    const around = { env: { HF_HOME: join(home, 'hf'), LLAMA_CACHE: join(home, 'models') }, home }
    const places = await usualPlaces({ ...around, platform: 'darwin' })
    expect(places.places.map(({ shown }) => shown)).toEqual([
      '~/hf/hub',
      '~/.ollama/models',
      '~/.lmstudio/models',
      '~/models',
    ])
  })

  test('are reported when a variable names one that is away', async () => {
    const home = await tempFolder()
    const { places, away } = await usualPlaces({
      env: { OLLAMA_MODELS: '/nowhere' },
      home,
      platform: 'darwin',
    })
    expect(places).toEqual([])
    expect(lines(away)).toEqual([
      '/nowhere: the place that OLLAMA_MODELS names is not there: is its drive away?',
    ])
  })
})
