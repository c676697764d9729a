import type { ModelShards } from '../../shared/model-manifest/types.ts'

/** A model as the vectors write it: byte counts are decimal strings. */
export interface VectorBody {
  readonly name: string
  readonly shards: readonly { readonly path: string; readonly size: string; readonly blake3: string }[]
  readonly redistributable?: boolean
}

/** The model of a vector. */
export function modelOfVector(body: VectorBody): ModelShards {
  return {
    name: body.name,
    shards: body.shards.map(({ path, size, blake3 }) => ({ path, size: BigInt(size), blake3 })),
    redistributable: body.redistributable ?? false,
  }
}

/** A byte count of a vector; null stays null. */
export function bytesOfVector(bytes: string | null): bigint | null {
  return bytes === null ? null : BigInt(bytes)
}
