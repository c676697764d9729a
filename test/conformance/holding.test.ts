import { describe, expect, test } from 'vitest'
import type { AttrValue, Capability, CapabilityState } from '../../shared/node/types.ts'
import { holdingOf } from '../support/product-holding.ts'
import { referenceHolding } from '../support/reference-decide.ts'
import { modelOfVector, type VectorBody } from '../support/vector-shapes.ts'
import { loadVectors } from '../support/vectors.ts'

interface HoldingVector {
  readonly name: string
  readonly input: {
    readonly node_id: string
    readonly package_id: string
    readonly body: VectorBody
    readonly capabilities: readonly {
      readonly id: string
      readonly state: CapabilityState
      readonly attrs: Readonly<Record<string, AttrValue>>
    }[]
    readonly eligible: boolean
  }
  readonly expect: {
    readonly node_id: string
    readonly eligible: boolean
    readonly shards: readonly string[]
    readonly complete: boolean
    readonly free_bytes: string | null
  }
}

describe('a holding is read from capabilities as the reference reads it', () => {
  for (const { name, input, expect: expected } of loadVectors<HoldingVector>('holding')) {
    test(name, () => {
      const capabilities = input.capabilities.map(({ id, state, attrs }): Capability => ({
        id,
        state,
        attrs: new Map(Object.entries(attrs)),
        provenance: 'probed',
        exclusive: false,
      }))
      const args = [
        input.node_id,
        input.package_id,
        modelOfVector(input.body),
        capabilities,
        input.eligible,
      ] as const

      const holding = holdingOf(...args)

      expect({
        node_id: holding.nodeId,
        eligible: holding.eligible,
        shards: [...holding.shards].sort(),
        complete: holding.complete,
        free_bytes: holding.freeBytes?.toString() ?? null,
      }).toEqual(expected)
      expect(referenceHolding(...args)).toEqual(holding)
    })
  }
})
