import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { U64_MAX } from '../../../../shared/bytes.ts'
import { decide } from '../../../../shared/locality/decide.ts'
import { renderNote } from '../../../../shared/locality/notes.ts'
import {
  DEFAULT_POLICY,
  type NodeHolding,
  type Sharing,
  type TransferPolicy,
} from '../../../../shared/locality/types.ts'
import type { ModelShards } from '../../../../shared/model-manifest/types.ts'
import { referenceDecide } from '../../../support/reference-decide.ts'

// Few hashes, so that shards share them and holdings meet them; the last two belong to no model.
const HASHES = Array.from({ length: 40 }, (_, i) => i.toString(16).padStart(64, '0'))
const MODEL_HASHES = HASHES.slice(0, 38)
const IDS = [
  'a',
  'b',
  'B',
  'node-9',
  'ä',
  '\uE000x',
  '\uFFFDy',
  '\u{1F600}x',
  '\u{10FFFF}',
  'a\u{1F600}',
  'a\uFB01',
]
const EDGES = [0n, 1n, 4096n, 2n ** 53n - 1n, 2n ** 53n, 2n ** 53n + 1n, 2n ** 63n, U64_MAX - 1n, U64_MAX]

const bytes = fc.oneof(fc.constantFrom(...EDGES), fc.bigInt({ min: 0n, max: U64_MAX }), fc.bigInt(0n, 10n))

const model: fc.Arbitrary<ModelShards> = fc.record({
  name: fc.constantFrom('m', 'Big-Model'),
  shards: fc.array(
    fc.record({ path: fc.constant('s'), size: bytes, blake3: fc.constantFrom(...MODEL_HASHES) }),
    {
      maxLength: 70,
    },
  ),
  redistributable: fc.boolean(),
})

const holding = (nodeId: fc.Arbitrary<string>): fc.Arbitrary<NodeHolding> =>
  fc.record({
    nodeId,
    eligible: fc.boolean(),
    shards: fc.uniqueArray(fc.constantFrom(...HASHES)).map((hashes) => new Set(hashes)),
    complete: fc.boolean(),
    freeBytes: fc.option(bytes),
  })

const anyId = fc.oneof(fc.constantFrom(...IDS), fc.string({ unit: 'grapheme', minLength: 1, maxLength: 4 }))
const nodes = fc.array(holding(anyId), { maxLength: 8 })
const policy: fc.Arbitrary<TransferPolicy> = fc.record({
  // Mostly on, since most of the decision lies behind it.
  allowWeightTransfer: fc.nat(3).map((n) => n > 0),
  maxBytes: fc.option(bytes),
  freeHeadroomBytes: bytes,
})
const sharing = fc.constantFrom<Sharing>('allowed', 'allowed', 'refused')

describe('decide', () => {
  test('decides and notes as a plain transliteration of the reference does, whatever the input', () => {
    fc.assert(
      fc.property(model, nodes, policy, sharing, (aModel, someNodes, aPolicy, aSharing) => {
        const plan = decide(aModel, someNodes, aPolicy, aSharing)
        const reference = referenceDecide(aModel, someNodes, aPolicy, aSharing)
        expect(plan.decision).toEqual(reference.decision)
        expect(plan.notes).toEqual(reference.notes)
      }),
      { numRuns: 600 },
    )
  })

  test('does not depend on the order of nodes with distinct ids', () => {
    const distinct = fc.uniqueArray(holding(anyId), { maxLength: 8, selector: ({ nodeId }) => nodeId })
    const shuffled = distinct.chain((some) =>
      fc.tuple(fc.constant(some), fc.shuffledSubarray(some, { minLength: some.length })),
    )
    fc.assert(
      fc.property(model, shuffled, policy, sharing, (aModel, [some, others], aPolicy, aSharing) => {
        const plan = decide(aModel, some, aPolicy, aSharing)
        const other = decide(aModel, others, aPolicy, aSharing)
        expect(other.decision).toEqual(plan.decision)
        expect(other.notes).toEqual(plan.notes)
        expect(other.nodeOrder).toEqual(plan.nodeOrder)
      }),
    )
  })

  test('never changes its input', () => {
    fc.assert(
      fc.property(model, nodes, policy, (aModel, someNodes, aPolicy) => {
        const before = structuredClone({ aModel, someNodes, aPolicy })
        decide(aModel, someNodes, aPolicy, 'allowed')
        expect({ aModel, someNodes, aPolicy }).toEqual(before)
      }),
      { numRuns: 50 },
    )
  })

  test('orders nodes by the bytes of their UTF-8, not by UTF-16 units', () => {
    const ids = ['\u{1F600}x', '\uE000x', 'a', 'ä']
    const some = ids.map((nodeId) => node(nodeId, { complete: true, eligible: true }))
    expect(decide(ONE_SHARD, some, DEFAULT_POLICY, 'allowed').nodeOrder).toEqual([
      'a',
      'ä',
      '\uE000x',
      '\u{1F600}x',
    ])
  })

  test('counts a shard hash that appears twice once among the held, twice among the missing', () => {
    const twice: ModelShards = {
      name: 'm',
      shards: [shard('a', 5n), shard('b', 7n)],
      redistributable: true,
    }
    const some = [
      node('holder', { complete: true, shards: new Set([HASH]) }),
      node('empty', { eligible: true, freeBytes: U64_MAX }),
    ]
    const plan = decide(twice, some, { ...DEFAULT_POLICY, allowWeightTransfer: true }, 'allowed')
    expect(plan.decision).toMatchObject({ kind: 'fetch_then_place', bytes: 12n, missingShards: 2 })
    expect(plan.notes).toContain('node holder: eligible=false complete=true holds 1/2 shards')
  })

  test('counts hashes the model does not have among the held, as the reference does', () => {
    const strange = node('n', { eligible: true, shards: new Set([HASH, 'f'.repeat(64)]) })
    const plan = decide(ONE_SHARD, [strange], DEFAULT_POLICY, 'allowed')
    expect(plan.notes[1]).toBe('node n: eligible=true complete=false holds 2/1 shards')
  })

  test('renders every note from the consideration it shows', () => {
    fc.assert(
      fc.property(model, nodes, policy, sharing, (aModel, someNodes, aPolicy, aSharing) => {
        const plan = decide(aModel, someNodes, aPolicy, aSharing)
        expect(plan.notes).toEqual(plan.considerations.map(renderNote))
        expect(plan.considerations.at(-1)).toEqual({ kind: 'verdict', decision: plan.decision })
      }),
      { numRuns: 50 },
    )
  })

  test('saturates instead of wrapping when the bytes to move pass 2^64-1', () => {
    const huge: ModelShards = {
      name: 'm',
      shards: [shard('a', U64_MAX), { path: 'b', size: U64_MAX, blake3: '1'.repeat(64) }],
      redistributable: true,
    }
    const some = [node('from', { complete: true }), node('to', { eligible: true, freeBytes: U64_MAX })]
    const plan = decide(huge, some, { ...DEFAULT_POLICY, allowWeightTransfer: true }, 'allowed')
    expect(plan.decision).toMatchObject({ kind: 'fetch_then_place', bytes: U64_MAX, missingShards: 2 })
  })
})

const HASH = '0'.repeat(64)
const ONE_SHARD: ModelShards = { name: 'm', shards: [shard('a', 5n)], redistributable: true }

function shard(path: string, size: bigint): ModelShards['shards'][number] {
  return { path, size, blake3: HASH }
}

function node(nodeId: string, some: Partial<NodeHolding>): NodeHolding {
  return { nodeId, eligible: false, shards: new Set(), complete: false, freeBytes: null, ...some }
}
