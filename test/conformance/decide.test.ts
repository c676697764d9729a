import { describe, expect, test } from 'vitest'
import { decide, sharingFromManifest } from '../../shared/locality/decide.ts'
import { unplaceableMessage } from '../../shared/locality/unplaceable-words.ts'
import type { LocalityDecision, NodeHolding, Sharing, TransferPolicy } from '../../shared/locality/types.ts'
import { referenceDecide } from '../support/reference-decide.ts'
import { bytesOfVector, modelOfVector, type VectorBody } from '../support/vector-shapes.ts'
import { loadVectors } from '../support/vectors.ts'

interface DecideVector {
  readonly name: string
  readonly input: {
    readonly body: VectorBody
    readonly nodes: readonly {
      readonly node_id: string
      readonly eligible: boolean
      readonly shards: readonly string[]
      readonly complete: boolean
      readonly free_bytes: string | null
    }[]
    readonly policy: {
      readonly allow_weight_transfer: boolean
      readonly max_bytes: string | null
      readonly free_headroom_bytes: string
    }
    readonly sharing: Sharing | 'manifest'
  }
  readonly expect: { readonly decision: Record<string, unknown>; readonly notes: readonly string[] }
}

/** A decision as the vectors write it. */
function toVector(decision: LocalityDecision): Record<string, unknown> {
  switch (decision.kind) {
    case 'place_at_holder':
      return { kind: decision.kind, node_id: decision.nodeId }
    case 'fetch_then_place':
      return {
        kind: decision.kind,
        target: decision.target,
        sources: decision.sources,
        bytes: decision.bytes.toString(),
        missing_shards: decision.missingShards,
      }
    case 'unplaceable': {
      const vector: Record<string, unknown> = {
        kind: decision.kind,
        message: unplaceableMessage(decision.unplaceable),
      }
      for (const [key, value] of Object.entries(decision.unplaceable)) {
        vector[key] = typeof value === 'bigint' ? value.toString() : value
      }
      return vector
    }
  }
}

describe('decide answers as the reference', () => {
  for (const { name, input, expect: expected } of loadVectors<DecideVector>('decide')) {
    test(name, () => {
      const model = modelOfVector(input.body)
      const nodes = input.nodes.map((node): NodeHolding => ({
        nodeId: node.node_id,
        eligible: node.eligible,
        shards: new Set(node.shards),
        complete: node.complete,
        freeBytes: bytesOfVector(node.free_bytes),
      }))
      const policy: TransferPolicy = {
        allowWeightTransfer: input.policy.allow_weight_transfer,
        maxBytes: bytesOfVector(input.policy.max_bytes),
        freeHeadroomBytes: BigInt(input.policy.free_headroom_bytes),
      }
      const sharing = input.sharing === 'manifest' ? sharingFromManifest(model) : input.sharing

      const plan = decide(model, nodes, policy, sharing)

      expect(toVector(plan.decision)).toEqual(expected.decision)
      expect(plan.notes).toEqual(expected.notes)
      // The yardstick of the properties and the benchmark must itself be right.
      expect(referenceDecide(model, nodes, policy, sharing)).toEqual({
        decision: plan.decision,
        notes: plan.notes,
      })
    })
  }
})
