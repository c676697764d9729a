import { z } from 'zod'
import { addressOf } from './command-words.ts'
import type { ListedModel, ToolList } from './types.ts'

/** What is taken of LiteLLM's `config.yaml`; keys are dropped unread. */
export const LITELLM = z.object({
  model_list: z.array(
    z
      .object({
        model_name: z.string(),
        litellm_params: z.object({ model: z.string(), api_base: z.string().optional().catch(undefined) }),
      })
      .nullable()
      .catch(null),
  ),
})

/** The models of a LiteLLM proxy that run on this machine; it names servers, and no files. */
export function readLiteLlm({ model_list: list }: z.infer<typeof LITELLM>, from: string): ToolList {
  const notes: string[] = []
  const models: ListedModel[] = []
  for (const [i, entry] of list.entries()) {
    if (entry === null) {
      notes.push(`entry ${i + 1} of model_list has no model_name or no model`)
      continue
    }
    const { model_name: id, litellm_params: params } = entry
    const [, provider = '', name = ''] = /^([^/]+)\/(.+)$/.exec(params.model) ?? []
    const isOllama = provider === 'ollama' || provider === 'ollama_chat'
    const address = addressOf(params.api_base)
    if (address === null ? !isOllama : !address.isOwn) {
      notes.push(`${id} runs on another machine or at a service`)
      continue
    }
    models.push({
      ...{ id, from, path: null, context: null },
      runtime: isOllama ? 'infer.ollama' : null,
      repo: !isOllama && name.includes('/') ? name : null,
      ollamaTag: isOllama ? name : null,
      port: address?.port ?? null,
    })
  }
  return { models, ollamaPorts: [], notes }
}

/** What is taken of Olla's `config.yaml`. */
export const OLLA = z.object({
  discovery: z.object({
    static: z.object({
      endpoints: z.array(
        z
          .object({
            url: z.string(),
            name: z.string().optional().catch(undefined),
            type: z.string().optional().catch(undefined),
          })
          .nullable()
          .catch(null),
      ),
    }),
  }),
})

/** The servers of an Olla proxy: it lists addresses, and no models. */
export function readOlla({ discovery }: z.infer<typeof OLLA>): ToolList {
  const notes: string[] = []
  const ollamaPorts: number[] = []
  for (const [i, entry] of discovery.static.endpoints.entries()) {
    const address = addressOf(entry?.url)
    const name = entry?.name ?? `endpoint ${i + 1}`
    if (address === null) notes.push(`${name} has no http or https address`)
    else if (address.isOwn && entry?.type === 'ollama') ollamaPorts.push(address.port)
    else notes.push(`${name} names a server and no models: its address belongs into fleet.yaml, as url`)
  }
  return { models: [], ollamaPorts, notes }
}
