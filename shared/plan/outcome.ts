import { decidedBytes } from '../locality/decided.ts'
import type { Placement, PlacementObstacle, RoleDecision, TriedNode } from './types.ts'

/** A decision that names no node. */
export type NoNode = Extract<RoleDecision, { readonly kind: 'unplaceable' | 'no_manifest' }>

/** Why a role runs on no node. */
export type CannotRun =
  /** No node would do even if the role were the only one. */
  | { readonly kind: 'by_itself'; readonly decision: NoNode }
  /** Some node would do, but the other roles are in the way on each; the first is the role's own node. */
  | { readonly kind: 'beside_others'; readonly tried: readonly [TriedNode, ...TriedNode[]] }

interface OutcomeBase {
  /** What the role would be as the only one of the roster: the reference's decision. */
  readonly alone: RoleDecision
}

interface Running extends OutcomeBase {
  /** Where it runs. */
  readonly nodeId: string
  /** Bytes its node lacks of its model. Roles that share a model on a node each count them; totals count them once. */
  readonly bytes: bigint
}

interface NotRunning extends OutcomeBase {
  readonly nodeId: null
  readonly bytes: 0n
}

/**
 * The one answer to where a role runs, beside all the others and under the scenario. Everything that counts, filters,
 * colours or totals roles asks this.
 */
export type Outcome =
  | (Running & { readonly kind: 'in_place' })
  | (Running & { readonly kind: 'after_fetching' })
  | (Running & {
      readonly kind: 'elsewhere'
      /** The node it would run on by itself. */
      readonly insteadOf: string
      /** What keeps it from that node. */
      readonly reason: PlacementObstacle
    })
  | (NotRunning & { readonly kind: 'cannot_run'; readonly reason: CannotRun })
  /** Switched off by the scenario. */
  | (NotRunning & { readonly kind: 'switched_off' })

export type OutcomeKind = Outcome['kind']

/** Every kind, in the order in which lists show them. */
export const OUTCOME_KINDS = [
  'in_place',
  'after_fetching',
  'elsewhere',
  'cannot_run',
  'switched_off',
] as const satisfies readonly OutcomeKind[]

/** What becomes of a role of that decision that was placed so. */
export function outcomeOf(decision: RoleDecision, placement: Placement): Outcome {
  const base = { alone: decision }
  switch (placement.kind) {
    case 'placed': {
      const { nodeId, bytes } = placement
      const [first] = placement.tried
      if (placement.at === 'alternative' && first !== undefined)
        return { ...base, kind: 'elsewhere', nodeId, bytes, insteadOf: first.nodeId, reason: first.obstacle }
      return { ...base, kind: bytes === 0n ? 'in_place' : 'after_fetching', nodeId, bytes }
    }
    case 'none':
      return {
        ...base,
        kind: 'cannot_run',
        nodeId: null,
        bytes: 0n,
        reason: cannotRun(decision, placement.tried),
      }
    case 'off':
      return { ...base, kind: 'switched_off', nodeId: null, bytes: 0n }
  }
}

function cannotRun(decision: RoleDecision, tried: readonly TriedNode[]): CannotRun {
  const [first, ...others] = tried
  if (first !== undefined) return { kind: 'beside_others', tried: [first, ...others] }
  if (decision.kind === 'unplaceable' || decision.kind === 'no_manifest')
    return { kind: 'by_itself', decision }
  // Placing tries the decided node first, so a decision with a node leaves a node that was tried.
  throw new Error('a role with a decided node was never tried on it')
}

/** The node the role would run on by itself, and what keeps it from there; null when it runs there or has none. */
export function ownNode(outcome: Outcome): TriedNode | null {
  if (outcome.kind === 'elsewhere') return { nodeId: outcome.insteadOf, obstacle: outcome.reason }
  if (outcome.kind !== 'cannot_run' || outcome.reason.kind !== 'beside_others') return null
  return outcome.reason.tried[0]
}

/** Whether the other roles make something else of the role than it would be by itself. */
export function isDisplaced(outcome: Outcome): boolean {
  return ownNode(outcome) !== null
}

/** Bytes that move for the role beyond those that would move for it by itself. */
export function addedBytes(outcome: Outcome): bigint {
  const added = outcome.bytes - decidedBytes(outcome.alone)
  return added > 0n ? added : 0n
}
