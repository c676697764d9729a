import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { freeBytesFromCapabilities } from '../../../../shared/locality/holding.ts'
import { ShardIndex } from '../../../../shared/locality/shard-index.ts'
import type { ModelShards } from '../../../../shared/model-manifest/types.ts'
import { CAPABILITY_STATES, type AttrValue, type Capability } from '../../../../shared/node/types.ts'
import { holdingOf, presenceOf } from '../../../support/product-holding.ts'
import { referenceHolding } from '../../../support/reference-decide.ts'

const HASHES = Array.from({ length: 6 }, (_, i) => i.toString(16).padStart(64, '0'))
const PACKAGE = 'f'.repeat(64)
const MARKER = `model:${PACKAGE}`

const model: ModelShards = {
  name: 'm',
  // Two files with the same bytes share a hash; the last hash is not this model's.
  shards: [...HASHES.slice(0, 5), HASHES[0] ?? ''].map((blake3, i) => ({ path: `s${i}`, size: 10n, blake3 })),
  redistributable: true,
}
const index = new ShardIndex(model)

const attr: fc.Arbitrary<AttrValue> = fc.oneof(
  fc.boolean(),
  fc.constantFrom(-0, -1, 0.5, 1e300, 2 ** 53, 2 ** 64, 5),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.constantFrom(MARKER, 'free'),
  fc.array(
    fc.oneof(fc.constantFrom(...HASHES, MARKER, `model:${'e'.repeat(64)}`), fc.integer(), fc.boolean()),
  ),
)
const capability: fc.Arbitrary<Capability> = fc.record({
  id: fc.constantFrom(
    'model.present',
    'model.presentx',
    'store.tier.internal',
    'store.tier.external',
    'store.tier',
    'store.tierx.y',
  ),
  attrs: fc
    .dictionary(fc.constantFrom('shards', 'free', 'mounted'), attr)
    .map((attrs) => new Map(Object.entries(attrs))),
  provenance: fc.constant('probed'),
  state: fc.constantFrom(...CAPABILITY_STATES),
  exclusive: fc.boolean(),
})

describe('a holding from the catalog', () => {
  test('reads any capabilities as a plain transliteration of the reference does', () => {
    fc.assert(
      fc.property(fc.array(capability, { maxLength: 8 }), fc.boolean(), (capabilities, eligible) => {
        const args = ['n', PACKAGE, model, capabilities, eligible] as const
        expect(holdingOf(...args)).toEqual(referenceHolding(...args))
      }),
      { numRuns: 500 },
    )
  })
})

describe('ShardCatalog.presences', () => {
  test('calls a marked holding that is neither available nor busy detached, and lets it hold nothing', () => {
    for (const state of ['reserved', 'degraded'] as const) {
      const presence = presenceOf(index, PACKAGE, [present([MARKER, ...HASHES], state)])
      expect(presence).toMatchObject({ detached: true, complete: false, heldShards: 0 })
    }
  })

  test('counts a partial holding whatever its state', () => {
    for (const state of CAPABILITY_STATES) {
      const presence = presenceOf(index, PACKAGE, [present(HASHES.slice(0, 2), state)])
      expect(presence).toMatchObject({ detached: false, complete: false, heldShards: 2 })
    }
  })

  test('calls a node complete, not detached, when one of two marked holdings is usable', () => {
    const both = [present([MARKER], 'degraded'), present([MARKER], 'busy')]
    expect(presenceOf(index, PACKAGE, both)).toMatchObject({
      complete: true,
      detached: false,
      heldShards: 5,
    })
  })
})

describe('freeBytesFromCapabilities', () => {
  test('takes the roomiest available tier and ignores the others', () => {
    expect(
      freeBytesFromCapabilities([
        tier('internal', 10, 'available'),
        tier('external', 30, 'available'),
        tier('cold', 90, 'degraded'),
      ]),
    ).toBe(30n)
  })

  test('knows nothing when no available tier reports a number from 0', () => {
    expect(freeBytesFromCapabilities([tier('a', -1, 'available'), tier('b', '5', 'available')])).toBeNull()
  })
})

function present(shards: readonly string[], state: Capability['state']): Capability {
  return {
    id: 'model.present',
    attrs: new Map([['shards', shards]]),
    provenance: 'probed',
    state,
    exclusive: false,
  }
}

function tier(name: string, free: AttrValue, state: Capability['state']): Capability {
  return {
    id: `store.tier.${name}`,
    attrs: new Map([['free', free]]),
    provenance: 'probed',
    state,
    exclusive: false,
  }
}
