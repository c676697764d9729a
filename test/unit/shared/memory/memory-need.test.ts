import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CACHE_TYPES, cacheBytes } from '../../../../shared/memory/cache-type.ts'
import { fullCells } from '../../../../shared/memory/cells.ts'
import { largestContext } from '../../../../shared/memory/largest-context.ts'
import { contextBytes, layerBytes, memoryNeed } from '../../../../shared/memory/memory-need.ts'
import { USUAL_SETTING } from '../../../../shared/memory/setting.ts'
import { MAX_COUNT, type ModelShape } from '../../../../shared/memory/shape.ts'
import { arbitraryCache, arbitraryLayers, arbitrarySetting, shapeOfLayers } from './arbitrary-shape.ts'

test('layers put together take what a plain sum over the layers takes', () => {
  fc.assert(
    fc.property(arbitraryLayers, arbitrarySetting, (layers, setting) => {
      const sum = layers.reduce((total, cache) => total + (cache ? layerBytes(cache, setting).bytes : 0n), 0n)
      expect(contextBytes(shapeOfLayers(layers), setting)).toBe(sum)
    }),
  )
})

test('the parts add up to the whole', () => {
  fc.assert(
    fc.property(arbitraryLayers, arbitrarySetting, fc.bigInt(0n, 2n ** 42n), (layers, setting, weights) => {
      const need = memoryNeed(shapeOfLayers(layers, weights), setting)
      const sum = need.parts.reduce((total, { bytes }) => total + bytes, 0n)
      expect(need.runBytes + need.hostBytes).toBe(sum)
      expect(need.runBytes).toBe(weights + need.contextBytes + setting.computeBytes + setting.draftBytes)
    }),
  )
})

test('memory never shrinks when the context grows', () => {
  fc.assert(
    fc.property(arbitraryLayers, arbitrarySetting, fc.nat(1_000_000), (layers, setting, more) => {
      const shape = shapeOfLayers(layers)
      const larger = { ...setting, context: setting.context + more }
      expect(memoryNeed(shape, larger).runBytes).toBeGreaterThanOrEqual(memoryNeed(shape, setting).runBytes)
    }),
  )
})

test('full and latent attention grow with the cells, in proportion', () => {
  fc.assert(
    fc.property(
      arbitraryCache,
      arbitrarySetting,
      fc.integer({ min: 1, max: 50 }),
      (cache, setting, times) => {
        fc.pre(cache.kind === 'latent' || (cache.kind === 'attention' && cache.window === null))
        const step = { ...setting, unified: true, context: 256 }
        const more = { ...step, context: 256 * times }
        expect(layerBytes(cache, more).bytes).toBe(layerBytes(cache, step).bytes * BigInt(times))
      },
    ),
  )
})

test('a recurrent state grows with the sequences and not with the context', () => {
  fc.assert(
    fc.property(
      arbitraryCache,
      arbitrarySetting,
      fc.integer({ min: 1, max: 64 }),
      (cache, setting, times) => {
        fc.pre(cache.kind === 'recurrent')
        const one = layerBytes(cache, { ...setting, parallel: 1 }).bytes
        expect(layerBytes(cache, { ...setting, parallel: times, context: 7 }).bytes).toBe(one * BigInt(times))
      },
    ),
  )
})

test('a window never takes more than the whole context, and all of it when windows are kept full', () => {
  fc.assert(
    fc.property(arbitraryCache, arbitrarySetting, (cache, setting) => {
      fc.pre(cache.kind === 'attention')
      const whole = layerBytes({ ...cache, window: null }, setting)
      expect(layerBytes(cache, setting).bytes).toBeLessThanOrEqual(whole.bytes)
      expect(layerBytes(cache, { ...setting, fullWindows: true })).toEqual(whole)
    }),
  )
})

test('sequences with a cache each have room for the whole context between them', () => {
  fc.assert(
    fc.property(arbitrarySetting, (setting) => {
      const own = { ...setting, unified: false }
      expect(fullCells(own) * own.parallel).toBeGreaterThanOrEqual(own.context - own.parallel)
      expect(fullCells(own) % 256).toBe(0)
    }),
  )
})

test('a window of 512 with a batch of 513 for a sequence takes 1,280 cells', () => {
  const cache = { kind: 'attention', kvHeads: 1, keyLength: 32, valueLength: 32, window: 512 } as const
  const setting = { ...USUAL_SETTING, unified: false, ubatch: 513 }
  expect(layerBytes(cache, setting).cells).toBe(1280)
})

test('quantised caches take what their blocks take', () => {
  const bytes = Object.fromEntries(CACHE_TYPES.map((type) => [type, cacheBytes(64n, type)]))
  expect(bytes).toEqual({
    f32: 256n,
    f16: 128n,
    bf16: 128n,
    q8_0: 68n,
    q5_1: 48n,
    q5_0: 44n,
    q4_1: 40n,
    q4_0: 36n,
    iq4_nl: 36n,
  })
})

test('an unknown architecture leaves the weights known and says that the cache is missing', () => {
  const shape: ModelShape = {
    ...shapeOfLayers([]),
    weightsBytes: 5n,
    caches: { kind: 'unknown', gap: { kind: 'architecture', name: 'strange' } },
  }
  const need = memoryNeed(shape, { ...USUAL_SETTING, computeBytes: 0n })
  expect(need.missing).toEqual(['kv_cache'])
  expect(need.runBytes).toBe(5n)
  expect(contextBytes(shape, USUAL_SETTING)).toBeNull()
  expect(largestContext(shape, USUAL_SETTING, 2n ** 60n)).toEqual({ kind: 'unknown' })
})

test('the largest context fits, and 256 tokens more do not', () => {
  fc.assert(
    fc.property(
      arbitraryLayers,
      arbitrarySetting,
      fc.bigInt(0n, 2n ** 40n),
      fc.integer({ min: 1, max: 2_000_000 }),
      (layers, setting, room, trainedContext) => {
        const shape = { ...shapeOfLayers(layers), trainedContext }
        const found = largestContext(shape, setting, room)
        const bytesAt = (context: number): bigint => memoryNeed(shape, { ...setting, context }).runBytes
        switch (found.kind) {
          case 'fits':
            expect(found.bytes).toBe(bytesAt(found.context))
            expect(found.bytes).toBeLessThanOrEqual(room)
            if (found.limit === 'trained') expect(found.context).toBe(trainedContext)
            else expect(bytesAt(found.context + 256)).toBeGreaterThan(room)
            break
          case 'none':
            expect(bytesAt(1)).toBeGreaterThan(room)
            break
          case 'unknown':
            expect.unreachable()
        }
      },
    ),
  )
})

test('a context of 2^31 tokens is worked out exactly', () => {
  const cache = { kind: 'attention', kvHeads: 8, keyLength: 128, valueLength: 128, window: null } as const
  expect(layerBytes(cache, { ...USUAL_SETTING, context: MAX_COUNT }).bytes).toBe(2n ** 31n * 8n * 512n)
})
