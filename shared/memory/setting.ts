import { GIB } from '../bytes.ts'
import type { CacheType } from './cache-type.ts'
import { MAX_COUNT } from './shape.ts'

/** How a role's server is started, as far as its memory depends on it. */
export interface MemorySetting {
  /** Tokens of context in all, from 1 to 2^31: `--ctx-size` of llama-server. */
  readonly context: number
  readonly keyType: CacheType
  readonly valueType: CacheType
  /** Sequences that are served at once, from 1: `--parallel`. */
  readonly parallel: number
  /** Whether all sequences share the context; otherwise each has `context / parallel` of its own. */
  readonly unified: boolean
  /** Tokens that are worked on at once: `--ubatch-size`. */
  readonly ubatch: number
  /** Whether layers with a window keep the whole context all the same: `--swa-full`. */
  readonly fullWindows: boolean
  /** What the prompt cache may grow to, in bytes of the host's memory: `--cache-ram`. */
  readonly promptCacheBytes: bigint
  /** The operator's own figure for the compute buffer, in bytes; it is not computed. */
  readonly computeBytes: bigint
  /** The tensors of a draft model, in bytes; 0 without one. */
  readonly draftBytes: bigint
}

/** What is taken for the context where none is given: a common setting, and not what the model was trained for. */
export const USUAL_CONTEXT = 32_768

/** An operator's estimate, 0.75 GiB: what buffers for computing take is decided by the server when it starts. */
const USUAL_COMPUTE_BYTES = (3n * GIB) / 4n

/** The most sequences llama.cpp serves at once (llama-cparams.h, LLAMA_MAX_SEQ). */
export const MAX_PARALLEL = 256

export const USUAL_SETTING: MemorySetting = {
  context: USUAL_CONTEXT,
  keyType: 'f16',
  valueType: 'f16',
  parallel: 1,
  unified: true,
  ubatch: 512,
  fullWindows: false,
  promptCacheBytes: 0n,
  computeBytes: USUAL_COMPUTE_BYTES,
  draftBytes: 0n,
}

/** Why a number of tokens cannot be a context, or null when it can be one. */
export function contextFault(context: number): string | null {
  if (!Number.isInteger(context)) return 'a context is a whole number of tokens'
  if (context < 1) return 'a context has at least 1 token'
  return context > MAX_COUNT ? `a context has at most ${MAX_COUNT.toLocaleString('en')} (2^31) tokens` : null
}

/** Why a number of sequences cannot be served at once, or null when it can. */
export function parallelFault(parallel: number): string | null {
  return Number.isInteger(parallel) && parallel >= 1 && parallel <= MAX_PARALLEL
    ? null
    : `a server answers 1 to ${MAX_PARALLEL} requests at once`
}
