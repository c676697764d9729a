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
  readonly #all: Uint32Array
  /** See `#byteTables`; undefined until it is first asked for. */
  #tables: Float64Array | null | undefined

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
    this.#all = new Uint32Array(this.words)
    for (let slot = 0; slot < this.slots; slot++) setBit(this.#all, slot)
  }

  /** The slot of `hash`, or undefined when the model has no such shard. */
  slotOf(hash: string): number | undefined {
    return this.#slotOf.get(hash)
  }

  /** Every distinct hash with its slot. */
  hashes(): Iterable<readonly [string, number]> {
    return this.#slotOf
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

  /** Bytes of the model that `bits` lacks; the sum saturates (docs/reference.md H7). */
  missingBytes(bits: Uint32Array): bigint {
    const tables = this.#byteTables
    if (tables === null) return this.missing(bits).bytes
    let bytes = 0
    for (let word = 0, table = 0; word < this.words; word++, table += 4 * 256) {
      const lacks = (this.#all[word] ?? 0) & ~(bits[word] ?? 0)
      if (lacks === 0) continue
      bytes +=
        (tables[table + (lacks & 255)] ?? 0) +
        (tables[table + 256 + ((lacks >>> 8) & 255)] ?? 0) +
        (tables[table + 512 + ((lacks >>> 16) & 255)] ?? 0) +
        (tables[table + 768 + (lacks >>> 24)] ?? 0)
    }
    return BigInt(bytes)
  }

  /** Bytes and shards of the model that `bits` lacks; shards that share a hash count each. */
  missing(bits: Uint32Array): Missing {
    if (this.slots === this.#slotOfShard.length && this.#byteTables !== null) {
      return { bytes: this.missingBytes(bits), shards: this.#lacking(bits) }
    }
    let shards = 0
    let bytes = 0n
    for (let i = 0; i < this.#slotOfShard.length; i++) {
      if (hasBit(bits, this.#slotOfShard[i] ?? 0)) continue
      bytes = saturatingAdd(bytes, this.#sizes[i] ?? 0n)
      shards++
    }
    return { bytes, shards }
  }

  /** Slots that `bits` lacks. */
  #lacking(bits: Uint32Array): number {
    let count = 0
    for (let word = 0; word < this.words; word++)
      count += countBits((this.#all[word] ?? 0) & ~(bits[word] ?? 0))
    return count
  }

  /**
   * For each byte of a bit set, the bytes of the model behind each of its 256 values: a node's missing bytes are
   * then a few additions instead of one per shard. Null when sums may not be exact in a double.
   */
  get #byteTables(): Float64Array | null {
    if (this.#tables !== undefined) return this.#tables
    this.#tables = this.totalBytes <= EXACT ? this.#buildTables() : null
    return this.#tables
  }

  #buildTables(): Float64Array {
    const slotBytes = new Float64Array(this.words * 32)
    this.#sizes.forEach((size, i) => {
      const slot = this.#slotOfShard[i] ?? 0
      slotBytes[slot] = (slotBytes[slot] ?? 0) + Number(size)
    })
    const tables = new Float64Array(this.words * 4 * 256)
    for (let start = 0, slot = 0; start < tables.length; start += 256, slot += 8) {
      for (let value = 1; value < 256; value++) {
        // The value without its lowest bit was summed before; the lowest bit adds its own slot.
        const rest = value & (value - 1)
        const lowest = 31 - Math.clz32(value ^ rest)
        tables[start + value] = (tables[start + rest] ?? 0) + (slotBytes[slot + lowest] ?? 0)
      }
    }
    return tables
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

/** How many bits of a 32-bit word are set: sums of ever wider groups of bits. */
function countBits(word: number): number {
  const pairs = word - ((word >>> 1) & 0x55555555)
  const fours = (pairs & 0x33333333) + ((pairs >>> 2) & 0x33333333)
  return Math.imul((fours + (fours >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
}
