import { isToken, MAX_MODEL_BYTES, MAX_ROLE_BYTES } from './token.ts'

/** The inference adapters a roster entry can be run by. */
export const RUNTIMES = ['infer.llamacpp', 'infer.mlx-lm', 'infer.ollama'] as const
export type Runtime = (typeof RUNTIMES)[number]

/** The weight formats a model manifest can name. */
export const MODEL_FORMATS = ['mlx', 'gguf', 'safetensors', 'ollama'] as const
export type ModelFormat = (typeof MODEL_FORMATS)[number]

/** What a runtime needs of a node and which weight formats it loads (docs/formats.md, "Inference spec"). */
export interface RuntimeTraits {
  /** The capability id a node must offer. */
  readonly capability: string
  /** Its server, as it is called on a command line. */
  readonly program: string
  /** Names of it in the `backend` text of a roster, in lower case (docs/reference.md R7); drafts write the first. */
  readonly backends: readonly [string, ...string[]]
  readonly formats: readonly ModelFormat[]
  /** The port this runtime usually serves on. */
  readonly usualPort: number
  /** Whether one server on one port answers for all its models. */
  readonly sharesPort: boolean
  /** How the programs that serve it call themselves. */
  readonly processName: RegExp
}

export const RUNTIME_TRAITS: Readonly<Record<Runtime, RuntimeTraits>> = {
  'infer.llamacpp': {
    capability: 'runtime.infer.llamacpp',
    program: 'llama-server',
    backends: ['llamacpp', 'llama.cpp', 'llama-server'],
    formats: ['gguf'],
    usualPort: 8090,
    sharesPort: false,
    processName: /^llama[-_](?:server|swap|cpp)/i,
  },
  'infer.mlx-lm': {
    capability: 'runtime.infer.mlx-lm',
    program: 'mlx_lm.server',
    backends: ['mlx_lm', 'mlx-lm'],
    formats: ['mlx', 'safetensors'],
    usualPort: 8081,
    sharesPort: false,
    processName: /^mlx/i,
  },
  'infer.ollama': {
    capability: 'runtime.infer.ollama',
    program: 'ollama',
    backends: ['ollama'],
    formats: ['ollama', 'gguf'],
    usualPort: 11434,
    sharesPort: true,
    processName: /^ollama/i,
  },
}

/** How soon a role must answer, in the order in which lists and columns show the classes. */
export const LATENCY_CLASSES = ['interactive', 'batch'] as const
export type LatencyClass = (typeof LATENCY_CLASSES)[number]

/** Everything that differs between latency classes: whatever treats one unlike another asks this table. */
export interface LatencyTraits {
  /** Title of its column and its menu entry. */
  readonly title: string
  /** What the class says about a role, to follow its name: `carries a latency bound`. */
  readonly meaning: string
  /** A suggestion places these roles before the others, and lists mark them. */
  readonly hasBound: boolean
  /** A role whose id or description in the roster matches is of this class unless the overlay says otherwise. */
  readonly rosterText: RegExp | null
}

export const LATENCY_TRAITS: Readonly<Record<LatencyClass, LatencyTraits>> = {
  interactive: {
    title: 'Interactive',
    meaning: 'carries a latency bound',
    hasBound: true,
    // Without the u flag: only A to Z are letters of either case.
    rosterText: /voice|realtime/i,
  },
  batch: { title: 'Batch', meaning: 'may wait', hasBound: false, rosterText: null },
}

/** The class of a role that neither the overlay nor the roster's text puts into another. */
export const DEFAULT_LATENCY_CLASS: LatencyClass = 'batch'

/** A value for every latency class. */
export function byLatencyClass<T>(
  valueOf: (latencyClass: LatencyClass) => T,
): Readonly<Record<LatencyClass, T>> {
  return Object.fromEntries(
    LATENCY_CLASSES.map((latencyClass) => [latencyClass, valueOf(latencyClass)]),
  ) as Record<LatencyClass, T>
}

/** How one roster role is to be served. Memory is in bytes. */
export interface InferenceSpec {
  readonly role: string
  /** The roster's display name when it is a plain token, else null (then left out of the file). */
  readonly model: string | null
  readonly runtime: Runtime
  readonly serve: { readonly port: number | null }
  readonly memory: { readonly weightsBytes: bigint; readonly kvBudgetBytes: bigint }
  readonly excludes: readonly string[]
  readonly latencyClass: LatencyClass
  readonly sticky: boolean
  readonly api: 'openai-v1'
}

/** Each memory figure of a spec is at most this many bytes (4 TiB). */
export const MAX_MEMORY_BYTES = 2n ** 42n

/** The memory a node must have free to run `spec`, in bytes: weights and KV cache together. */
export function specMemoryBytes(spec: InferenceSpec): bigint {
  return spec.memory.weightsBytes + spec.memory.kvBudgetBytes
}

/** The first reason why `spec` is invalid, in the reference's words, or null (docs/reference.md S1). */
export function invalidSpecReason(spec: InferenceSpec): string | null {
  if (!isToken(spec.role, MAX_ROLE_BYTES)) return 'role must be a plain token (1-64 chars)'
  if (spec.model !== null && !isToken(spec.model, MAX_MODEL_BYTES)) {
    return 'model names must be plain tokens (1-128 chars)'
  }
  if (spec.serve.port === 0) return 'serve.port must not be 0'
  if (spec.memory.weightsBytes > MAX_MEMORY_BYTES || spec.memory.kvBudgetBytes > MAX_MEMORY_BYTES) {
    return 'memory figures must be at most 4 TiB'
  }
  if (!spec.excludes.every((entry) => isToken(entry, MAX_ROLE_BYTES)))
    return 'excludes entries must be plain tokens'
  return null
}

/** The exact JSON object of a spec file: these keys, in this order. Memory figures fit a double (at most 2^42). */
export interface InferenceSpecJson {
  role: string
  model?: string
  runtime: Runtime
  serve: { port?: number }
  memory: { weights_bytes: number; kv_budget_bytes: number }
  excludes?: string[]
  latency_class: LatencyClass
  sticky: boolean
  api: 'openai-v1'
}

/** `spec` as the object its file holds, keys in the file's order. */
export function specToJson(spec: InferenceSpec): InferenceSpecJson {
  return {
    role: spec.role,
    ...(spec.model === null ? {} : { model: spec.model }),
    runtime: spec.runtime,
    serve: spec.serve.port === null ? {} : { port: spec.serve.port },
    memory: {
      weights_bytes: Number(spec.memory.weightsBytes),
      kv_budget_bytes: Number(spec.memory.kvBudgetBytes),
    },
    ...(spec.excludes.length === 0 ? {} : { excludes: [...spec.excludes] }),
    latency_class: spec.latencyClass,
    sticky: spec.sticky,
    api: spec.api,
  }
}
