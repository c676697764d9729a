import type { NodeFacts } from './types.ts'

/**
 * When the facts go stale, in unix seconds: they hold up to and including that second (docs/formats.md, "Node
 * facts").
 */
export function factsExpiry(facts: NodeFacts): number {
  return facts.issuedAt + facts.ttlSecs
}
