import type { ModelManifest } from '../model-manifest/types.ts'
import { sameValue } from './equal.ts'

/** The manifests of one model name, which two labs have differently. */
export interface ManifestDifference {
  readonly of: 'manifest'
  readonly name: string
  readonly change: 'added' | 'removed' | 'changed'
  /** Where the later lab has it from; where the earlier one had it when it is removed. */
  readonly file: string | null
}

/** Everything the manifests `b` have differently from the manifests `a`, by model name. */
export function manifestDifferences(
  a: readonly ModelManifest[],
  b: readonly ModelManifest[],
): ManifestDifference[] {
  if (a === b) return []
  const names = [...new Set([...a, ...b].map(({ body }) => body.name))]
  return names.flatMap((name) => {
    const before = named(a, name)
    const after = named(b, name)
    if (sameValue(before, after)) return []
    const change = before.length === 0 ? 'added' : after.length === 0 ? 'removed' : 'changed'
    return [{ of: 'manifest', name, change, file: (after[0] ?? before[0])?.file ?? null }]
  })
}

function named(manifests: readonly ModelManifest[], name: string): ModelManifest[] {
  return manifests.filter(({ body }) => body.name === name)
}

/** The manifests `a` with those of their differences to `b` that are in `taken`. */
export function mixManifests(
  a: readonly ModelManifest[],
  b: readonly ModelManifest[],
  taken: readonly ManifestDifference[],
): readonly ModelManifest[] {
  if (taken.length === 0) return a
  const names = new Set(taken.map(({ name }) => name))
  return [...a.filter(({ body }) => !names.has(body.name)), ...b.filter(({ body }) => names.has(body.name))]
}
