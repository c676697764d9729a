import { z } from 'zod'

/** Longest text that is kept of a stranger's answer. */
const MAX_TEXT = 512
/** Most models that are read of one server. */
const MAX_MODELS = 512

const text = z
  .string()
  .max(4096)
  .transform((value) => value.slice(0, MAX_TEXT))
const count = z.number().nonnegative().nullish().catch(null)
const maybeText = text.nullish().catch(null)

/** A list whose odd items are passed over: one strange entry hides none of its neighbours. */
function listOf<T extends z.ZodType>(item: T) {
  return z
    .array(z.unknown())
    .max(65_536)
    .transform((items) =>
      items.slice(0, MAX_MODELS).flatMap((each): z.output<T>[] => {
        const read = item.safeParse(each)
        return read.success ? [read.data] : []
      }),
    )
}

/** Ollama, GET /api/version. */
export const ollamaVersion = z.object({ version: text })

/** Ollama, GET /api/ps: what is loaded. */
export const ollamaLoaded = z.object({
  models: listOf(z.object({ name: text, digest: maybeText, size: count, context_length: count })),
})

/** Ollama, GET /api/tags: what the store holds. */
export const ollamaTags = z.object({ models: listOf(z.object({ name: text, digest: maybeText })) })

/** llama-swap, GET /running. Its `cmd` may hold keys: it is not read. */
export const swapRunning = z.object({
  running: listOf(z.object({ model: text, state: maybeText })),
})

/** OpenAI's list, GET /v1/models, with what llama-server and vLLM add to it. */
export const openAiModels = z.object({
  data: listOf(
    z.object({
      id: text,
      owned_by: maybeText,
      root: maybeText,
      max_model_len: count,
      aliases: listOf(text).nullish().catch(null),
      meta: z.object({ size: count }).nullish().catch(null),
    }),
  ),
})

/** llama-server as a router, GET /models. The arguments that a model is started with may hold keys: they are not read. */
export const routerModels = z.object({
  data: listOf(
    z.object({
      id: text,
      aliases: listOf(text).nullish().catch(null),
      status: z.object({ value: text }),
    }),
  ),
})

/** llama-server, GET /props. Its template and prompts are not read. */
export const llamaProps = z.object({
  model_path: maybeText,
  model_alias: maybeText,
  is_sleeping: z.boolean().nullish().catch(null),
  default_generation_settings: z.object({ n_ctx: count }).nullish().catch(null),
})

/** LM Studio, GET /api/v1/models. */
export const lmStudioModels = z.object({
  models: listOf(
    z.object({
      key: text,
      loaded_instances: listOf(
        z.object({ id: maybeText, config: z.object({ context_length: count }).nullish().catch(null) }),
      ),
    }),
  ),
})

/** LM Studio before, GET /api/v0/models. */
export const lmStudioOldModels = z.object({
  data: listOf(z.object({ id: text, state: text, loaded_context_length: count })),
})

/** A server that is loading answers so, with status 503. */
export const loadingError = z.object({ error: z.object({ message: text }) })

/** `body` as `schema` reads it; null when it is something else. */
export function readAs<T extends z.ZodType>(schema: T, body: unknown): z.output<T> | null {
  const read = schema.safeParse(body)
  return read.success ? read.data : null
}
