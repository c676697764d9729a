import { saturatingAdd, sumBytes } from '../bytes.ts'
import type { ModelShards } from '../model-manifest/types.ts'

/** What a node lacks of a model. */
export interface Missing {
  readonly bytes: bigint
  readonly shards: number
}

/** Sums below this are exact in a double, so the common case needs no bigint per shard. */
const EXACT = BigInt(Number.MAX_SAFE_INTEGER)

/**
 * A model's shards numbered for bit sets, so that thousands of nodes are compared without hashing a string each.
 * Shards that share a hash share a slot: a node that holds the hash holds all of them.
 */
export class ShardIndex {
  readonly model: ModelShards
  readonly totalBytes: bigint
  /** 32-bit words a bit set over this model takes. */
  readonly words: number
  /** Distinct hashes. */
  readonly slots: number
  readonly #slotOf = new Map<string, number>()
  readonly #slotOfShard: Uint16Array
  readonly #sizes: readonly bigint[]
  /** The sizes as doubles when their sum is exact in one, else null. */
  readonly #exactSizes: Float64Array | null
  readonly #all: Uint32Array

  constructor(model: ModelShards) {
    this.model = model
    this.#sizes = model.shards.map((shard) => shard.size)
    this.#slotOfShard = Uint16Array.from(model.shards, (shard) => {
      const known = this.#slotOf.get(shard.blake3)
      if (known !== undefined) return known
      const slot = this.#slotOf.size
      this.#slotOf.set(shard.blake3, slot)
      return slot
    })
    this.slots = this.#slotOf.size
    this.words = (this.slots + 31) >>> 5
    this.totalBytes = sumBytes(this.#sizes)
    this.#exactSizes = this.totalBytes <= EXACT ? Float64Array.from(this.#sizes, Number) : null
    this.#all = new Uint32Array(this.words)
    for (let slot = 0; slot < this.slots; slot++) setBit(this.#all, slot)
  }

  /** The slot of `hash`, or undefined when the model has no such shard. */
  slotOf(hash: string): number | undefined {
    return this.#slotOf.get(hash)
  }

  /** The slot of the model's shard number `shard` (from 0). */
  slotOfShard(shard: number): number {
    return this.#slotOfShard[shard] ?? 0
  }

  emptyBits(): Uint32Array {
    return new Uint32Array(this.words)
  }

  /** A fresh bit set with every shard held. */
  allBits(): Uint32Array {
    return this.#all.slice()
  }

  /** Bytes and shards of the model that `bits` lacks; the sum saturates (reference: locality.rs missing_bytes). */
  missing(bits: Uint32Array): Missing {
    if (bits.every((word, i) => word === this.#all[i])) return { bytes: 0n, shards: 0 }
    let shards = 0
    if (this.#exactSizes) {
      let bytes = 0
      for (let i = 0; i < this.#slotOfShard.length; i++) {
        if (hasBit(bits, this.#slotOfShard[i] ?? 0)) continue
        bytes += this.#exactSizes[i] ?? 0
        shards++
      }
      return { bytes: BigInt(bytes), shards }
    }
    let bytes = 0n
    for (let i = 0; i < this.#slotOfShard.length; i++) {
      if (hasBit(bits, this.#slotOfShard[i] ?? 0)) continue
      bytes = saturatingAdd(bytes, this.#sizes[i] ?? 0n)
      shards++
    }
    return { bytes, shards }
  }
}

/** Sets bit `slot`; true when it was not set before. */
export function setBit(bits: Uint32Array, slot: number): boolean {
  const word = slot >>> 5
  const before = bits[word] ?? 0
  const after = (before | (1 << (slot & 31))) >>> 0
  bits[word] = after
  return after !== before
}

/** Whether bit `slot` is set. */
export function hasBit(bits: Uint32Array, slot: number): boolean {
  return ((bits[slot >>> 5] ?? 0) & (1 << (slot & 31))) !== 0
}
