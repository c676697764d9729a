import { sumBytes } from '../../../shared/bytes.ts'
import { specMemoryBytes } from '../../../shared/inference-spec.ts'
import type { NodeResidency } from '../../../shared/plan/types.ts'
import type { TurnedAway } from '../../../shared/plan/turned-away.ts'

/** How a node's memory for roles is spoken for. All figures are bytes. */
export interface NodeLoad {
  readonly total: bigint
  /** Taken by something that is not of this plan. */
  readonly taken: bigint
  /** What the roles resident there may hold together. */
  readonly budget: bigint
  /** What they hold. */
  readonly used: bigint
  /** What the roles that were turned away would have held. */
  readonly refused: bigint
}

/** The load of a node whose pool is `poolBytes` in all; null when it reports no memory for roles. */
export function nodeLoad(
  { ledger }: NodeResidency,
  away: readonly TurnedAway[],
  poolBytes: bigint | null,
): NodeLoad | null {
  if (ledger.budget === null) return null
  const { bytes: budget } = ledger.budget
  // The scenario may assume more free than the node has.
  const total = poolBytes !== null && poolBytes > budget ? poolBytes : budget
  return {
    total,
    taken: total - budget,
    budget,
    used: ledger.usedBytes,
    refused: sumBytes(away.map(({ role }) => specMemoryBytes(role.imported.spec))),
  }
}

/** One stretch of a load's bar, in percent of its length. */
interface BarPart {
  readonly kind: 'taken' | 'used' | 'refused'
  readonly start: number
  readonly length: number
}

/**
 * A load as a bar: what is taken, what is used, and what was turned away, drawn past the pool's end if need
 * be.
 */
export interface LoadBar {
  readonly parts: readonly BarPart[]
  /** Where the pool ends, in percent; 100 unless what was turned away reaches beyond it. */
  readonly end: number
}

export function loadBar({ total, taken, used, refused }: NodeLoad): LoadBar {
  const asked = taken + used + refused
  const length = asked > total ? asked : total
  if (length === 0n) return { parts: [], end: 100 }
  // Thousandths of a percent are finer than any screen, and exact until then.
  const percent = (bytes: bigint): number => Number((bytes * 100_000n) / length) / 1000
  const parts: BarPart[] = []
  const add = (kind: BarPart['kind'], from: bigint, bytes: bigint): void => {
    if (bytes > 0n) parts.push({ kind, start: percent(from), length: percent(bytes) })
  }
  add('taken', 0n, taken)
  add('used', taken, used)
  add('refused', taken + used, refused)
  return { parts, end: percent(total) }
}
