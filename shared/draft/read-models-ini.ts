import { parse } from 'ini'
import { contextOf, portOf } from './command-words.ts'
import type { ListedModel, ToolList } from './types.ts'

/** The models of a `models.ini` of llama-server as a router: a section each, `[*]` for all of them. */
export function readModelsIni(text: string, from: string): ToolList {
  // A dot in a section's name would make a section within a section.
  const sections = parse(
    text.replace(/^(\s*\[)([^\]\r\n]*)(\])/gm, (_all, open: string, name: string, close: string) => {
      return `${open}${name.replaceAll('.', '\\.')}${close}`
    }),
  )
  const common = optionsOf(sections['*'])
  const models = Object.entries(sections).flatMap(([id, section]): ListedModel[] => {
    const own = optionsOf(section)
    if (id === '*' || own === null) return []
    const option = (...names: readonly string[]): string | null => {
      for (const options of [own, common]) {
        const name = names.find((each) => typeof options?.[each] === 'string')
        if (name !== undefined) return String(options?.[name])
      }
      return null
    }
    return [
      {
        id,
        from,
        runtime: 'infer.llamacpp',
        path: option('model', 'm', 'LLAMA_ARG_MODEL'),
        repo: option('hf-repo', 'hf', 'hfr', 'LLAMA_ARG_HF_REPO')?.replace(/:.*$/, '') ?? null,
        ollamaTag: null,
        port: portOf(option('port')),
        context: contextOf(option('ctx-size', 'c', 'LLAMA_ARG_CTX_SIZE')),
      },
    ]
  })
  return { models, ollamaPorts: [], notes: [] }
}

function optionsOf(section: unknown): Readonly<Record<string, unknown>> | null {
  return typeof section === 'object' && section !== null && !Array.isArray(section)
    ? Object.fromEntries(Object.entries(section))
    : null
}
