import { groupLayers, isCountable, MAX_COUNT, MAX_LAYERS, type LayerCache, type ModelShape } from './shape.ts'

/**
 * Model types of a `config.json` whose layers keep K and V in the ways this file knows: every token, a window where
 * `layer_types` or a pattern says so, one latent K, or a linear state. Others are unknown, since a key that is not
 * known may change all of it.
 */
const KNOWN_TYPES = new Set(
  (
    'llama mistral mistral3 ministral3 mixtral qwen2 qwen2_moe qwen2_vl qwen2_5_vl qwen3 qwen3_moe qwen3_vl qwen3_vl_moe ' +
    'qwen3_next qwen3_5 qwen3_5_moe qwen3_5_text qwen3_5_moe_text gemma gemma2 gemma3 gemma3_text gpt_oss phi phi3 ' +
    'phimoe deepseek deepseek_v2 deepseek_v3 kimi_k2 glm glm4 glm4_moe cohere cohere2 olmo olmo2 olmo3 olmoe granite ' +
    'granitemoe starcoder2 stablelm internlm2 internlm3 exaone exaone4 ernie4_5 ernie4_5_moe smollm3 seed_oss minimax ' +
    'minimax_m2 nemotron apertus dots1 arcee gpt2 gpt_neox baichuan'
  ).split(' '),
)

/** Types whose window layers follow a period when `layer_types` is not there: one layer of so many keeps everything. */
const PERIODS: Readonly<Record<string, number>> = { gemma3: 6, gemma3_text: 6, cohere2: 4, gpt_oss: 2 }

type Json = Readonly<Record<string, unknown>>

/**
 * What a `config.json` (parsed) says of a model's layers, for MLX and safetensors models. A model of several parts
 * says it in its `text_config`. `weights` and `projector` are the bytes of its tensors.
 */
export function configShape(config: unknown, weights: bigint | null): ModelShape {
  const outer = record(config) ?? {}
  const text = record(outer['text_config'])
  const inner: Json = text === null ? outer : { ...outer, ...text }
  const type = text?.['model_type'] ?? outer['model_type']
  const architecture = typeof type === 'string' && type !== '' ? type : null
  const trained = countOf(inner['max_position_embeddings'])
  return {
    architecture,
    weightsBytes: weights,
    projectorBytes: 0n,
    trainedContext: trained === 0 ? null : trained,
    caches: cachesOf(inner, architecture),
  }
}

function cachesOf(config: Json, name: string | null): ModelShape['caches'] {
  if (name === null || !KNOWN_TYPES.has(name)) return { kind: 'unknown', gap: { kind: 'architecture', name } }
  const layers = countOf(config['num_hidden_layers'])
  if (layers === null || layers < 1 || layers > MAX_LAYERS) return lacking('num_hidden_layers')
  const kinds = layerKinds(config, name, layers)
  if (typeof kinds === 'string') return lacking(kinds)
  const caches = kinds.map((kind) => cacheOf(kind, config))
  const fault = caches.find((cache) => typeof cache === 'string')
  if (fault !== undefined) return lacking(fault)
  const known = caches.filter((cache) => typeof cache !== 'string')
  return known.every(isCountable) ? { kind: 'known', groups: groupLayers(known) } : lacking('head_dim')
}

function lacking(key: string): ModelShape['caches'] {
  return { kind: 'unknown', gap: { kind: 'key', key } }
}

type LayerKind = 'full_attention' | 'sliding_attention' | 'linear_attention'

function isLayerKind(value: unknown): value is LayerKind {
  return value === 'full_attention' || value === 'sliding_attention' || value === 'linear_attention'
}

/** What each layer is, or the key that keeps it from being known. */
function layerKinds(config: Json, name: string, layers: number): readonly LayerKind[] | string {
  const types = config['layer_types']
  if (Array.isArray(types)) {
    const kinds = (types as readonly unknown[]).filter(isLayerKind)
    return kinds.length === types.length && kinds.length === layers ? kinds : 'layer_types'
  }
  const every = (kind: (layer: number) => LayerKind): readonly LayerKind[] =>
    Array.from({ length: layers }, (_, layer) => kind(layer))
  const interval = countOf(config['full_attention_interval'])
  if (interval !== null && interval > 0) {
    return every((layer) => ((layer + 1) % interval === 0 ? 'full_attention' : 'linear_attention'))
  }
  const period = countOf(config['sliding_window_pattern']) ?? PERIODS[name] ?? 0
  if (period > 0 && (countOf(config['sliding_window']) ?? 0) > 0) {
    return every((layer) => ((layer + 1) % period === 0 ? 'full_attention' : 'sliding_attention'))
  }
  return every(() => 'full_attention')
}

/** What a layer keeps, or the key that is missing to know it. */
function cacheOf(kind: LayerKind, config: Json): LayerCache | string {
  if (kind === 'linear_attention') return linearState(config)
  const rank = countOf(config['kv_lora_rank'])
  if (rank !== null && rank > 0) {
    const rope = countOf(config['qk_rope_head_dim'])
    return rope === null ? 'qk_rope_head_dim' : { kind: 'latent', width: rank + rope }
  }
  const heads = countOf(config['num_attention_heads'])
  const kvHeads = countOf(config['num_key_value_heads']) ?? heads
  if (heads === null || heads === 0 || kvHeads === null) return 'num_attention_heads'
  const hidden = countOf(config['hidden_size'])
  const length = countOf(config['head_dim']) ?? (hidden === null ? null : Math.floor(hidden / heads))
  if (length === null) return 'head_dim'
  if (kind === 'full_attention') return attention(kvHeads, length, null)
  const window = countOf(config['sliding_window'])
  return window === null || window === 0 ? 'sliding_window' : attention(kvHeads, length, window)
}

function attention(kvHeads: number, length: number, window: number | null): LayerCache {
  return { kind: 'attention', kvHeads, keyLength: length, valueLength: length, window }
}

/** The state of a gated delta layer: its convolution over keys, queries and values, and a matrix for each value head. */
function linearState(config: Json): LayerCache | string {
  const keys = [
    'linear_num_key_heads',
    'linear_num_value_heads',
    'linear_key_head_dim',
    'linear_value_head_dim',
    'linear_conv_kernel_dim',
  ] as const
  const missing = keys.find((key) => countOf(config[key]) === null)
  if (missing !== undefined) return missing
  const [keyHeads = 0, valueHeads = 0, keyDim = 0, valueDim = 0, kernel = 0] = keys.map(
    (key) => countOf(config[key]) ?? 0,
  )
  return {
    kind: 'recurrent',
    convolution: Math.max(kernel - 1, 0) * (2 * keyHeads * keyDim + valueHeads * valueDim),
    state: valueHeads * valueDim * keyDim,
  }
}

function countOf(value: unknown): number | null {
  return typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MAX_COUNT
    ? value
    : null
}

function record(value: unknown): Json | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : null
}
