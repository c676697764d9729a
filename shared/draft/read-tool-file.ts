import { parseDocument } from 'yaml'
import { LLAMA_SWAP, readLlamaSwap } from './read-llama-swap.ts'
import { readModelsIni } from './read-models-ini.ts'
import { LITELLM, OLLA, readLiteLlm, readOlla } from './read-proxy-lists.ts'
import type { ToolList } from './types.ts'

export type ToolFileRead =
  | { readonly ok: true; readonly list: ToolList }
  /** Why nothing is taken of it, as in `FILE: REASON`. */
  | { readonly ok: false; readonly reason: string }

/** The most that is read of a file of another tool. */
export const MAX_TOOL_FILE_BYTES = 1024 * 1024

/** Whether a path is looked at as a file of another tool. */
export function isToolFileName(path: string): boolean {
  return /\.(?:ya?ml|ini)$/i.test(path)
}

/**
 * The models that a file of another tool lists: llama-swap's or LiteLLM's or Olla's `config.yaml`, recognized by their
 * keys, or llama-server's `models.ini`.
 *
 * @param shown the file, for a person.
 */
export function readToolFile(text: string, shown: string): ToolFileRead {
  if (/\.ini$/i.test(shown)) {
    const list = readModelsIni(text, `llama-server’s ${shown}`)
    return list.models.length > 0
      ? { ok: true, list }
      : { ok: false, reason: 'it has no section with a model: it is no models.ini of llama-server' }
  }
  const value = yamlValue(text)
  if (!value.ok) return value
  const swap = LLAMA_SWAP.safeParse(value.value)
  if (swap.success) return { ok: true, list: readLlamaSwap(swap.data, `llama-swap’s ${shown}`) }
  const lite = LITELLM.safeParse(value.value)
  if (lite.success) return { ok: true, list: readLiteLlm(lite.data, `LiteLLM’s ${shown}`) }
  const olla = OLLA.safeParse(value.value)
  if (olla.success) return { ok: true, list: readOlla(olla.data) }
  return {
    ok: false,
    reason:
      'it is no configuration of llama-swap (models), LiteLLM (model_list) or Olla (discovery.static.endpoints)',
  }
}

/** Aliases that are followed in all: a file that multiplies itself is refused. */
const MOST_ALIASES = 100

function yamlValue(
  text: string,
): { readonly ok: true; readonly value: unknown } | { readonly ok: false; readonly reason: string } {
  const document = parseDocument(text, { merge: true, logLevel: 'silent' })
  const [fault] = document.errors
  if (fault !== undefined) {
    const line = fault.linePos?.[0].line
    return { ok: false, reason: `it is not YAML${line === undefined ? '' : ` (line ${line})`}` }
  }
  try {
    return { ok: true, value: document.toJS({ maxAliasCount: MOST_ALIASES }) as unknown }
  } catch {
    return { ok: false, reason: 'its aliases cannot be followed' }
  }
}
