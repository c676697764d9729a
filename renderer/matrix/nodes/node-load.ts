import type { MemoryPool } from '../../../shared/node/types.ts'

/** How a node's memory pool is spoken for. All figures are bytes. */
export interface NodeLoad {
  readonly total: bigint
  /** Taken by something else already. */
  readonly taken: bigint
  readonly free: bigint
  /** What the roles placed on the node ask for together. */
  readonly placed: bigint
  /** By how much `placed` is more than `free`. */
  readonly over: bigint
}

/** Of a pool, the bytes `placed` would take; a pool that tells more free than it has is taken at its word on free. */
export function nodeLoad(pool: MemoryPool, placed: bigint): NodeLoad {
  const { freeBytes: free, totalBytes } = pool
  const total = totalBytes > free ? totalBytes : free
  return { total, taken: total - free, free, placed, over: placed > free ? placed - free : 0n }
}

/** One stretch of a load's bar, in percent of its length. */
export interface BarPart {
  readonly kind: 'taken' | 'placed' | 'over'
  readonly start: number
  readonly length: number
}

/** A load as a bar: what is taken, what is placed, and what of it does not fit, drawn past the pool's end. */
export interface LoadBar {
  readonly parts: readonly BarPart[]
  /** Where the pool ends, in percent; 100 unless it is over-full. */
  readonly end: number
}

export function loadBar(load: NodeLoad): LoadBar {
  const length = load.total + load.over
  if (length === 0n) return { parts: [], end: 100 }
  // Thousandths of a percent are finer than any screen, and exact until then.
  const percent = (bytes: bigint): number => Number((bytes * 100_000n) / length) / 1000
  const parts: BarPart[] = []
  const add = (kind: BarPart['kind'], from: bigint, bytes: bigint): void => {
    if (bytes > 0n) parts.push({ kind, start: percent(from), length: percent(bytes) })
  }
  add('taken', 0n, load.taken)
  add('placed', load.taken, load.placed - load.over)
  add('over', load.total, load.over)
  return { parts, end: percent(load.total) }
}
