import type { ModelFormat, Runtime } from '../inference-spec.ts'
import type { MemoryPool } from '../node/types.ts'

/** Whether an operator put a node in or out by hand; null when the constraints decide. */
export type Forced = 'in' | 'out' | null

/**
 * A constraint a node fails for a role, with both operands. The order of the members is the order in which failures
 * are listed. All failures are listed, also for a node that is forced in.
 */
export type ConstraintFailure =
  | {
      readonly constraint: 'runtime'
      readonly capability: string
      readonly found: CapabilityFinding
      /** Where the node's facts note that the runtime's program was looked for in vain. */
      readonly notFound?: { readonly program: string; readonly nodeId: string }
    }
  | {
      readonly constraint: 'format'
      readonly format: ModelFormat
      readonly problem:
        | { readonly kind: 'not_loadable'; readonly runtime: Runtime; readonly loads: readonly ModelFormat[] }
        | { readonly kind: 'not_advertised'; readonly capability: string; readonly found: CapabilityFinding }
    }
  | {
      readonly constraint: 'memory'
      /** Bytes: weights and KV cache together. */
      readonly needed: bigint
      /** Null when the node reports no such pool. */
      readonly pool: MemoryPool | null
    }
  | { readonly constraint: 'override'; readonly by: 'operator' | 'declaration' | 'away' }
  | {
      readonly constraint: 'override'
      readonly by: 'pin'
      /** The node the operator pinned the role to. */
      readonly pinnedTo: string
    }
  | {
      readonly constraint: 'fresh_facts'
      /** Unix seconds. Null when the node has no probed facts at all. */
      readonly expiredAt: number | null
      readonly now: number
    }

/** How a capability was found on a node that cannot be used for it. */
export type CapabilityFinding = 'absent' | 'reserved' | 'degraded' | 'busy_exclusive'

/** Whether one node may run one role, before anybody's bytes are compared. */
export interface Eligibility {
  readonly eligible: boolean
  readonly forced: Forced
  readonly failures: readonly ConstraintFailure[]
}
