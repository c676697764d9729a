import {
  llamaProps,
  lmStudioModels,
  lmStudioOldModels,
  loadingError,
  ollamaLoaded,
  ollamaTags,
  ollamaVersion,
  openAiModels,
  readAs,
  routerModels,
  swapRunning,
} from './answers.ts'
import type { Observation, PathAnswer, ServedModel, ServedState, ServerKind } from './types.ts'

/**
 * Every path that is ever asked for, by GET. None of them loads a model, and none shows prompts. A router's `/props` is
 * asked without a model: with one it would load it.
 */
export const LIVE_PATHS = [
  '/v1/models',
  '/api/version',
  '/api/ps',
  '/api/tags',
  '/running',
  '/props',
  '/models',
  '/api/v1/models',
  '/api/v0/models',
  '/health',
] as const
export type LivePath = (typeof LIVE_PATHS)[number]

/**
 * Of each server the path whose answer says all that it runs and that may change by itself: while that stays the same, the
 * others need not be asked every time.
 */
export const TELLING_PATHS: Readonly<Record<ServerKind, LivePath>> = {
  'llama-server': '/props',
  'llama-server router': '/models',
  Ollama: '/api/ps',
  'LM Studio': '/api/v1/models',
  'mlx_lm.server': '/v1/models',
  'llama-swap': '/running',
  vLLM: '/v1/models',
}

/** Asks for one path after the other and ends with what is there. The caller fetches each path and passes the answer. */
export type Asking<T> = Generator<LivePath, T, PathAnswer>

type Found = ReturnType<typeof served>

/**
 * Finds out which server answers at an address and what it runs, by its answers alone: servers move between ports.
 */
export function* askServer(): Asking<Observation> {
  const models = yield '/v1/models'
  const outside = outcomeOf(models)
  if (outside !== null && outside.kind !== 'unknown') return outside
  if (isLoading(models)) return served('llama-server', [UNNAMED_LOADING])
  const found =
    (yield* askLlamaServer(models)) ??
    vllmOf(models) ??
    (yield* askOllama()) ??
    (yield* askSwap(models)) ??
    (yield* askLmStudio()) ??
    (yield* askMlx(models))
  return found ?? { kind: 'unknown' }
}

/** A server that loads its one model names it only afterwards. */
const UNNAMED_LOADING: ServedModel = {
  id: '',
  aliases: [],
  file: null,
  contextTokens: null,
  bytes: null,
  state: 'loading',
}

function served(
  server: ServerKind,
  models: readonly ServedModel[],
): Extract<Observation, { kind: 'server' }> {
  return { kind: 'server', server, models }
}

/** What an answer says before it is read: closed, no answer, a key is needed. Null when it is to be read. */
function outcomeOf(answer: PathAnswer): Observation | null {
  switch (answer.kind) {
    case 'closed':
      return { kind: 'closed' }
    case 'failed':
      return { kind: 'no_answer', reason: answer.reason }
    case 'json':
    case 'other':
      if (answer.status === 401 || answer.status === 403) return { kind: 'needs_key' }
      return answer.kind === 'other' ? { kind: 'unknown' } : null
  }
}

function bodyOf(answer: PathAnswer): unknown {
  return answer.kind === 'json' && answer.status === 200 ? answer.body : null
}

function isLoading(answer: PathAnswer): boolean {
  if (answer.kind !== 'json' || answer.status !== 503) return false
  return /loading/i.test(readAs(loadingError, answer.body)?.error.message ?? '')
}

function* askOllama(): Asking<Found | null> {
  if (readAs(ollamaVersion, bodyOf(yield '/api/version')) === null) return null
  const loaded = readAs(ollamaLoaded, bodyOf(yield '/api/ps'))?.models ?? []
  const stored = readAs(ollamaTags, bodyOf(yield '/api/tags'))?.models ?? []
  // Tags of one digest are one model: each is loaded when one of them is.
  const tagsOf = (name: string, digest: string | null | undefined): string[] => [
    name,
    ...(digest ? stored.filter((each) => each.digest === digest).map((each) => each.name) : []),
  ]
  const names = new Set(loaded.flatMap(({ name, digest }) => tagsOf(name, digest)))
  return served('Ollama', [
    ...loaded.map(({ name, digest, size, context_length }) =>
      model(name, 'loaded', { aliases: tagsOf(name, digest), bytes: size, contextTokens: context_length }),
    ),
    ...stored.filter(({ name }) => !names.has(name)).map(({ name }) => model(name, 'unloaded')),
  ])
}

const SWAP_STATES: Readonly<Record<string, ServedState>> = { ready: 'loaded', starting: 'loading' }

function* askSwap(models: PathAnswer): Asking<Found | null> {
  const running = readAs(swapRunning, bodyOf(yield '/running'))?.running
  if (running === undefined) return null
  const names = new Set(running.map(({ model }) => model))
  const listed = readAs(openAiModels, bodyOf(models))?.data ?? []
  return served('llama-swap', [
    ...running.map((each) => model(each.model, SWAP_STATES[each.state ?? 'ready'] ?? 'unloaded')),
    ...listed.filter(({ id }) => !names.has(id)).map(({ id }) => model(id, 'unloaded')),
  ])
}

function* askLmStudio(): Asking<Found | null> {
  const now = readAs(lmStudioModels, bodyOf(yield '/api/v1/models'))
  if (now !== null) {
    const models = now.models.map(({ key, loaded_instances: instances }) =>
      model(key, instances.length > 0 ? 'loaded' : 'unloaded', {
        aliases: instances.flatMap(({ id }) => id ?? []),
        contextTokens: instances[0]?.config?.context_length,
      }),
    )
    return served('LM Studio', models)
  }
  const before = readAs(lmStudioOldModels, bodyOf(yield '/api/v0/models'))
  if (before === null || before.data.length === 0) return null
  return served(
    'LM Studio',
    before.data.map(({ id, state, loaded_context_length: contextTokens }) =>
      model(id, state === 'loaded' ? 'loaded' : 'unloaded', { contextTokens }),
    ),
  )
}

const ROUTER_STATES: Readonly<Record<string, ServedState>> = {
  loaded: 'loaded',
  loading: 'loading',
  sleeping: 'sleeping',
  unloaded: 'unloaded',
}

function* askLlamaServer(models: PathAnswer): Asking<Found | null> {
  const data = readAs(openAiModels, bodyOf(models))?.data ?? []
  if (!data.some(({ owned_by }) => owned_by === 'llamacpp')) return null
  const router = readAs(routerModels, bodyOf(yield '/models'))?.data ?? []
  if (router.length > 0) {
    return served(
      'llama-server router',
      router.map(({ id, aliases, status }) =>
        model(id, ROUTER_STATES[status.value] ?? 'unloaded', { aliases: aliases ?? [] }),
      ),
    )
  }
  const props = readAs(llamaProps, bodyOf(yield '/props'))
  return served(
    'llama-server',
    data.map(({ id, aliases, meta, max_model_len }) =>
      model(id, props?.is_sleeping === true ? 'sleeping' : 'loaded', {
        aliases: [...(aliases ?? []), ...(props?.model_alias ? [props.model_alias] : [])],
        file: props?.model_path,
        contextTokens: props?.default_generation_settings?.n_ctx ?? max_model_len,
        bytes: meta?.size,
      }),
    ),
  )
}

/** vLLM says so in its list. */
function vllmOf(models: PathAnswer): Found | null {
  const data = readAs(openAiModels, bodyOf(models))?.data ?? []
  if (!data.some(({ owned_by }) => owned_by === 'vllm')) return null
  return served(
    'vLLM',
    data.map(({ id, root, max_model_len }) =>
      model(id, 'loaded', { file: root, contextTokens: max_model_len }),
    ),
  )
}

/** mlx_lm.server answers `/health` and lists what its machine has downloaded, not what is loaded. */
function* askMlx(models: PathAnswer): Asking<Found | null> {
  const data = readAs(openAiModels, bodyOf(models))?.data
  if (data === undefined) return null
  const health = yield '/health'
  if (health.kind !== 'json' || health.status !== 200) return null
  return served(
    'mlx_lm.server',
    data.map(({ id }) => model(id, 'listed')),
  )
}

interface ModelDetails {
  readonly aliases?: readonly string[]
  readonly file?: string | null | undefined
  readonly contextTokens?: number | null | undefined
  readonly bytes?: number | null | undefined
}

function model(id: string, state: ServedState, details: ModelDetails = {}): ServedModel {
  const { aliases = [], file, contextTokens, bytes } = details
  return {
    id,
    aliases: aliases.filter((alias) => alias !== id),
    file: file ?? null,
    contextTokens: contextTokens ?? null,
    bytes: typeof bytes === 'number' && Number.isSafeInteger(bytes) ? BigInt(bytes) : null,
    state,
  }
}
