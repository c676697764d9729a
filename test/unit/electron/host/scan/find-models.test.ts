import { mkdir, realpath, rename, symlink, unlink, utimes, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { describe, expect, test } from 'vitest'
import type { FoundModel } from '../../../../../electron/host/scan/found-model.ts'
import { diskFailingAt } from '../../../../support/failing-disk.ts'
import { safetensors, writeModels, writeSnapshot } from '../../../../support/model-trees.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'
import { gguf } from '../../../../support/weight-files.ts'
import { find, found, one, refusal, missing, lines, paths } from './find-in.ts'

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
    expect(lines(finds).join()).toContain('refs/main names the snapshot linked, which is a linked folder')
  })

  test('in a linked folder of snapshots is not followed, nor looked for by what refs/main leads to', async () => {
    const hub = await tempFolder()
    const repo = join(hub, 'models--org--Model')
    await writeSnapshot(hub, 'org/Model', 'abc', FILES)
    await writeFile(join(hub, 'secret'), 'a text that is no name')
    await unlink(join(repo, 'refs/main'))
    await symlink(join(hub, 'secret'), join(repo, 'refs/main'))
    const finds = await find(repo)
    expect([finds.map(({ ok }) => ok), lines(finds)]).toEqual([[true], []])
    await rename(join(repo, 'snapshots'), join(hub, 'elsewhere'))
    await symlink('../elsewhere', join(repo, 'snapshots'))
    expect(lines(await find(repo))).toEqual([`${repo}/snapshots: a linked folder, which is not followed`])
  })

  test('is scanned where it really lies, through links in every folder of the name', async () => {
    const folder = await tempFolder()
    await writeSnapshot(join(folder, 'hub'), 'org/Model', 'abc', FILES)
    await symlink('hub', join(folder, 'by-link'))
    const model = await one(join(folder, 'by-link'))
    expect(model.root).toBe(join(folder, 'hub/models--org--Model/snapshots/abc'))
    for (const { real } of model.shards) expect(real).toBe(await realpath(real))
  })
})
