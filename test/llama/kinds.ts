import { gguf, type GgufInput } from '../support/weight-files.ts'

/** A tiny model of one kind, as llama.cpp loads it: its weights are zeros, its vocabulary has 320 words. */
export interface Kind {
  readonly name: string
  readonly file: () => Buffer
}

const EMBEDDING = 128
const WORDS = 320
const FEED_FORWARD = 64

type Tensors = Readonly<Record<string, number | readonly number[]>>

/** A model of `layers` layers of `architecture`; `layer` gives the tensors of one without `blk.N.`. */
function model(
  architecture: string,
  layers: number,
  keys: Readonly<Record<string, GgufInput>>,
  layer: (number: number) => Tensors,
): Buffer {
  const tensors: Record<string, number | readonly number[]> = {
    'token_embd.weight': [EMBEDDING, WORDS],
    'output_norm.weight': EMBEDDING,
  }
  for (let i = 0; i < layers; i++) {
    for (const [name, size] of Object.entries(layer(i))) tensors[`blk.${i}.${name}`] = size
  }
  const named = Object.entries({
    block_count: layers,
    context_length: 65_536,
    embedding_length: EMBEDDING,
    'attention.layer_norm_rms_epsilon': { float: 1e-6 },
    ...keys,
  }).map(([key, value]) => [`${architecture}.${key}`, value] as const)
  const words = Array.from({ length: WORDS }, (_, i) =>
    i < 3 ? (['<unk>', '<s>', '</s>'][i] ?? '') : word(i),
  )
  return gguf({
    metadata: {
      'general.architecture': architecture,
      ...Object.fromEntries(named),
      'tokenizer.ggml.model': 'llama',
      'tokenizer.ggml.tokens': words,
      'tokenizer.ggml.scores': { floats: words.map(() => 0) },
      'tokenizer.ggml.token_type': {
        signed: words.map((_, i) => (i === 0 ? 2 : i < 3 ? 3 : i < 259 ? 6 : 1)),
      },
      'tokenizer.ggml.bos_token_id': 1,
      'tokenizer.ggml.eos_token_id': 2,
      'tokenizer.ggml.unknown_token_id': 0,
    },
    tensors,
    fill: 0,
  })
}

/** Bytes come first, as in the vocabularies that have them all, then words of their own. */
function word(i: number): string {
  return i < 259 ? `<0x${(i - 3).toString(16).toUpperCase().padStart(2, '0')}>` : `w${i}`
}

const FEED: Tensors = {
  'ffn_norm.weight': EMBEDDING,
  'ffn_gate.weight': [EMBEDDING, FEED_FORWARD],
  'ffn_up.weight': [EMBEDDING, FEED_FORWARD],
  'ffn_down.weight': [FEED_FORWARD, EMBEDDING],
}

/** Attention with `heads` heads of `length`, of which `kvHeads` are kept. */
function attention(heads: number, kvHeads: number, length: number): Tensors {
  return {
    'attn_norm.weight': EMBEDDING,
    'attn_q.weight': [EMBEDDING, heads * length],
    'attn_k.weight': [EMBEDDING, kvHeads * length],
    'attn_v.weight': [EMBEDDING, kvHeads * length],
    'attn_output.weight': [heads * length, EMBEDDING],
  }
}

function headNorms(length: number): Tensors {
  return { 'attn_q_norm.weight': length, 'attn_k_norm.weight': length }
}

function heads(count: number, kept: GgufInput, length?: number): Record<string, GgufInput> {
  return {
    'attention.head_count': count,
    'attention.head_count_kv': kept,
    feed_forward_length: FEED_FORWARD,
    ...(length === undefined ? {} : { 'attention.key_length': length, 'attention.value_length': length }),
  }
}

const STATE = {
  'ssm.conv_kernel': 4,
  'ssm.inner_size': 256,
  'ssm.state_size': 32,
  'ssm.time_step_rank': 8,
  'ssm.group_count': 2,
} as const

/** Kept heads of a model whose layers differ; 0 stands for a layer without attention. */
const DIFFERENT_HEADS = [4, 2, 0, 1]

export const KINDS: readonly Kind[] = [
  {
    name: 'full attention (llama)',
    file: () => model('llama', 3, heads(4, 4), () => ({ ...attention(4, 4, 32), ...FEED })),
  },
  {
    name: 'grouped heads (llama)',
    file: () => model('llama', 4, heads(4, 1), () => ({ ...attention(4, 1, 32), ...FEED })),
  },
  {
    name: 'heads with a length of their own (qwen3)',
    file: () =>
      model('qwen3', 4, heads(2, 2, 96), () => ({ ...attention(2, 2, 96), ...headNorms(96), ...FEED })),
  },
  {
    name: 'sliding window (gemma3)',
    file: () =>
      model('gemma3', 8, { ...heads(2, 2, 64), 'attention.sliding_window': 512 }, () => ({
        ...attention(2, 2, 64),
        ...headNorms(64),
        ...FEED,
        'post_attention_norm.weight': EMBEDDING,
        'post_ffw_norm.weight': EMBEDDING,
      })),
  },
  {
    name: 'latent attention (deepseek2)',
    file: () =>
      model(
        'deepseek2',
        4,
        {
          ...heads(4, 1),
          'attention.key_length': 96 + 32,
          'attention.value_length': 96,
          'attention.key_length_mla': 64,
          'attention.value_length_mla': 32,
          'attention.kv_lora_rank': 96,
          'attention.q_lora_rank': 48,
          'rope.dimension_count': 32,
          leading_dense_block_count: 4,
          expert_feed_forward_length: 64,
          expert_shared_count: 1,
        },
        () => ({
          'attn_norm.weight': EMBEDDING,
          'attn_q_a_norm.weight': 48,
          'attn_kv_a_norm.weight': 96,
          'attn_q_a.weight': [EMBEDDING, 48],
          'attn_q_b.weight': [48, 4 * 64],
          'attn_kv_a_mqa.weight': [EMBEDDING, 96 + 32],
          'attn_k_b.weight': [32, 96, 4],
          'attn_v_b.weight': [96, 32, 4],
          'attn_output.weight': [4 * 32, EMBEDDING],
          ...FEED,
        }),
      ),
  },
  {
    name: 'state only (mamba)',
    file: () =>
      model(
        'mamba',
        4,
        { 'ssm.conv_kernel': 4, 'ssm.inner_size': 256, 'ssm.state_size': 32, 'ssm.time_step_rank': 8 },
        () => ({
          'attn_norm.weight': EMBEDDING,
          'ssm_in.weight': [EMBEDDING, 512],
          'ssm_conv1d.weight': [4, 256],
          'ssm_conv1d.bias': 256,
          'ssm_x.weight': [256, 8 + 64],
          'ssm_dt.weight': [8, 256],
          'ssm_dt.bias': 256,
          ssm_a: [32, 256],
          ssm_d: 256,
          'ssm_out.weight': [256, EMBEDDING],
        }),
      ),
  },
  {
    name: 'hybrid by an interval (qwen35)',
    file: () =>
      model(
        'qwen35',
        8,
        {
          ...heads(2, 1, 64),
          ...STATE,
          'rope.dimension_sections': { signed: [8, 8, 8, 0] },
          full_attention_interval: 4,
        },
        (layer) => ({
          ...((layer + 1) % 4 === 0
            ? { ...attention(2, 1, 64), 'attn_q.weight': [EMBEDDING, 2 * 64 * 2], ...headNorms(64) }
            : {
                'attn_norm.weight': EMBEDDING,
                'attn_qkv.weight': [EMBEDDING, 2 * 2 * 32 + 256],
                'attn_gate.weight': [EMBEDDING, 256],
                'ssm_conv1d.weight': [4, 2 * 2 * 32 + 256],
                'ssm_dt.bias': 8,
                ssm_a: 8,
                'ssm_beta.weight': [EMBEDDING, 8],
                'ssm_alpha.weight': [EMBEDDING, 8],
                'ssm_norm.weight': 32,
                'ssm_out.weight': [256, EMBEDDING],
              }),
          'post_attention_norm.weight': EMBEDDING,
          'ffn_gate.weight': [EMBEDDING, FEED_FORWARD],
          'ffn_up.weight': [EMBEDDING, FEED_FORWARD],
          'ffn_down.weight': [FEED_FORWARD, EMBEDDING],
        }),
      ),
  },
  {
    name: 'head counts by layer (deci)',
    file: () =>
      model('deci', 4, heads(4, DIFFERENT_HEADS, 32), (layer) => {
        const kept = DIFFERENT_HEADS[layer] ?? 0
        return kept === 0
          ? { 'attn_norm.weight': EMBEDDING, 'attn_output.weight': [EMBEDDING, EMBEDDING], ...FEED }
          : { ...attention(4, kept, 32), ...FEED }
      }),
  },
]
