import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import type { Disk } from '../disk.ts'
import { readTextFile } from '../read-text-file.ts'

/** The place of a snapshot in the Hugging Face cache: `HUB/models--ORG--NAME/snapshots/REV`. */
export interface Snapshot {
  readonly repo: string
  readonly revision: string
  /** The real path of the folder that the snapshot's links lead into. */
  readonly blobs: string
  /** The real path of the blobs that all repos of the hub share; null where the hub does not say it has any. */
  readonly sharedBlobs: string | null
  /** Names of downloads into the repo that have not ended. */
  readonly unfinished: readonly string[]
}

const SHARED_MARKER = '.huggingface-shared-blobs'
const SHARED_BLOB = /^[0-9a-f]{2}\/[0-9a-f]{64}$/

/** The shared blobs of the hub that the repo's folder lies in: those of a `blobs` whose marker holds `1`. */
export async function sharedBlobsOf(repoFolder: string, disk: Disk): Promise<string | null> {
  const blobs = join(dirname(repoFolder), 'blobs')
  const marker = await readTextFile(join(blobs, SHARED_MARKER), 16, disk)
  return marker.ok && marker.text.trim() === '1' ? blobs : null
}

/**
 * Whether the snapshot's link at `path`, which resolves to `real`, may be followed: into the repo's own blobs,
 * or from one of them straight to a shared blob (docs/formats.md, "Scanning models where they lie").
 */
export async function isSnapshotLink(
  path: string,
  real: string,
  { blobs, sharedBlobs }: Snapshot,
  disk: Disk,
): Promise<boolean> {
  if (isInside(real, blobs)) return true
  if (sharedBlobs === null || !isInside(real, sharedBlobs)) return false
  if (!SHARED_BLOB.test(relative(sharedBlobs, real).split(sep).join('/'))) return false
  const blob = await linkTarget(path, disk)
  return dirname(blob) === blobs && (await linkTarget(blob, disk)) === real
}

/** Where the link at `path` leads, one step on: by the real path of the folder it names. */
async function linkTarget(path: string, disk: Disk): Promise<string> {
  const target = resolve(dirname(path), await disk.readlink(path))
  return join(await disk.realpath(dirname(target)), basename(target))
}

/** Whether the real path `path` is below the real folder `folder`. */
export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
