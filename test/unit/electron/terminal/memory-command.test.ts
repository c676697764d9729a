import { cp, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { shapeFileName, shapeFileText } from '../../../../shared/memory/shape-file.ts'
import type { ModelShape } from '../../../../shared/memory/shape.ts'
import { createLabReader } from '../../../../shared/lab/read-lab.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import { loadLabFiles } from '../../../../electron/host/lab.ts'
import { labPathsByConvention } from '../../../../electron/host/paths.ts'
import { gguf } from '../../../support/weight-files.ts'
import { tempFolder } from '../../../support/temp-folder.ts'
import { cli } from './fake-io.ts'

const LLAMA = {
  'general.architecture': 'llama',
  'llama.block_count': 4,
  'llama.context_length': 8192,
  'llama.embedding_length': 64,
  'llama.attention.head_count': 4,
  'llama.attention.head_count_kv': 2,
}

async function llamaFile(): Promise<string> {
  const path = join(await tempFolder(), 'a.gguf')
  await writeFile(path, gguf({ metadata: LLAMA, tensors: { w: 1000 } }))
  return path
}

test('a GGUF file is enough: no lab is needed', async () => {
  const { code, out, err } = await cli([
    'memory',
    await llamaFile(),
    '--lab',
    '/nowhere',
    '--context',
    '4096',
  ])
  expect(err).toBe('')
  expect(out).toContain('trained for 8,192')
  expect(out).toMatch(/weights +4\.0 kB +tensor bytes/)
  expect(out).toMatch(/KV cache +2\.1 MB +full attention: 4 layers × 4,096 cells × 2 heads/)
  expect(code).toBe(0)
})

test('the working is said whole however narrow the terminal is', async () => {
  const { out } = await cli(['memory', await llamaFile(), '--context', '4096'])
  expect(out.replace(/\s+/g, ' ')).toContain('4 layers × 4,096 cells × 2 heads × (16 f16 + 16 f16)')
  expect(out).not.toContain('…')
})

test('JSON has every part with exact bytes', async () => {
  const { out } = await cli(['memory', await llamaFile(), '--json', '--kv', 'q8_0', '--parallel', '2'])
  const { models } = JSON.parse(out) as { models: readonly Record<string, unknown>[] }
  expect(models).toMatchObject([
    {
      context: 8192,
      key_type: 'q8_0',
      parallel: 2,
      context_bytes: 4 * 8192 * 2 * 2 * 17,
      unknown: [],
      parts: [
        { part: 'weights', bytes: 4000 },
        { part: 'kv_cache', formula: 'full attention', layers: 4, cells: 8192 },
        { part: 'compute_buffer' },
      ],
    },
  ])
})

test('a context over what the model was trained for is said to be, and worked out', async () => {
  const { code, out } = await cli(['memory', await llamaFile(), '--context', '2147483648'])
  expect(out.replace(/\s+/g, ' ')).toContain('2,147,483,648 is over the 8,192 the model was trained for')
  expect(code).toBe(0)
})

test('an architecture that is not known leaves the KV cache unknown and the weights known', async () => {
  const path = join(await tempFolder(), 'a.gguf')
  await writeFile(path, gguf({ metadata: { 'general.architecture': 'strange' }, tensors: { w: 1000 } }))
  const { code, out } = await cli(['memory', path])
  expect(out).toMatch(/weights +4\.0 kB/)
  expect(out.replace(/\s+/g, ' ')).toContain(
    'KV cache unknown: how the architecture strange keeps its context',
  )
  expect(out).toContain('more than ')
  expect(code).toBe(0)
})

test.each([
  [['--context', '0'], 'A context has at least 1 token.'],
  [['--context', '-5'], 'A context has at least 1 token.'],
  [['--context', '2147483649'], 'A context has at most 2,147,483,648 (2^31) tokens.'],
  [['--context', 'many'], 'A context is a whole number of tokens.'],
  [['--kv', 'q3_0'], 'Allowed choices are f32, f16'],
  [['--parallel', '0'], 'A server answers 1 to 256 requests at once.'],
])('what makes no sense is bad usage: %j', async (args, message) => {
  const { code, err } = await cli(['memory', 'a.gguf', ...args])
  expect(err.replace(/\s+/g, ' ')).toContain(message)
  expect(code).toBe(64)
})

test('a file that is none, a role that is none, and a file cut off are bad input', async () => {
  const path = join(await tempFolder(), 'a.gguf')
  await writeFile(path, gguf({ metadata: LLAMA }).subarray(0, 200))
  for (const [target, message] of [
    [path, 'a.gguf ends within its own header'],
    [join(path, '..', 'none.gguf'), 'none.gguf'],
    ['nobody', 'no role of the roster'],
  ] as const) {
    const { code, err } = await cli(['memory', target, '--lab', 'examples/sample-lab'])
    expect(err.replace(/\s+/g, ' ')).toContain(message)
    expect(code).toBe(3)
  }
})

const SHAPE: ModelShape = {
  architecture: 'qwen3',
  weightsBytes: 2_000_000_000n,
  projectorBytes: 0n,
  trainedContext: 131_072,
  caches: {
    kind: 'known',
    groups: [
      {
        layers: 64,
        cache: { kind: 'attention', kvHeads: 8, keyLength: 128, valueLength: 128, window: null },
      },
    ],
  },
}

test('a role is compared with ram_gb, and each node says the largest context that fits there', async () => {
  const folder = await tempFolder()
  await cp('examples/sample-lab', folder, { recursive: true })
  const paths = labPathsByConvention(folder)
  const lab = createLabReader()(await loadLabFiles(paths))
  const role = plan(lab, null, DEFAULT_SCENARIO).roles.find(({ outcome }) => outcome.kind === 'in_place')
  const manifest = role?.manifest
  if (!manifest) throw new Error('no role of the sample lab runs in place')
  await mkdir(paths.shapes.path, { recursive: true })
  const { packageId } = manifest
  await writeFile(
    join(paths.shapes.path, shapeFileName(packageId)),
    shapeFileText({ packageId, model: manifest.body.name, shape: SHAPE }),
  )
  const { code, out } = await cli(['memory', role.role, '--lab', folder])
  expect(out).toContain('largest context that fits there')
  expect(out).toMatch(/KV cache +8\.6 GB/)
  expect(out).toMatch(/ram_gb says/)
  expect(out.replace(/\s+/g, ' ')).toMatch(
    /twice the context: With 65,536 tokens it takes 20\.0 GB and (runs|fits) on/,
  )
  expect(out).not.toContain('largest context for all')
  expect(code).toBe(0)

  const all = await cli(['memory', '--lab', folder])
  expect(all.out.replace(/\s+/g, ' ')).toMatch(/largest context for all [\d,]+ tokens for the one role: /)
  const json = JSON.parse((await cli(['memory', '--lab', folder, '--json', '--kv', 'q8_0'])).out) as {
    readonly models: readonly {
      readonly twice_the_context: { readonly context: number; readonly run_bytes: number }
    }[]
    readonly largest_for_all: { readonly context: number; readonly roles: Readonly<Record<string, number>> }
  }
  expect(json.models[0]?.twice_the_context).toMatchObject({ context: 65_536 })
  expect(json.largest_for_all.roles).toEqual({ [role.role]: json.largest_for_all.context })
})
