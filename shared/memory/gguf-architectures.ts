/**
 * How the architectures of GGUF files keep their context, as llama.cpp has it in code. Read in the source that comes
 * with node-llama-cpp 3.21.1: src/models/*.cpp (`load_arch_hparams` of each), src/llama-model.cpp (`create_memory`),
 * src/llama-hparams.cpp (`set_swa_pattern`, `n_embd_r`, `n_embd_s`). docs/memory.md says which file holds what.
 */

/** Which layers look back at a window only. */
export type WindowRule =
  /** None, whatever the header says of a window. */
  | { readonly kind: 'none' }
  | {
      readonly kind: 'period'
      /** One layer of so many keeps everything, when the header gives no other number. */
      readonly period: number
      /** Whether that is the first of them or the last. */
      readonly first: 'full' | 'window'
      /** The window where the header gives none; null when there is none then. */
      readonly usual: number | null
      /** The window whatever the header gives. */
      readonly fixed?: number
      /** The rule holds for models of so many layers only. */
      readonly onlyLayers?: number
      /** Whether the header may list the layers instead of a period. */
      readonly orList?: true
    }
  /** The header lists them. */
  | { readonly kind: 'list' }
  /** Every layer with attention, when the header gives a window. */
  | { readonly kind: 'all' }

/** Which layers keep a state of fixed size instead of a cache. */
export type RecurrentRule =
  | { readonly kind: 'none' }
  /** All, and there is no attention. */
  | { readonly kind: 'all' }
  /** Every layer has both. */
  | { readonly kind: 'beside_attention' }
  /** Layers without K and V heads. */
  | { readonly kind: 'no_heads' }
  /** The same, as far as they have no feed-forward part either; one with that keeps nothing. */
  | { readonly kind: 'no_heads_no_feed_forward' }
  /** All but every so-manieth, by `full_attention_interval`; the list `attention.recurrent_layers` counts before it. */
  | { readonly kind: 'interval'; readonly usual: number }

export interface Architecture {
  readonly windows: WindowRule
  readonly recurrent: RecurrentRule
  /** Whether the layers that only predict further tokens (`nextn_predict_layers`, the last ones) keep nothing. */
  readonly trunkOnly: boolean
  /** Layers from the first on that have a cache; the others share theirs. By `attention.shared_kv_layers`, or fixed. */
  readonly sharedCaches: 'key' | number | null
}

const PLAIN: Architecture = {
  windows: { kind: 'none' },
  recurrent: { kind: 'none' },
  trunkOnly: false,
  sharedCaches: null,
}

type Period = Extract<WindowRule, { readonly kind: 'period' }>

function period(every: number, more: Partial<Omit<Period, 'kind' | 'period'>> = {}): Architecture {
  return { ...PLAIN, windows: { kind: 'period', period: every, first: 'window', usual: null, ...more } }
}

function recurrent(rule: RecurrentRule, more: Partial<Architecture> = {}): Architecture {
  return { ...PLAIN, recurrent: rule, ...more }
}

const LISTED: Architecture = { ...PLAIN, windows: { kind: 'list' } }

/** Architectures whose every layer keeps every token. */
const PLAIN_NAMES =
  'llama llama-embed deci falcon grok gpt2 gptj gptneox mpt baichuan starcoder refact bloom stablelm qwen qwen2 qwen2moe qwen2vl ' +
  'qwen3 qwen3moe qwen3vl qwen3vlmoe phi2 phi3 phimoe plamo codeshell orion internlm2 minicpm minicpm3 gemma ' +
  'starcoder2 xverse command-r dbrx olmo olmoe openelm arctic deepseek deepseek2 deepseek2-ocr chatglm glm4 glm4moe ' +
  'bitnet jais jais2 nemotron exaone granite granitemoe chameleon plm bailingmoe bailingmoe2 dots1 arcee ernie4_5 ' +
  'ernie4_5-moe hunyuan-moe hunyuan-dense hunyuan_vl smollm3 seed_oss grovemoe apertus minimax-m2 cogvlm ' +
  'pangu-embedded mistral3 mistral4 paddleocr maincoder talkie'

/** Architectures that encode or diffuse, and keep nothing between calls. */
const WITHOUT_CACHE =
  'bert modern-bert nomic-bert nomic-bert-moe neo-bert jina-bert-v2 jina-bert-v3 eurobert gemma-embedding dream llada ' +
  'llada-moe rnd1'

const OTHERS: Readonly<Record<string, Architecture>> = {
  afmoe: period(4),
  cohere2: period(4),
  cohere2moe: period(4, { first: 'full', orList: true }),
  'exaone-moe': period(4, { usual: 128 }),
  exaone4: period(4, { usual: 4096, onlyLayers: 64 }),
  gemma2: period(2, { usual: 4096 }),
  gemma3: period(6),
  gemma3n: { ...period(5), sharedCaches: 20 },
  'gpt-oss': period(2),
  laguna: period(4, { first: 'full' }),
  llama4: period(4, { usual: 8192, fixed: 8192 }),
  mellum: period(4, { orList: true }),
  'muse-glimmer': period(4, { orList: true }),
  olmo2: period(4),
  plamo3: period(8),
  smallthinker: period(4, { first: 'full', fixed: 4096 }),
  gemma4: { ...LISTED, sharedCaches: 'key' },
  granite_swa: LISTED,
  mimo2: { ...LISTED, trunkOnly: true },
  step35: { ...LISTED, trunkOnly: true },
  hy_v3: { ...PLAIN, trunkOnly: true },
  mamba: recurrent({ kind: 'all' }),
  mamba2: recurrent({ kind: 'all' }),
  rwkv6: recurrent({ kind: 'all' }),
  rwkv6qwen2: recurrent({ kind: 'all' }),
  rwkv7: recurrent({ kind: 'all' }),
  arwkv7: recurrent({ kind: 'all' }),
  'falcon-h1': recurrent({ kind: 'beside_attention' }),
  jamba: recurrent({ kind: 'no_heads' }),
  granitehybrid: recurrent({ kind: 'no_heads' }),
  plamo2: recurrent({ kind: 'no_heads' }),
  lfm2: recurrent({ kind: 'no_heads' }, { windows: { kind: 'all' } }),
  lfm2moe: recurrent({ kind: 'no_heads' }),
  'kimi-linear': recurrent({ kind: 'no_heads' }),
  'kimi-k3': recurrent({ kind: 'no_heads' }),
  bailingmoe3: recurrent({ kind: 'no_heads' }),
  nemotron_h: recurrent({ kind: 'no_heads_no_feed_forward' }),
  nemotron_h_moe: recurrent({ kind: 'no_heads_no_feed_forward' }),
  qwen3next: recurrent({ kind: 'interval', usual: 4 }, { trunkOnly: true }),
  qwen35: recurrent({ kind: 'interval', usual: 4 }, { trunkOnly: true }),
  qwen35moe: recurrent({ kind: 'interval', usual: 4 }, { trunkOnly: true }),
}

const KNOWN: ReadonlyMap<string, Architecture | 'no_cache'> = new Map<string, Architecture | 'no_cache'>([
  ...PLAIN_NAMES.split(' ').map((name) => [name, PLAIN] as const),
  ...WITHOUT_CACHE.split(' ').map((name) => [name, 'no_cache'] as const),
  ...Object.entries(OTHERS),
])

/** How an architecture keeps its context; null for one that is not known here. */
export function ggufArchitecture(name: string): Architecture | 'no_cache' | null {
  return KNOWN.get(name) ?? null
}
