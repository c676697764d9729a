import { sumBytes } from '../bytes.ts'
import { cacheBytes } from './cache-type.ts'
import { fullCells, streams, windowCells } from './cells.ts'
import type { MemorySetting } from './setting.ts'
import type { LayerCache, LayerGroup, ModelShape } from './shape.ts'

/** The rule by which a part was worked out; docs/memory.md has each in full. */
type Formula =
  | 'tensor bytes'
  | 'full attention'
  | 'sliding window'
  | 'latent attention'
  | 'recurrent state'
  | 'operator’s figure'
  | 'server’s limit'

export type PartKind =
  'weights' | 'kv_cache' | 'recurrent_state' | 'projector' | 'draft' | 'compute_buffer' | 'prompt_cache'

/** One part of what a role takes. */
export interface MemoryPart {
  readonly kind: PartKind
  readonly formula: Formula
  readonly bytes: bigint
  /** How many layers it is for, and the cells each keeps in all streams; null where a part has none. */
  readonly layers: number | null
  readonly cells: number | null
  /** What the layers keep, to show how the figure came about. */
  readonly cache: LayerCache | null
}

/** A figure that is missing: the total is more than what is known. */
export type Missing = 'weights' | 'kv_cache'

/** What a role takes in memory, part by part. */
export interface MemoryNeed {
  readonly setting: MemorySetting
  /** Parts of 0 bytes are left out, but for the weights and the KV cache. */
  readonly parts: readonly MemoryPart[]
  readonly missing: readonly Missing[]
  /** Where the model runs: everything but the prompt cache, as far as it is known. */
  readonly runBytes: bigint
  /** What grows with the context and the sequences: KV cache and recurrent state. */
  readonly contextBytes: bigint
  /** Memory of the host besides: the prompt cache. On a node with unified memory it comes from the same pool. */
  readonly hostBytes: bigint
}

/** What running a model of `shape` under `setting` takes. */
export function memoryNeed(shape: ModelShape, setting: MemorySetting): MemoryNeed {
  const missing: Missing[] = []
  const parts: MemoryPart[] = []
  if (shape.weightsBytes === null) missing.push('weights')
  else parts.push(plainPart('weights', 'tensor bytes', shape.weightsBytes))
  if (shape.caches.kind === 'unknown') missing.push('kv_cache')
  else parts.push(...shape.caches.groups.map((group) => groupPart(group, setting)))
  parts.push(
    ...[
      plainPart('projector', 'tensor bytes', shape.projectorBytes),
      plainPart('draft', 'tensor bytes', setting.draftBytes),
      plainPart('compute_buffer', 'operator’s figure', setting.computeBytes),
      plainPart('prompt_cache', 'server’s limit', setting.promptCacheBytes),
    ].filter(({ bytes }) => bytes > 0n),
  )
  const bytesOf = (wanted: (part: MemoryPart) => boolean): bigint =>
    sumBytes(parts.filter(wanted).map(({ bytes }) => bytes))
  return {
    setting,
    parts,
    missing,
    runBytes: bytesOf(({ kind }) => kind !== 'prompt_cache'),
    contextBytes: bytesOf(({ kind }) => kind === 'kv_cache' || kind === 'recurrent_state'),
    hostBytes: bytesOf(({ kind }) => kind === 'prompt_cache'),
  }
}

/** Bytes that grow with the context or the sequences; null when it is not known what the layers keep. */
export function contextBytes(shape: ModelShape, setting: MemorySetting): bigint | null {
  if (shape.caches.kind === 'unknown') return null
  return sumBytes(shape.caches.groups.map((group) => groupPart(group, setting).bytes))
}

function plainPart(kind: PartKind, formula: Formula, bytes: bigint): MemoryPart {
  return { kind, formula, bytes, layers: null, cells: null, cache: null }
}

function groupPart({ layers, cache }: LayerGroup, setting: MemorySetting): MemoryPart {
  const { bytes, cells } = layerBytes(cache, setting)
  const kind = cache.kind === 'recurrent' ? 'recurrent_state' : 'kv_cache'
  return { kind, formula: formulaOf(cache), bytes: bytes * BigInt(layers), layers, cells, cache }
}

function formulaOf(cache: LayerCache): Formula {
  switch (cache.kind) {
    case 'attention':
      return cache.window === null ? 'full attention' : 'sliding window'
    case 'latent':
      return 'latent attention'
    case 'recurrent':
      return 'recurrent state'
  }
}

/** Recurrent states are kept in 32-bit floats whatever K and V are (llama-model.cpp, create_memory). */
const STATE_BYTES = 4n

/**
 * What one layer takes, in bytes, and the cells it keeps (of a recurrent layer: the sequences).
 *
 * Source of the rules: llama.cpp's llama-kv-cache.cpp (the K and V tensors of a layer), llama-kv-cache-iswa.cpp (cells
 * of a window) and llama-memory-recurrent.cpp (states).
 */
export function layerBytes(
  cache: LayerCache,
  setting: MemorySetting,
): { readonly bytes: bigint; readonly cells: number } {
  switch (cache.kind) {
    case 'attention': {
      const { kvHeads, keyLength, valueLength, window } = cache
      const own = window === null ? fullCells(setting) : windowCells(window, setting)
      const cells = own * streams(setting)
      const rows = BigInt(cells) * BigInt(kvHeads)
      const keys = cacheBytes(rows * BigInt(keyLength), setting.keyType)
      return { bytes: keys + cacheBytes(rows * BigInt(valueLength), setting.valueType), cells }
    }
    case 'latent': {
      const cells = fullCells(setting) * streams(setting)
      return { bytes: cacheBytes(BigInt(cells) * BigInt(cache.width), setting.keyType), cells }
    }
    case 'recurrent': {
      const { parallel } = setting
      const elements = BigInt(cache.convolution) + BigInt(cache.state)
      return { bytes: elements * STATE_BYTES * BigInt(parallel), cells: parallel }
    }
  }
}
