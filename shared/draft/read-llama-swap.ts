import { z } from 'zod'
import { addressOf, commandWords, contextOf, optionValue, portOf } from './command-words.ts'
import type { ListedModel, ToolList } from './types.ts'

const MACRO = z.union([z.string(), z.number(), z.boolean()])

/** What is taken of llama-swap's `config.yaml`; everything else, `env` and keys among it, is dropped unread. */
export const LLAMA_SWAP = z.object({
  peers: z
    .record(z.string(), z.object({ models: z.array(z.string()).catch([]) }).catch({ models: [] }))
    .optional()
    .catch(undefined),
  macros: z.record(z.string(), MACRO).optional().catch(undefined),
  models: z.record(
    z.string(),
    z
      .object({ cmd: z.string(), proxy: z.string().optional().catch(undefined) })
      .nullable()
      .catch(null),
  ),
})

/** The models of a llama-swap configuration. */
export function readLlamaSwap(
  { macros = {}, models, peers = {} }: z.infer<typeof LLAMA_SWAP>,
  from: string,
): ToolList {
  const notes: string[] = []
  const listed: ListedModel[] = []
  for (const [id, model] of Object.entries(models)) {
    if (model === null) {
      notes.push(`${id} has no cmd`)
      continue
    }
    listed.push(fromCommand(id, from, expand(model.cmd, macros), addressOf(model.proxy)?.port ?? null))
  }
  for (const [peer, { models: theirs }] of Object.entries(peers)) {
    notes.push(
      `the peer ${peer} is another machine${theirs.length === 0 ? '' : `, which runs ${theirs.join(', ')}`}`,
    )
  }
  return { models: listed, ollamaPorts: [], notes }
}

/** Macros may use macros before them; more levels than this are a circle. */
const MOST_LEVELS = 8

function expand(command: string, macros: Readonly<Record<string, z.infer<typeof MACRO>>>): string {
  let text = command
  for (let level = 0; level < MOST_LEVELS; level++) {
    const next = text.replace(/\$\{([A-Za-z0-9_-]+)\}/g, (all, name: string) => String(macros[name] ?? all))
    if (next === text) break
    text = next
  }
  return text
}

/** A model by the command that serves it, of which the model, the port and the context are looked at. */
function fromCommand(id: string, from: string, command: string, proxyPort: number | null): ListedModel {
  const words = commandWords(command)
  const isMlx = words.some((word) => /(?:^|\/)mlx_lm(?:\.server)?$/.test(word))
  const isLlama = words.some((word) => /(?:^|\/)llama-server(?:\.exe)?$/i.test(word))
  // `python -m` names Python’s module.
  const model = whole(optionValue(words, ...(isMlx ? ['--model'] : ['-m', '--model'])))
  const repo = whole(optionValue(words, '-hf', '-hfr', '--hf-repo'))
  // Others than llama-server take a folder or a repo by the same option.
  const isRepo = !isLlama && model !== null && /^[^/.~][^/]*\/[^/]+$/.test(model)
  return {
    id,
    from,
    runtime: isMlx ? 'infer.mlx-lm' : isLlama ? 'infer.llamacpp' : null,
    path: isRepo ? null : model,
    repo: isRepo ? model : (repo?.replace(/:.*$/, '') ?? null),
    ollamaTag: null,
    port: portOf(optionValue(words, '--port')) ?? proxyPort,
    context: contextOf(optionValue(words, '-c', '--ctx-size')),
  }
}

/** Null for what still has a variable in it, whose value is not looked up. */
function whole(value: string | null): string | null {
  return value?.includes('${') === true ? null : value
}
