import type { ModelManifest } from '../model-manifest/types.ts'
import type { ServedModel } from './types.ts'

/** What a role should be served as: everything a server could call it. */
export interface WantedModel {
  readonly role: string
  /** The model's name in the roster; null when it is no plain token. */
  readonly model: string | null
  /** The repo of the roster entry; empty when there is none. */
  readonly repo: string
  readonly manifest: ModelManifest | null
}

/** `exact`: the role's model. `other_file`: the same model by another file or quant. `none`: another model. */
export type ModelMatch = 'exact' | 'other_file' | 'none'

/**
 * Whether a server's model is the one a role wants: by its file where the server names one (the tail of the path is a
 * shard of the manifest), else by its names.
 */
export function matchModel(served: ServedModel, wanted: WantedModel): ModelMatch {
  const names = [served.id, ...served.aliases].map(plainName)
  const wantedNames = namesOf(wanted).map(plainName)
  const isNamed = names.some((name) => wantedNames.includes(name))
  const byFile = matchFile(served.file, wanted)
  if (byFile === 'exact') return 'exact'
  if (isNamed) return byFile === 'other' ? 'other_file' : 'exact'
  const families = new Set(wantedNames.map(withoutQuant))
  const seen = byFile === 'unknown' ? names : [...names, plainName(tail(served.file ?? ''))]
  return seen.some((name) => families.has(withoutQuant(name))) ? 'other_file' : 'none'
}

function namesOf({ role, model, repo, manifest }: WantedModel): string[] {
  const source = manifest?.body.source
  return [role, model ?? '', repo, tail(repo), source?.hfRepo ?? '', source?.ollamaTag ?? ''].filter(
    (name) => name !== '',
  )
}

function matchFile(file: string | null, { manifest, repo }: WantedModel): 'exact' | 'other' | 'unknown' {
  if (file === null || manifest === null) return 'unknown'
  const name = tail(file)
  if (manifest.body.shards.some(({ path }) => tail(path) === name)) return 'exact'
  // A folder or a repo stands for all of its files: nothing more can be said of it.
  const isWhole = name === manifest.body.name || (repo !== '' && file.endsWith(repo))
  return isWhole || !/\.(gguf|safetensors)$/i.test(name) ? 'unknown' : 'other'
}

/** Servers differ in case, in a `:latest` they add and in the ending of a file. */
function plainName(name: string): string {
  return name
    .toLowerCase()
    .replace(/:latest$/, '')
    .replace(/(-\d{5}-of-\d{5})?\.gguf$/, '')
}

const QUANT =
  /[-_.:](?:(?:ud-)?i?q\d[a-z0-9_]*|bf16|f16|f32|fp8|fp16|int[48]|\d+[-_]?bit|mxfp4|awq|gptq|mlx|gguf)(?=$|[-_.:])/g

/** The model's name without its quant, so that two quants of one model are known as such. */
function withoutQuant(name: string): string {
  return tail(name).replace(QUANT, '')
}

function tail(path: string): string {
  return path.split(/[/\\]/).at(-1) ?? path
}
