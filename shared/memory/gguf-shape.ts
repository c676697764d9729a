import { sumBytes } from '../bytes.ts'
import type { GgufHeader } from '../model-files/gguf-header.ts'
import { ggufArchitecture } from './gguf-architectures.ts'
import { ggufKeys } from './gguf-keys.ts'
import { ggufLayers } from './gguf-layers.ts'
import { groupLayers, isCountable, MAX_COUNT, MAX_LAYERS, type ModelShape, type ShapeGap } from './shape.ts'

/** What a shape is read from: a part of a split model has no metadata that counts, but tensors. */
export type ShapeSource = Pick<GgufHeader, 'metadata' | 'tensors'>

/**
 * The shape of a GGUF model. `parts` are the headers of its files, the first one being the one whose metadata counts;
 * there is at least one. `projector` is the header of a projector file beside it.
 */
export function ggufShape(
  parts: readonly [ShapeSource, ...ShapeSource[]],
  projector: ShapeSource | null = null,
): ModelShape {
  const [{ metadata }] = parts
  const named = metadata.get('general.architecture')
  const architecture = typeof named === 'string' && named !== '' ? named : null
  return {
    architecture,
    weightsBytes: tensorBytes(parts),
    projectorBytes: projector === null ? 0n : (tensorBytes([projector]) ?? 0n),
    trainedContext: positive(ggufKeys(metadata, architecture ?? '').count('context_length')),
    caches: cachesOf(metadata, architecture),
  }
}

/**
 * The bytes of all tensors; null when the type of one is not known, or when they are more than a shape file can hold:
 * only a hostile header claims that.
 */
function tensorBytes(parts: readonly ShapeSource[]): bigint | null {
  const bytes = parts.flatMap(({ tensors }) => tensors.map((tensor) => tensor.bytes))
  const known = bytes.filter((each) => each !== null)
  const sum = sumBytes(known)
  return known.length === bytes.length && sum <= BigInt(Number.MAX_SAFE_INTEGER) ? sum : null
}

function cachesOf(metadata: GgufHeader['metadata'], name: string | null): ModelShape['caches'] {
  const architecture = name === null ? null : ggufArchitecture(name)
  if (name === null || architecture === null) return unknown({ kind: 'architecture', name })
  if (architecture === 'no_cache') return { kind: 'known', groups: [] }
  const keys = ggufKeys(metadata, name)
  const layers = keys.need('block_count')
  if (layers < 1 || layers > MAX_LAYERS) return unknown({ kind: 'key', key: `${name}.block_count` })
  const caches = ggufLayers(architecture, keys, layers)
  const lacking = keys.lacking()
  if (lacking !== null) return unknown({ kind: 'key', key: `${name}.${lacking}` })
  // Counts that only a hostile header has would not survive being written down.
  if (!caches.every(isCountable)) return unknown({ kind: 'key', key: `${name}.attention.head_count` })
  return { kind: 'known', groups: groupLayers(caches) }
}

function unknown(gap: ShapeGap): ModelShape['caches'] {
  return { kind: 'unknown', gap }
}

function positive(count: number | null): number | null {
  return count === null || count < 1 || count > MAX_COUNT ? null : count
}
