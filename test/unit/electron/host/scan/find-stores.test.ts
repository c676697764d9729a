import { mkdir, rename, symlink, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { usualPlaces } from '../../../../../electron/host/scan/usual-places.ts'
import { safetensors, writeModels, writeOllamaModel, writeSnapshot } from '../../../../support/model-trees.ts'
import { tempFolder } from '../../../../support/temp-folder.ts'
import { gguf, tensorsOf } from '../../../../support/weight-files.ts'
import { find, found, one, refusal, missing, lines, paths } from './find-in.ts'

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

  test('is refused manifests that are a linked folder', async () => {
    const folder = await tempFolder()
    const store = join(folder, 'store')
    await writeOllamaModel(store, 'tiny', '7b', [{ type: 'model', content: 'w' }])
    await rename(join(store, 'manifests'), join(folder, 'elsewhere'))
    await symlink('../elsewhere', join(store, 'manifests'))
    expect(lines(await find(store))).toEqual([`${store}/manifests: a linked folder, which is not followed`])
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
