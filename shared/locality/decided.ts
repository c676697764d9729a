import type { LocalityDecision } from './types.ts'

/** A decision, or that there is none because no manifest describes the model. */
type MaybeDecided = LocalityDecision | { readonly kind: 'no_manifest' }

/** The node the role would run on by itself; null when no node would do. */
export function decidedNode(decision: MaybeDecided): string | null {
  switch (decision.kind) {
    case 'place_at_holder':
      return decision.nodeId
    case 'fetch_then_place':
      return decision.target
    case 'unplaceable':
    case 'no_manifest':
      return null
  }
}

/** Bytes that would move for the role by itself: 0 when it runs in place or not at all. */
export function decidedBytes(decision: MaybeDecided): bigint {
  return decision.kind === 'fetch_then_place' ? decision.bytes : 0n
}
