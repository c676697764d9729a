/** Programs that serve models and that the planner can tell apart by their answers. */
export type ServerKind =
  'llama-server' | 'llama-server router' | 'Ollama' | 'LM Studio' | 'mlx_lm.server' | 'llama-swap' | 'vLLM'

/**
 * What a server does with a model: `listed` when it only says that it could serve it (its list is not what is loaded).
 */
export type ServedState = 'loaded' | 'loading' | 'sleeping' | 'unloaded' | 'listed'

/** One model of a server's answer. All texts are a stranger's: bounded, and only ever shown as text. */
export interface ServedModel {
  /** The name that clients ask for. */
  readonly id: string
  /** Other names that it goes by there. */
  readonly aliases: readonly string[]
  /** Path of its file, or the name of what it was loaded from, as the server says it; null when it does not. */
  readonly file: string | null
  readonly contextTokens: number | null
  /** Memory it takes there, in bytes, as the server says it (some say their weights only); null when it does not. */
  readonly bytes: bigint | null
  readonly state: ServedState
}

/** Whether a server has the model in memory, or is about to. */
export function isResident({ state }: ServedModel): boolean {
  return state === 'loaded' || state === 'loading'
}

/** What one address answered. */
export type Observation =
  | { readonly kind: 'server'; readonly server: ServerKind; readonly models: readonly ServedModel[] }
  /** Something answers, and it is none of the servers that are understood. */
  | { readonly kind: 'unknown' }
  | { readonly kind: 'needs_key' }
  /** Nothing listens there: the connection was refused. */
  | { readonly kind: 'closed' }
  /** No whole answer in time, or none that can be trusted; `reason` says which, for a person. */
  | { readonly kind: 'no_answer'; readonly reason: string }

/** What came back for one path. */
export type PathAnswer =
  | { readonly kind: 'json'; readonly status: number; readonly body: unknown }
  /** An answer that is no JSON, is too long or redirects. */
  | { readonly kind: 'other'; readonly status: number }
  | { readonly kind: 'closed' }
  | { readonly kind: 'failed'; readonly reason: string }

/** One address of a node and what it answered. */
export interface ObservedAddress {
  readonly nodeId: string
  /** The address without a path, such as `http://gpu-box:8080`. */
  readonly url: string
  readonly port: number
  readonly observation: Observation
}
