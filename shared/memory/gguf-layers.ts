import type { Architecture, RecurrentRule, WindowRule } from './gguf-architectures.ts'
import type { GgufKeys } from './gguf-keys.ts'
import type { LayerCache } from './shape.ts'

/** How many layers a model has. */
interface Counts {
  readonly all: number
  /** Without the last ones that only predict further tokens. */
  readonly trunk: number
}

/**
 * What each layer of a model keeps, null for nothing; layers with attention and a state come up twice. Where a key is
 * missing, `keys` says so and the answer means nothing.
 *
 * @param all `block_count`: the layers of the file, from 1.
 */
export function ggufLayers(
  architecture: Architecture,
  keys: GgufKeys,
  all: number,
): readonly (LayerCache | null)[] {
  const counts = { all, trunk: Math.max(all - (keys.count('nextn_predict_layers') ?? 0), 0) }
  const isRecurrent = recurrentLayers(architecture.recurrent, keys, counts)
  const states = isRecurrent.some(Boolean) ? statesOf(keys, isRecurrent) : []
  if (architecture.recurrent.kind === 'all') return states
  return [...attentionOf(architecture, keys, counts, isRecurrent), ...states]
}

function attentionOf(
  architecture: Architecture,
  keys: GgufKeys,
  counts: Counts,
  isRecurrent: readonly boolean[],
): readonly (LayerCache | null)[] {
  const heads = headsOf(keys, counts.all)
  const lengths = lengthsOf(keys)
  const window = windowOf(architecture.windows, keys, counts)
  const kept = architecture.trunkOnly ? counts.trunk : counts.all
  const own = layersWithCache(architecture, keys, counts)
  const feedForward =
    architecture.recurrent.kind === 'no_heads_no_feed_forward'
      ? keys.needCounts('feed_forward_length', counts.all)
      : []
  // Compressed heads have a K only (llama-kv-cache.cpp: `has_v`).
  const latent = (keys.count('attention.key_length_mla') ?? 0) > 0
  return heads.map((kvHeads, layer): LayerCache | null => {
    const state = isRecurrent[layer] === true && architecture.recurrent.kind !== 'beside_attention'
    if (state || kvHeads === 0 || layer >= kept || layer >= own || (feedForward[layer] ?? 0) > 0) return null
    const ownWindow = window(layer)
    const { keyLength, valueLength } = ownWindow === null ? lengths.full : lengths.window
    if (latent) return { kind: 'latent', width: kvHeads * keyLength }
    return { kind: 'attention', kvHeads, keyLength, valueLength, window: ownWindow }
  })
}

/** Heads of K and V in each layer; those of the queries where nothing else is said. */
function headsOf(keys: GgufKeys, all: number): readonly number[] {
  return keys.counts('attention.head_count_kv', all) ?? keys.needCounts('attention.head_count', all)
}

interface Lengths {
  readonly keyLength: number
  readonly valueLength: number
}

/** Elements of a head in layers that keep everything, and in layers with a window. */
function lengthsOf(keys: GgufKeys): { readonly full: Lengths; readonly window: Lengths } {
  const [heads = 0] = keys.counts('attention.head_count', 1) ?? []
  const given = keys.count('attention.key_length')
  const givenValue = keys.count('attention.value_length')
  const usual =
    given === null || givenValue === null ? Math.floor(keys.need('embedding_length') / Math.max(heads, 1)) : 0
  const full = { keyLength: given ?? usual, valueLength: givenValue ?? usual }
  return {
    full,
    window: {
      keyLength: keys.count('attention.key_length_swa') ?? full.keyLength,
      valueLength: keys.count('attention.value_length_swa') ?? full.valueLength,
    },
  }
}

/** The window of a layer by its number, null when it keeps everything. */
function windowOf(
  rule: WindowRule,
  keys: GgufKeys,
  { all, trunk }: Counts,
): (layer: number) => number | null {
  const none = (): null => null
  switch (rule.kind) {
    case 'none':
      return none
    case 'all': {
      const window = keys.count('attention.sliding_window') ?? 0
      return window > 0 ? () => window : none
    }
    case 'list': {
      const window = keys.need('attention.sliding_window')
      const list = keys.needCounts('attention.sliding_window_pattern', trunk)
      return (layer) => ((list[layer] ?? 0) > 0 ? window : null)
    }
    case 'period': {
      if (rule.onlyLayers !== undefined && rule.onlyLayers !== trunk) return none
      const stated = keys.count('attention.sliding_window')
      const window = stated === 0 ? 0 : ((stated === null ? rule.usual : (rule.fixed ?? stated)) ?? 0)
      if (window === 0) return none
      const pattern = 'attention.sliding_window_pattern'
      if (rule.orList === true && keys.isList(pattern)) {
        const list = keys.needCounts(pattern, trunk)
        return (layer) => ((list[layer] ?? 0) > 0 ? window : null)
      }
      // A list where a period is expected is not looked at (llama-model-loader.cpp: get_key_or_arr of one number).
      const period = keys.count(pattern) ?? rule.period
      return (layer) =>
        layer < trunk && layer < all && isWindowed(layer, period, rule.first) ? window : null
    }
  }
}

function isWindowed(layer: number, period: number, first: 'full' | 'window'): boolean {
  if (period === 0) return true
  return first === 'full' ? layer % period !== 0 : layer % period < period - 1
}

/** How many layers, from the first, have a cache of their own. */
function layersWithCache({ sharedCaches }: Architecture, keys: GgufKeys, { all }: Counts): number {
  if (sharedCaches === null) return all
  if (typeof sharedCaches === 'number') return sharedCaches
  return Math.max(all - (keys.count('attention.shared_kv_layers') ?? 0), 0)
}

function recurrentLayers(rule: RecurrentRule, keys: GgufKeys, { all, trunk }: Counts): readonly boolean[] {
  const each = (isRecurrent: (layer: number) => boolean): readonly boolean[] =>
    Array.from({ length: trunk }, (_, layer) => isRecurrent(layer))
  switch (rule.kind) {
    case 'none':
      return []
    case 'all':
    case 'beside_attention':
      return each(() => true)
    case 'no_heads': {
      const heads = headsOf(keys, all)
      return each((layer) => heads[layer] === 0)
    }
    case 'no_heads_no_feed_forward': {
      const heads = headsOf(keys, all)
      const feedForward = keys.needCounts('feed_forward_length', all)
      return each((layer) => heads[layer] === 0 && feedForward[layer] === 0)
    }
    case 'interval': {
      const listed = keys.counts('attention.recurrent_layers', all)
      if (listed !== null) return each((layer) => (listed[layer] ?? 0) > 0)
      const interval = keys.count('full_attention_interval') ?? rule.usual
      return each((layer) => interval === 0 || (layer + 1) % interval !== 0)
    }
  }
}

function statesOf(keys: GgufKeys, isRecurrent: readonly boolean[]): readonly LayerCache[] {
  const state = stateOf(keys)
  return isRecurrent.filter(Boolean).map(() => state)
}

/** The state of a recurrent layer, by what kind of it the header speaks of. */
function stateOf(keys: GgufKeys): LayerCache {
  const wkv = keys.count('wkv.head_size')
  if (wkv !== null && wkv > 0) {
    const embedding = keys.need('embedding_length')
    const shifts = keys.count('token_shift_count') ?? 2
    return { kind: 'recurrent', convolution: shifts * embedding, state: embedding * wkv }
  }
  const shortConvolution = keys.count('shortconv.l_cache')
  if (shortConvolution !== null && shortConvolution > 0) {
    const embedding = keys.need('embedding_length')
    return { kind: 'recurrent', convolution: embedding * (shortConvolution - 1), state: 0 }
  }
  const kernel = keys.count('ssm.conv_kernel')
  const delta = keys.count('kda.head_dim')
  if (delta !== null && delta > 0) {
    const [heads = 0] = keys.needCounts('attention.head_count', 1)
    const taps = kernel !== null && kernel > 0 ? kernel - 1 : 3
    return { kind: 'recurrent', convolution: 3 * taps * heads * delta, state: delta * delta * heads }
  }
  const inner = keys.need('ssm.inner_size')
  const size = keys.need('ssm.state_size')
  const taps = Math.max(keys.need('ssm.conv_kernel') - 1, 0)
  const groups = keys.count('ssm.group_count') ?? 0
  return { kind: 'recurrent', convolution: taps * (inner + 2 * groups * size), state: size * inner }
}
