import { basename, dirname, join, relative, sep } from 'node:path'
import { repoTail } from '../../../shared/scan/hf-names.ts'
import { isQuantName } from '../../../shared/scan/naming.ts'
import type { Snapshot } from './hf-links.ts'

/** The repos that a model's folder may be of, by its path. */
export interface RepoNames {
  readonly folderRepo: string
  /** Where the folder is one of a repo's for each quantization. */
  readonly parentRepo: string | null
}

/** The repo that the folder at the real path `root` is of: a folder for each quantization has its repo above it. */
export function repoNames(root: string, snapshot: Snapshot | null): RepoNames {
  if (snapshot !== null) return { folderRepo: snapshot.repo, parentRepo: null }
  const parent = dirname(root)
  const folderRepo = `${basename(parent)}/${basename(root)}`
  const parentRepo = isQuantName(basename(root)) ? `${basename(dirname(parent))}/${basename(parent)}` : null
  return { folderRepo, parentRepo }
}

/**
 * What a model that is a folder goes by: the folder's name, or that of its repo; with the folder's where several of one
 * repo have one each.
 */
export function folderModelName(root: string, snapshot: Snapshot | null): string {
  if (snapshot === null) {
    const { parentRepo } = repoNames(root, null)
    return parentRepo === null ? basename(root) : `${repoTail(parentRepo)}-${basename(root)}`
  }
  const top = join(dirname(snapshot.blobs), 'snapshots', snapshot.revision)
  const below = relative(top, root)
    .split(sep)
    .filter((part) => part !== '')
  return [repoTail(snapshot.repo), ...below].join('-')
}
