import type { ModelManifest, Shard } from '../model-manifest/types.ts'
import { shellQuote } from './shell-quote.ts'

/** The folder of a model below a node's root. A `:` is encoded: Windows and macOS do not take it in a name. */
export function modelFolder({ body }: ModelManifest): string {
  return body.name.replaceAll(':', '%3A')
}

/**
 * Where the files of a model may lie on a node that keeps models below `roots`, likeliest first: a folder of its name, one
 * of its repo's (`ORG/REPO`), and for single files the root itself. Each is the folder that shard paths start from.
 */
export function sourceFolders(
  manifest: ModelManifest,
  repo: string | null,
  roots: readonly string[],
): readonly string[] {
  const named = repo ?? manifest.body.source?.hfRepo ?? null
  const below = [
    modelFolder(manifest),
    manifest.body.name,
    ...(named === null ? [] : [named, named.replace(/^.*\//, '')]),
  ]
  return roots.flatMap((root) => [...new Set(below)].map((folder) => `${root}/${folder}`).concat(root))
}

/** Whether a folder belongs to a Hugging Face cache by its name. The script also looks for what such a cache holds. */
export function isInHubCache(folder: string): boolean {
  return /\/models--[^/]*--|\/huggingface\/hub(?:\/|$)/.test(folder)
}

/**
 * Where an Ollama store keeps the manifest of a tag, below its `manifests`: `NAME:TAG` is of the default registry and its
 * library, `USER/NAME:TAG` of the default registry. Null without a tag that can be a path.
 */
export function ollamaTagPath(tag: string | null): string | null {
  const match =
    /^((?:[A-Za-z0-9_][A-Za-z0-9._-]*\/)*)([A-Za-z0-9_][A-Za-z0-9._-]*):([A-Za-z0-9_][A-Za-z0-9._-]*)$/.exec(
      tag ?? '',
    )
  if (match === null) return null
  const [, before = '', name = '', version = ''] = match
  const spaces = before.split('/').filter((part) => part !== '')
  const full = ['registry.ollama.ai', 'library'].slice(0, Math.max(0, 2 - spaces.length)).concat(spaces)
  return [...full, name, version].join('/')
}

/**
 * The command that downloads exactly these files of exactly that revision into a plain folder; null where neither the
 * manifest nor the roster names a repo.
 */
export function hubLine(
  { body: { source } }: ModelManifest,
  repo: string | null,
  shards: readonly Shard[],
  folder: string,
): string | null {
  const from = source?.hfRepo ?? repo
  if (from === null) return null
  const revision = source?.hfRevision ?? null
  return [
    'hf download',
    shellQuote(from),
    ...shards.map(({ path }) => shellQuote(path)),
    ...(revision === null ? [] : ['--revision', shellQuote(revision)]),
    '--local-dir',
    shellQuote(folder),
  ].join(' ')
}
