import { expect, test } from 'vitest'
import { memoryNeed } from '../../../../shared/memory/memory-need.ts'
import { USUAL_SETTING, type MemorySetting } from '../../../../shared/memory/setting.ts'
import type { LayerGroup, ModelShape } from '../../../../shared/memory/shape.ts'

const MIB = 1024 * 1024

function shapeOf(groups: readonly LayerGroup[]): ModelShape {
  return {
    architecture: 'test',
    weightsBytes: 0n,
    projectorBytes: 0n,
    trainedContext: null,
    caches: { kind: 'known', groups },
  }
}

function mib(groups: readonly LayerGroup[], setting: Partial<MemorySetting>): string {
  const { contextBytes } = memoryNeed(shapeOf(groups), { ...USUAL_SETTING, ...setting })
  return (Number(contextBytes) / MIB).toFixed(2)
}

function attention(kvHeads: number, length: number, window: number | null = null) {
  return { kind: 'attention', kvHeads, keyLength: length, valueLength: length, window } as const
}

const QWEN_STATE = {
  layers: 48,
  cache: { kind: 'recurrent', convolution: 3 * (6144 + 2 * 16 * 128), state: 128 * 6144 },
} as const

test('a hybrid’s attention layers at 262,144 tokens take what a llama.cpp log says: 16,384.00 MiB', () => {
  expect(mib([{ layers: 16, cache: attention(4, 256) }], { context: 262_144 })).toBe('16384.00')
})

test('its recurrent layers take 598.50 MiB for 4 sequences, whatever the context', () => {
  expect(mib([QWEN_STATE], { parallel: 4 })).toBe('598.50')
  expect(mib([QWEN_STATE], { parallel: 4, context: 1 })).toBe('598.50')
})

test('latent attention keeps one K and no V: DeepSeek-V3.1 at 163,840 tokens takes 10.72 GiB', () => {
  const size = mib([{ layers: 61, cache: { kind: 'latent', width: 576 } }], { context: 163_840 })
  expect((Number(size) / 1024).toFixed(2)).toBe('10.72')
})

test('the head’s own length counts, not the embedding over the heads: Qwen3-0.6B takes 4.38 GiB', () => {
  const size = mib([{ layers: 28, cache: attention(8, 128) }], { context: 40_960 })
  expect((Number(size) / 1024).toFixed(2)).toBe('4.38')
})

test('layers with a window keep the window and the batch: Gemma-3-27B takes 10.61 GiB', () => {
  const groups = [
    { layers: 10, cache: attention(16, 128) },
    { layers: 52, cache: attention(16, 128, 1024) },
  ]
  expect((Number(mib(groups, { context: 131_072 })) / 1024).toFixed(2)).toBe('10.61')
  // Without the batch's own cells it is the published figure.
  expect((Number(mib(groups, { context: 131_072, ubatch: 0 })) / 1024).toFixed(2)).toBe('10.41')
})
