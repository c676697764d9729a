import { formatBytes } from '../bytes.ts'
import type { LargestContext } from './largest-context.ts'
import type { MemoryNeed, MemoryPart, Missing, PartKind } from './memory-need.ts'
import { contextFault, parallelFault, type MemorySetting } from './setting.ts'
import { gapText, type LayerCache, type ModelShape } from './shape.ts'

export const PART_WORDS: Readonly<Record<PartKind, string>> = {
  weights: 'weights',
  kv_cache: 'KV cache',
  recurrent_state: 'recurrent state',
  projector: 'projector',
  draft: 'draft model',
  compute_buffer: 'compute buffer',
  prompt_cache: 'prompt cache',
}

/** Tokens with thousands separators: `32,768`. */
export function formatTokens(tokens: number): string {
  return tokens.toString().replace(/\B(?=(\d{3})+$)/g, ',')
}

/** How a part was worked out: `full attention: 16 layers × 32,768 cells × 4 heads × (256 K + 256 V)`. */
export function workingText({ formula, layers, cells, cache }: MemoryPart, setting: MemorySetting): string {
  if (layers === null || cells === null || cache === null) return formula
  return `${formula}: ${layers} ${layers === 1 ? 'layer' : 'layers'} × ${cacheText(cache, cells, setting)}`
}

function cacheText(cache: LayerCache, cells: number, { keyType, valueType }: MemorySetting): string {
  switch (cache.kind) {
    case 'attention': {
      const { kvHeads, keyLength, valueLength, window } = cache
      const own = window === null ? '' : ` (window ${formatTokens(window)})`
      return `${formatTokens(cells)} cells${own} × ${kvHeads} heads × (${keyLength} ${keyType} + ${valueLength} ${valueType})`
    }
    case 'latent':
      return `${formatTokens(cells)} cells × ${cache.width} ${keyType}`
    case 'recurrent':
      return `${cells} ${cells === 1 ? 'sequence' : 'sequences'} × ${formatTokens(cache.convolution + cache.state)} f32`
  }
}

/** What is not known of a model's need, in words; empty when all of it is. */
export function missingText(shape: ModelShape, missing: readonly Missing[]): string[] {
  return missing.map((part) => {
    if (part === 'weights')
      return 'weights unknown: the header has tensors of a type or size that is not known'
    return `KV cache unknown: ${shape.caches.kind === 'unknown' ? gapText(shape.caches.gap) : 'it cannot be worked out'}`
  })
}

/** `weights 18.1 GB + KV cache 8.6 GB at 32,768 (f16) + compute buffer 805.3 MB`. */
export function sumText({ parts, setting }: MemoryNeed): string {
  const byKind = new Map<PartKind, bigint>()
  for (const { kind, bytes } of parts) byKind.set(kind, (byKind.get(kind) ?? 0n) + bytes)
  const { keyType, valueType } = setting
  const types = keyType === valueType ? keyType : `K ${keyType}, V ${valueType}`
  return [...byKind]
    .filter(([kind]) => kind !== 'prompt_cache')
    .map(([kind, bytes]) => {
      const at = kind === 'kv_cache' ? ` at ${formatTokens(setting.context)} (${types})` : ''
      return `${PART_WORDS[kind]} ${formatBytes(bytes)}${at}`
    })
    .join(' + ')
}

/** The largest context that fits, for a person. */
export function largestText(largest: LargestContext): string {
  switch (largest.kind) {
    case 'fits': {
      const tokens = `${formatTokens(largest.context)} tokens (${formatBytes(largest.bytes)})`
      return largest.limit === 'trained' ? `${tokens}, all it was trained for` : tokens
    }
    case 'none':
      return `no context fits: the least takes ${formatBytes(largest.bytes)}`
    case 'unknown':
      return 'unknown'
  }
}

/** What is odd about a setting for a model, in a sentence part; empty when nothing is. */
export function settingRemarks(
  { trainedContext }: ModelShape,
  { context, parallel }: MemorySetting,
): string[] {
  const fault = contextFault(context) ?? parallelFault(parallel)
  if (fault !== null) return [fault]
  if (trainedContext === null || context <= trainedContext) return []
  return [
    `a context of ${formatTokens(context)} is over the ${formatTokens(trainedContext)} the model was trained for`,
  ]
}
