import type { RoleMemory } from './role-memory.ts'

/** What a role that runs on a node holds there, in bytes; the three add up to what it is planned with. */
export interface ResidentParts {
  /** The tensors: of the model, its projector and its draft model. */
  readonly weights: bigint
  /** What grows with the context: KV cache and recurrent state. */
  readonly kv: bigint
  /** The compute buffer, and what the roster gives it beyond all that. */
  readonly other: bigint
}

/**
 * The parts of the `planned` bytes of a role; null where not all of what its model takes is known. A role that is planned
 * with less than its model takes has the first parts of it only.
 */
export function residentParts(planned: bigint, memory: RoleMemory | null): ResidentParts | null {
  if (memory === null || memory.need.missing.length > 0) return null
  const { contextBytes, parts } = memory.need
  const tensors = parts.reduce(
    (sum, { formula, bytes }) => sum + (formula === 'tensor bytes' ? bytes : 0n),
    0n,
  )
  const weights = tensors < planned ? tensors : planned
  const left = planned - weights
  const kv = contextBytes < left ? contextBytes : left
  return { weights, kv, other: left - kv }
}
