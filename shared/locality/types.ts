import { GIB } from '../bytes.ts'

/** Operator policy for moving weights between nodes (docs/reference.md D7 and D8). Byte counts. */
export interface TransferPolicy {
  /** Weights may be fetched from another node at all. */
  readonly allowWeightTransfer: boolean
  /** Largest transfer allowed; null means no ceiling. */
  readonly maxBytes: bigint | null
  /** Free space that must remain on the target after the transfer. */
  readonly freeHeadroomBytes: bigint
}

/** Transfer off, no ceiling, 1 GiB headroom (docs/reference.md D11). */
export const DEFAULT_POLICY: TransferPolicy = {
  allowWeightTransfer: false,
  maxBytes: null,
  freeHeadroomBytes: GIB,
}

/** Whether the weights may be handed to other nodes; there is no default. */
export type Sharing = 'allowed' | 'refused'

/** What one node holds of one model, and whether the placer could use it (docs/reference.md H1). */
export interface NodeHolding {
  readonly nodeId: string
  /** The node passes every other placement constraint for the workload. */
  readonly eligible: boolean
  /** Usable shard hashes held; excludes a detached holding. */
  readonly shards: ReadonlySet<string>
  /** Holds the whole attested model and offers it. */
  readonly complete: boolean
  /** Free bytes where a fetched model would land; null when unknown. */
  readonly freeBytes: bigint | null
}

/** Why a model cannot be placed. Byte counts. */
export type Unplaceable =
  | { readonly reason: 'no_holder' }
  | { readonly reason: 'no_eligible_node' }
  | { readonly reason: 'transfer_disabled' }
  | { readonly reason: 'not_redistributable' }
  | { readonly reason: 'over_ceiling'; readonly bytes: bigint; readonly max: bigint }
  | { readonly reason: 'no_space'; readonly needed: bigint; readonly free: bigint | null }

export type LocalityDecision =
  | { readonly kind: 'place_at_holder'; readonly nodeId: string }
  | {
      readonly kind: 'fetch_then_place'
      readonly target: string
      /** Complete holders that can serve the shards, by node id. */
      readonly sources: readonly string[]
      readonly bytes: bigint
      readonly missingShards: number
    }
  | { readonly kind: 'unplaceable'; readonly unplaceable: Unplaceable }

/** One thing `decide` looked at, in order. A reference note is the rendering of one of these. */
export type Consideration =
  | { readonly kind: 'model'; readonly name: string; readonly shards: number; readonly bytes: bigint }
  | {
      readonly kind: 'node'
      readonly nodeId: string
      readonly eligible: boolean
      readonly complete: boolean
      readonly heldShards: number
      readonly shards: number
    }
  | { readonly kind: 'rejected_target'; readonly nodeId: string; readonly unplaceable: Unplaceable }
  | { readonly kind: 'verdict'; readonly decision: LocalityDecision }
