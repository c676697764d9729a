import fc from 'fast-check'
import { CACHE_TYPES } from '../../../../shared/memory/cache-type.ts'
import type { MemorySetting } from '../../../../shared/memory/setting.ts'
import type { LayerCache, ModelShape } from '../../../../shared/memory/shape.ts'
import { groupLayers } from '../../../../shared/memory/shape.ts'

/** Lengths in whole blocks of 32, as every type of K and V can keep them. */
const length = fc.integer({ min: 1, max: 16 }).map((blocks) => blocks * 32)

export const arbitraryCache: fc.Arbitrary<LayerCache> = fc.oneof(
  fc.record({
    kind: fc.constant('attention' as const),
    kvHeads: fc.integer({ min: 1, max: 64 }),
    keyLength: length,
    valueLength: length,
    window: fc.option(fc.integer({ min: 1, max: 8192 })),
  }),
  fc.record({ kind: fc.constant('latent' as const), width: length }),
  fc.record({
    kind: fc.constant('recurrent' as const),
    convolution: fc.nat(100_000),
    state: fc.nat(1_000_000),
  }),
)

export const arbitraryLayers = fc.array(fc.option(arbitraryCache), { maxLength: 40 })

export function shapeOfLayers(layers: readonly (LayerCache | null)[], weightsBytes = 0n): ModelShape {
  return {
    architecture: 'test',
    weightsBytes,
    projectorBytes: 0n,
    trainedContext: null,
    caches: { kind: 'known', groups: groupLayers(layers) },
  }
}

export const arbitrarySetting: fc.Arbitrary<MemorySetting> = fc.record({
  context: fc.integer({ min: 1, max: 1_000_000 }),
  keyType: fc.constantFrom(...CACHE_TYPES),
  valueType: fc.constantFrom(...CACHE_TYPES),
  parallel: fc.integer({ min: 1, max: 16 }),
  unified: fc.boolean(),
  ubatch: fc.integer({ min: 0, max: 4096 }),
  fullWindows: fc.boolean(),
  promptCacheBytes: fc.bigInt(0n, 2n ** 40n),
  computeBytes: fc.bigInt(0n, 2n ** 40n),
  draftBytes: fc.bigInt(0n, 2n ** 40n),
})
