import fc from 'fast-check'
import { expect, test } from 'vitest'
import { configShape } from '../../../../shared/memory/config-shape.ts'
import { contextBytes } from '../../../../shared/memory/memory-need.ts'
import { USUAL_SETTING } from '../../../../shared/memory/setting.ts'

function mibAt(config: unknown, context: number): string {
  const bytes = contextBytes(configShape(config, 0n), { ...USUAL_SETTING, context })
  return bytes === null ? 'unknown' : (Number(bytes) / 1024 / 1024).toFixed(2)
}

const GEMMA = {
  model_type: 'gemma3',
  text_config: {
    model_type: 'gemma3_text',
    num_hidden_layers: 62,
    num_attention_heads: 32,
    num_key_value_heads: 16,
    hidden_size: 5376,
    head_dim: 128,
    sliding_window: 1024,
    max_position_embeddings: 131_072,
  },
}

test('a window in the text part is found: Gemma-3-27B at 131,072 tokens takes 10.61 GiB', () => {
  expect((Number(mibAt(GEMMA, 131_072)) / 1024).toFixed(2)).toBe('10.61')
  expect(configShape(GEMMA, 7n)).toMatchObject({ weightsBytes: 7n, trainedContext: 131_072 })
})

test('layers are what layer_types says', () => {
  const config = {
    model_type: 'gpt_oss',
    num_hidden_layers: 2,
    num_attention_heads: 8,
    num_key_value_heads: 4,
    head_dim: 64,
    sliding_window: 128,
    layer_types: ['sliding_attention', 'full_attention'],
  }
  expect(configShape(config, null).caches).toMatchObject({
    groups: [
      { layers: 1, cache: { window: 128 } },
      { layers: 1, cache: { window: null } },
    ],
  })
  expect(configShape({ ...config, layer_types: ['chunked', 'full_attention'] }, null).caches).toEqual({
    kind: 'unknown',
    gap: { kind: 'key', key: 'layer_types' },
  })
})

test('a hybrid of linear and full attention takes what llama.cpp’s log says of it', () => {
  const config = {
    model_type: 'qwen3_5',
    text_config: {
      num_hidden_layers: 64,
      num_attention_heads: 24,
      num_key_value_heads: 4,
      head_dim: 256,
      full_attention_interval: 4,
      linear_num_key_heads: 16,
      linear_num_value_heads: 48,
      linear_key_head_dim: 128,
      linear_value_head_dim: 128,
      linear_conv_kernel_dim: 4,
    },
  }
  const bytes = contextBytes(configShape(config, 0n), { ...USUAL_SETTING, context: 262_144, parallel: 4 })
  expect(bytes).toBe(16_384n * 1024n * 1024n + 627_572_736n)
})

test('latent attention, and a head’s own length', () => {
  const deepseek = {
    model_type: 'deepseek_v3',
    num_hidden_layers: 61,
    kv_lora_rank: 512,
    qk_rope_head_dim: 64,
  }
  expect((Number(mibAt(deepseek, 163_840)) / 1024).toFixed(2)).toBe('10.72')
  const qwen = {
    model_type: 'qwen3',
    num_hidden_layers: 28,
    hidden_size: 1024,
    num_attention_heads: 16,
    num_key_value_heads: 8,
    head_dim: 128,
  }
  expect((Number(mibAt(qwen, 40_960)) / 1024).toFixed(2)).toBe('4.38')
})

test('a window that only stands in the file is not in use', () => {
  const config = {
    model_type: 'qwen2',
    num_hidden_layers: 1,
    num_attention_heads: 2,
    hidden_size: 64,
    sliding_window: 128,
    use_sliding_window: false,
  }
  expect(configShape(config, null).caches).toMatchObject({ groups: [{ cache: { window: null } }] })
})

test('a type that is not known, and what is no configuration, leave the cache unknown', () => {
  expect(configShape({ model_type: 'rwkv9' }, 3n).caches).toEqual({
    kind: 'unknown',
    gap: { kind: 'architecture', name: 'rwkv9' },
  })
  for (const config of [null, [], 'text', 7]) {
    expect(configShape(config, 3n)).toMatchObject({ weightsBytes: 3n, caches: { kind: 'unknown' } })
  }
})

test('whatever the file holds, there is a shape', () => {
  const keys = [
    'num_hidden_layers',
    'num_attention_heads',
    'head_dim',
    'layer_types',
    'kv_lora_rank',
    'text_config',
  ]
  fc.assert(
    fc.property(fc.dictionary(fc.constantFrom(...keys), fc.jsonValue()), (found) => {
      expect(() => configShape({ model_type: 'llama', ...found }, null)).not.toThrow()
    }),
  )
})
