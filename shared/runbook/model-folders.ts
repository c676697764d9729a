import type { ModelManifest } from '../model-manifest/types.ts'

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
