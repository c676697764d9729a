import fc from 'fast-check'
import { expect, test } from 'vitest'
import { ggufShape } from '../../../../shared/memory/gguf-shape.ts'
import { contextBytes } from '../../../../shared/memory/memory-need.ts'
import { readShapeFile, shapeFileText } from '../../../../shared/memory/shape-file.ts'
import { USUAL_SETTING } from '../../../../shared/memory/setting.ts'
import type { ModelShape } from '../../../../shared/memory/shape.ts'
import type { GgufValue } from '../../../../shared/model-files/gguf-values.ts'

type Keys = Readonly<Record<string, GgufValue | readonly (number | boolean)[]>>

function shapeOf(architecture: string, keys: Keys): ModelShape {
  const metadata = new Map<string, GgufValue>([['general.architecture', architecture]])
  for (const [key, value] of Object.entries(keys)) {
    const list = Array.isArray(value) ? (value as readonly (number | boolean)[]) : null
    metadata.set(
      `${architecture}.${key}`,
      list === null ? (value as GgufValue) : { count: list.length, values: list },
    )
  }
  return ggufShape([{ metadata, tensors: [] }])
}

function groupsOf(architecture: string, keys: Keys): unknown {
  const { caches } = shapeOf(architecture, keys)
  return caches.kind === 'known' ? caches.groups : caches.gap
}

const BASE = { block_count: 6, embedding_length: 64, 'attention.head_count': 4 }

function attention(kvHeads: number, length: number, window: number | null = null) {
  return { kind: 'attention', kvHeads, keyLength: length, valueLength: length, window }
}

test('without lengths of their own, heads share the embedding between them', () => {
  expect(groupsOf('llama', { ...BASE, 'attention.head_count_kv': 2 })).toEqual([
    { layers: 6, cache: attention(2, 16) },
  ])
})

test('llama-embed is kept as llama is', () => {
  expect(groupsOf('llama-embed', BASE)).toEqual([{ layers: 6, cache: attention(4, 16) }])
})

test('lengths that the header gives count before the embedding', () => {
  const keys = { ...BASE, 'attention.key_length': 32, 'attention.value_length': 24 }
  expect(groupsOf('qwen3', keys)).toEqual([{ layers: 6, cache: { ...attention(4, 32), valueLength: 24 } }])
})

test('layers without K and V heads keep nothing', () => {
  expect(groupsOf('deci', { ...BASE, 'attention.head_count_kv': [2, 0, 2, 1, 0, 2] })).toEqual([
    { layers: 3, cache: attention(2, 16) },
    { layers: 1, cache: attention(1, 16) },
  ])
})

test('gemma3 keeps everything in each sixth layer, gpt-oss in each second', () => {
  const keys = { ...BASE, 'attention.sliding_window': 512 }
  expect(groupsOf('gemma3', keys)).toEqual([
    { layers: 5, cache: attention(4, 16, 512) },
    { layers: 1, cache: attention(4, 16) },
  ])
  expect(groupsOf('gpt-oss', keys)).toEqual([
    { layers: 3, cache: attention(4, 16, 512) },
    { layers: 3, cache: attention(4, 16) },
  ])
})

test('a period in the header counts before the usual one', () => {
  const keys = { ...BASE, 'attention.sliding_window': 512, 'attention.sliding_window_pattern': 3 }
  expect(groupsOf('gemma3', keys)).toEqual([
    { layers: 4, cache: attention(4, 16, 512) },
    { layers: 2, cache: attention(4, 16) },
  ])
})

test('an architecture whose code has no windows keeps everything, whatever the header says', () => {
  expect(groupsOf('llama', { ...BASE, 'attention.sliding_window': 512 })).toEqual([
    { layers: 6, cache: attention(4, 16) },
  ])
})

test('gemma2 has its window without a key for it', () => {
  expect(groupsOf('gemma2', BASE)).toEqual([
    { layers: 3, cache: attention(4, 16, 4096) },
    { layers: 3, cache: attention(4, 16) },
  ])
})

test('gemma4 lists its window layers, has lengths for them, and the last layers share caches', () => {
  const keys = {
    ...BASE,
    'attention.sliding_window': 512,
    'attention.sliding_window_pattern': [true, true, false, true, true, false],
    'attention.key_length': 64,
    'attention.value_length': 64,
    'attention.key_length_swa': 32,
    'attention.value_length_swa': 32,
    'attention.shared_kv_layers': 2,
  }
  expect(groupsOf('gemma4', keys)).toEqual([
    { layers: 3, cache: attention(4, 32, 512) },
    { layers: 1, cache: attention(4, 64) },
  ])
})

test('compressed heads have one K and no V', () => {
  const keys = {
    ...BASE,
    'attention.head_count_kv': 1,
    'attention.key_length': 576,
    'attention.value_length': 512,
    'attention.key_length_mla': 192,
    'attention.value_length_mla': 128,
    'attention.kv_lora_rank': 512,
  }
  expect(groupsOf('deepseek2', keys)).toEqual([{ layers: 6, cache: { kind: 'latent', width: 576 } }])
})

const SSM = { 'ssm.conv_kernel': 4, 'ssm.inner_size': 6144, 'ssm.state_size': 128, 'ssm.group_count': 16 }

test('each fourth layer of qwen35 has attention, the others a state', () => {
  const keys = {
    ...SSM,
    block_count: 64,
    embedding_length: 5120,
    'attention.head_count': 24,
    'attention.head_count_kv': 4,
    'attention.key_length': 256,
    'attention.value_length': 256,
    full_attention_interval: 4,
  }
  const shape = shapeOf('qwen35', keys)
  expect(contextBytes(shape, { ...USUAL_SETTING, context: 262_144, parallel: 4 })).toBe(
    16_384n * 1024n * 1024n + 627_572_736n,
  )
})

test('layers that only predict further tokens keep nothing where the architecture leaves them out', () => {
  const keys = { ...BASE, ...SSM, block_count: 5, nextn_predict_layers: 1 }
  expect(groupsOf('qwen35', keys)).toMatchObject([{ layers: 1 }, { layers: 3 }])
  // glm4moe keeps a cache for them all the same.
  expect(groupsOf('glm4moe', keys)).toEqual([{ layers: 5, cache: attention(4, 16) }])
})

test('mamba keeps a state and nothing else', () => {
  const keys = { block_count: 3, 'ssm.conv_kernel': 4, 'ssm.inner_size': 64, 'ssm.state_size': 16 }
  expect(groupsOf('mamba', keys)).toEqual([
    { layers: 3, cache: { kind: 'recurrent', convolution: 192, state: 1024 } },
  ])
})

test('falcon-h1 keeps both in every layer, nemotron_h one of both or nothing', () => {
  expect(groupsOf('falcon-h1', { ...BASE, ...SSM })).toMatchObject([{ layers: 6 }, { layers: 6 }])
  const keys = {
    ...BASE,
    ...SSM,
    'attention.head_count_kv': [0, 2, 0, 0, 0, 0],
    feed_forward_length: [0, 0, 128, 0, 128, 0],
  }
  expect(groupsOf('nemotron_h', keys)).toMatchObject([
    { layers: 1, cache: { kind: 'attention' } },
    { layers: 3, cache: { kind: 'recurrent' } },
  ])
})

test('an architecture that is not known leaves the cache unknown', () => {
  expect(groupsOf('deepseek4', BASE)).toEqual({ kind: 'architecture', name: 'deepseek4' })
  expect(groupsOf('', {})).toEqual({ kind: 'architecture', name: null })
})

test('a key that is missing or useless leaves the cache unknown, and is named', () => {
  expect(groupsOf('llama', { block_count: 2 })).toEqual({ kind: 'key', key: 'llama.attention.head_count' })
  expect(groupsOf('llama', { ...BASE, block_count: 100_000 })).toEqual({
    kind: 'key',
    key: 'llama.block_count',
  })
  expect(groupsOf('llama', { ...BASE, 'attention.head_count_kv': [1, 2] })).toMatchObject([{ layers: 6 }])
  expect(groupsOf('gemma4', BASE)).toMatchObject({ kind: 'key' })
})

test('whatever a header holds, there is a shape', () => {
  const value = fc.oneof(
    fc.integer(),
    fc.double(),
    fc.bigInt(),
    fc.boolean(),
    fc.string(),
    fc.array(fc.oneof(fc.integer(), fc.boolean()), { maxLength: 20 }),
  )
  const keys = [
    ...Object.keys({ ...BASE, ...SSM }),
    'attention.sliding_window',
    'kda.head_dim',
    'wkv.head_size',
  ]
  const architectures = ['llama', 'gemma3', 'gemma4', 'qwen35', 'jamba', 'rwkv7', 'kimi-linear', 'nemotron_h']
  fc.assert(
    fc.property(
      fc.constantFrom(...architectures),
      fc.dictionary(fc.constantFrom(...keys), value),
      (architecture, found) => {
        const shape = shapeOf(architecture, found)
        const bytes = contextBytes(shape, USUAL_SETTING)
        expect(bytes === null || bytes >= 0n).toBe(true)
      },
    ),
  )
})

test('weights of more bytes than a file can be sure to hold are unknown, so that the kept shape can be read again', () => {
  const tensor = { name: 'w', shape: [1n], type: 0, offset: 0n, bytes: 2n ** 53n - 1n }
  const shapeWith = (count: number): ModelShape =>
    ggufShape([{ metadata: new Map(), tensors: Array.from({ length: count }, () => tensor) }])
  for (const [count, weights] of [
    [1, 2n ** 53n - 1n],
    [2, null],
  ] as const) {
    const shape = shapeWith(count)
    expect(shape.weightsBytes).toBe(weights)
    const text = shapeFileText({ packageId: 'ab'.repeat(32), model: 'a', shape })
    expect(readShapeFile(text, 'a.json')).toMatchObject({ ok: true, value: { shape } })
  }
})
