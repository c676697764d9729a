/**
 * Types in which a server can keep K and V, with the bytes of one block of elements (ggml's block formats: a scale, in
 * some a minimum, and the packed elements).
 */
const BLOCKS = {
  f32: { elements: 1n, bytes: 4n },
  f16: { elements: 1n, bytes: 2n },
  bf16: { elements: 1n, bytes: 2n },
  q8_0: { elements: 32n, bytes: 34n },
  q5_1: { elements: 32n, bytes: 24n },
  q5_0: { elements: 32n, bytes: 22n },
  q4_1: { elements: 32n, bytes: 20n },
  q4_0: { elements: 32n, bytes: 18n },
  iq4_nl: { elements: 32n, bytes: 18n },
} as const

export type CacheType = keyof typeof BLOCKS

/** In the order in which llama-server lists them. */
export const CACHE_TYPES = [
  'f32',
  'f16',
  'bf16',
  'q8_0',
  'q5_1',
  'q5_0',
  'q4_1',
  'q4_0',
  'iq4_nl',
] as const satisfies readonly CacheType[]

/** Bytes of `elements` elements kept in `type`; a block that is begun counts whole. */
export function cacheBytes(elements: bigint, type: CacheType): bigint {
  const block = BLOCKS[type]
  return ((elements + block.elements - 1n) / block.elements) * block.bytes
}
