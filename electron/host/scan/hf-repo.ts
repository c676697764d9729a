import { basename, dirname, join, relative } from 'node:path'
import { ggufSetName } from '../../../shared/scan/gguf-sets.ts'
import { hfRepoOf } from '../../../shared/scan/hf-names.ts'
import { isWalkedName } from '../../../shared/scan/walk-rules.ts'
import { compareCodePoints } from '../../../shared/token.ts'
import type { Disk } from '../disk.ts'
import { readTextFile } from '../read-text-file.ts'
import { LINKED_FOLDER, passed, refused, type Find, type LeftOut } from './found-model.ts'
import { sharedBlobsOf, type Snapshot } from './hf-links.ts'

/** Finds the models in the folder of one snapshot. */
export type FindInSnapshot = (folder: string, shown: string, snapshot: Snapshot) => Promise<readonly Find[]>

/**
 * What the folder at the real path `folder` has of snapshots, when its name is that of a repo in the Hugging Face cache; null when
 * it is of no repo.
 */
export async function repoSnapshots(folder: string, disk: Disk): Promise<'folder' | 'link' | 'none' | null> {
  if (hfRepoOf(basename(folder)) === null) return null
  return disk.lstat(join(folder, 'snapshots')).then(
    (stats) => (stats.isDirectory() ? 'folder' : stats.isSymbolicLink() ? 'link' : 'none'),
    () => 'none',
  )
}

/** How far below a snapshot a folder that was named itself may be. */
const MAX_SNAPSHOT_DEPTH = 3

/** The snapshot that the folder at the real path `folder` is, or is a part of; null when it is of none. */
export async function snapshotAround(folder: string, disk: Disk): Promise<Snapshot | null> {
  let revision = folder
  for (let level = 0; level <= MAX_SNAPSHOT_DEPTH; level++) {
    const repoFolder = dirname(dirname(revision))
    if (basename(dirname(revision)) === 'snapshots' && hfRepoOf(basename(repoFolder)) !== null) {
      return snapshotOf(repoFolder, basename(revision), disk)
    }
    revision = dirname(revision)
  }
  return null
}

async function snapshotOf(repoFolder: string, revision: string, disk: Disk): Promise<Snapshot | null> {
  const repo = hfRepoOf(basename(repoFolder))
  if (repo === null) return null
  const blobs = join(repoFolder, 'blobs')
  const [names, sharedBlobs] = await Promise.all([
    disk.readdir(blobs).catch((): string[] => []),
    sharedBlobsOf(repoFolder, disk),
  ])
  const there = new Set(names)
  const unfinished = names.filter(
    (name) => name.endsWith('.incomplete') && !there.has(name.replace(/\..*$/, '')),
  )
  return { repo, revision, blobs, sharedBlobs, unfinished: unfinished.sort(compareCodePoints) }
}

interface RevisionFinds {
  readonly revision: string
  readonly isMain: boolean
  /** By what the model is within its snapshot, so that it is found again in another one. */
  readonly byKey: ReadonlyMap<string, Find>
}

/**
 * The models of a cached repo: each one from the snapshot that `refs/main` names where it is whole there, else
 * from the newest that has it whole. A snapshot that does not count is reported.
 */
export async function repoModels(
  repo: string,
  shown: string,
  find: FindInSnapshot,
  disk: Disk,
): Promise<readonly Find[]> {
  const snapshots = join(repo, 'snapshots')
  const { revisions, linked, lines } = await revisionsIn(snapshots, join(shown, 'snapshots'), disk)
  const main = await readTextFile(join(repo, 'refs', 'main'), 1024, disk)
  const named = main.ok && isWalkedName(main.text.trim()) ? main.text.trim() : null
  const ordered = [...revisions].sort((a, b) => Number(b === named) - Number(a === named))
  const all: RevisionFinds[] = []
  for (const revision of ordered) {
    const snapshot = await snapshotOf(repo, revision, disk)
    const place = join(shown, 'snapshots', revision)
    const finds = snapshot === null ? [] : await find(join(snapshots, revision), place, snapshot)
    lines.push(...finds.flatMap((each) => (!each.ok && each.kind === 'passed' ? [each] : [])))
    const models = finds.filter((each) => each.ok || each.kind === 'refused')
    const byKey = new Map(models.map((each) => [keyOf(each, place), each]))
    all.push({ revision, isMain: revision === named, byKey })
  }
  if (named !== null && !revisions.includes(named)) {
    const why = linked.includes(named) ? 'a linked folder' : 'not there'
    lines.push(passed(shown, `refs/main names the snapshot ${named}, which is ${why}`))
  }
  const keys = [...new Set(all.flatMap(({ byKey }) => [...byKey.keys()]))].sort(compareCodePoints)
  const models = keys.flatMap((key) => chosen(key, all))
  if (models.length === 0 && lines.length === 0) {
    lines.push(
      refused(shown, 'no snapshot of it has any weights: its download has not ended, or was of other files'),
    )
  }
  return [...models, ...lines]
}

function keyOf(find: Find, snapshot: string): string {
  return ggufSetName(relative(snapshot, find.ok ? find.model.shown : find.shown))
}

/** The folders of a repo's snapshots, the one changed last first. Linked ones are reported and not followed. */
async function revisionsIn(
  snapshots: string,
  shown: string,
  disk: Disk,
): Promise<{
  readonly revisions: readonly string[]
  readonly linked: readonly string[]
  readonly lines: LeftOut[]
}> {
  const lines: LeftOut[] = []
  const linked: string[] = []
  const folders: { readonly name: string; readonly mtimeMs: number }[] = []
  for (const name of (await disk.readdir(snapshots)).sort(compareCodePoints)) {
    if (!isWalkedName(name)) continue
    const stats = await disk.lstat(join(snapshots, name))
    if (stats.isSymbolicLink()) {
      linked.push(name)
      lines.push(passed(join(shown, name), LINKED_FOLDER))
    } else if (stats.isDirectory()) folders.push({ name, mtimeMs: stats.mtimeMs })
  }
  const newestFirst = folders.sort((a, b) => b.mtimeMs - a.mtimeMs)
  return { revisions: newestFirst.map(({ name }) => name), linked, lines }
}

/** The find of `key` that counts, with a warning where there are others; `all` begins with the named snapshot. */
function chosen(key: string, all: readonly RevisionFinds[]): readonly Find[] {
  const having = all.filter(({ byKey }) => byKey.has(key))
  const whole = having.find(({ byKey }) => isWhole(byKey.get(key)))
  const counts = whole ?? having.find(({ byKey }) => byKey.get(key)?.ok === true) ?? having[0]
  const find = counts?.byKey.get(key)
  if (counts === undefined || find === undefined) return []
  const warnings: string[] = []
  const main = all.find(({ isMain }) => isMain)
  if (main !== undefined && main !== counts) {
    const other = main.byKey.get(key)
    const why = other === undefined ? 'does not have it' : `is not whole (${faultOf(other)})`
    warnings.push(`refs/main names the snapshot ${main.revision}, which ${why}: ${counts.revision} counts`)
  } else if (having.length > 1) {
    warnings.push(`${having.length} snapshots of the repo have it, this one counts; to scan another, name it`)
  }
  return [find.ok ? { ...find, warnings: [...find.warnings, ...warnings] } : find]
}

function isWhole(find: Find | undefined): boolean {
  return find?.ok === true && find.model.missing.length === 0
}

function faultOf(find: Find): string {
  return find.ok ? (find.model.missing[0] ?? 'another is') : find.reason
}
