import type { BigIntStats, Dirent } from 'node:fs'
import { join } from 'node:path'
import {
  isModelMarker,
  isOtherFormat,
  isWalkedName,
  isWeightName,
  TEMPLATE_NAMES,
  tokenName,
  unfinishedTarget,
} from '../../../shared/scan/walk-rules.ts'
import { compareCodePoints } from '../../../shared/token.ts'
import type { Disk } from '../disk.ts'
import { mapBounded } from '../map-bounded.ts'
import { diskFault, errorCode, isMissing } from '../system-error.ts'
import { LINKED_FOLDER, passed, type FileStamp, type LeftOut } from './found-model.ts'
import { isInside, isSnapshotLink, type Snapshot } from './hf-links.ts'

/** A file of a folder that may belong to a model. */
export interface FolderFile extends FileStamp {
  readonly name: string
  /** Absolute, links resolved. */
  readonly real: string
  /** `plain`: it lies here. `repo`: a link into the blobs of its repo. `link`: any other link. */
  readonly reach: 'plain' | 'repo' | 'link'
}

/** What of one folder matters to a scan; names are in the order of their code points. */
export interface Folder {
  /** Absolute, links resolved. */
  readonly real: string
  /** For a person. */
  readonly shown: string
  /** How many entries it has. */
  readonly entries: number
  /** Weights, and the files that describe a model. */
  readonly files: readonly FolderFile[]
  readonly folders: readonly string[]
  /** What keeps a model here from being whole: `NAME is a link to nothing`. */
  readonly broken: readonly { readonly name: string; readonly reason: string }[]
  /** Unfinished downloads of weights, and the file each one would become. */
  readonly unfinished: readonly { readonly name: string; readonly target: string }[]
  /** Models in formats that no manifest has. */
  readonly otherFormats: readonly string[]
  readonly passed: readonly LeftOut[]
}

const STATS_AT_A_TIME = 16

/** Whether a file of this name is looked at. */
function matters(name: string): boolean {
  return isWeightName(name) || isModelMarker(name) || TEMPLATE_NAMES.some((each) => each === name)
}

/**
 * Lists the folder at the real path `real`. What is passed over is said (docs/formats.md, "Scanning models where they
 * lie"); hidden entries are not. Throws what the system says when the folder cannot be listed.
 *
 * @param snapshot where the folder is one of a snapshot in the Hugging Face cache.
 */
export async function listFolder(
  real: string,
  shown: string,
  snapshot: Snapshot | null,
  disk: Disk,
): Promise<Folder> {
  const entries = (await disk.readdir(real, { withFileTypes: true })).sort((a, b) =>
    compareCodePoints(a.name, b.name),
  )
  const looks = await mapBounded(entries, STATS_AT_A_TIME, (entry) =>
    lookAt(entry, real, shown, snapshot, disk),
  )
  const of = <K extends Look['kind']>(kind: K): Extract<Look, { kind: K }>[] =>
    looks.filter((look): look is Extract<Look, { kind: K }> => look.kind === kind)
  return {
    real,
    shown,
    entries: entries.length,
    files: of('file').map(({ file }) => file),
    folders: of('folder').map(({ name }) => name),
    broken: of('broken'),
    unfinished: of('unfinished'),
    otherFormats: of('other_format').map(({ name }) => name),
    passed: of('passed').map(({ line }) => line),
  }
}

type Look =
  | { readonly kind: 'file'; readonly file: FolderFile }
  | { readonly kind: 'folder'; readonly name: string }
  | { readonly kind: 'broken'; readonly name: string; readonly reason: string }
  | { readonly kind: 'unfinished'; readonly name: string; readonly target: string }
  | { readonly kind: 'other_format'; readonly name: string }
  | { readonly kind: 'passed'; readonly line: LeftOut }
  | { readonly kind: 'nothing' }

const NOTHING: Look = { kind: 'nothing' }

async function lookAt(
  entry: Dirent,
  folder: string,
  shown: string,
  snapshot: Snapshot | null,
  disk: Disk,
): Promise<Look> {
  const { name } = entry
  if (name.startsWith('.')) return NOTHING
  const path = join(folder, name)
  const line = (reason: string): Look => ({ kind: 'passed', line: passed(join(shown, name), reason) })
  if (!isWalkedName(name)) {
    const isFolder = entry.isDirectory() || (entry.isSymbolicLink() && (await isFolderAt(path, disk)))
    return isFolder || isWeightName(name) ? line(noTokenReason(name)) : NOTHING
  }
  if (entry.isDirectory())
    return isOtherFormat(name) ? { kind: 'other_format', name } : { kind: 'folder', name }
  const target = unfinishedTarget(name)
  if (target !== null) return { kind: 'unfinished', name, target }
  if (isOtherFormat(name)) return { kind: 'other_format', name }
  if (entry.isFile()) return matters(name) ? plainFile(path, name, disk) : NOTHING
  if (!entry.isSymbolicLink()) return isWeightName(name) ? line('it is no regular file') : NOTHING
  return linked(path, name, line, snapshot, disk)
}

function noTokenReason(name: string): string {
  const better = tokenName(name)
  const hint = better === null ? 'rename it' : `rename it, to ${better} for example`
  return `only letters, digits and . _ + : - can be in its name: ${hint}`
}

async function isFolderAt(path: string, disk: Disk): Promise<boolean> {
  return disk.stat(path).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
}

async function plainFile(path: string, name: string, disk: Disk): Promise<Look> {
  try {
    const stats = await disk.stat(path, { bigint: true })
    return stats.isFile() ? fileOf(name, path, stats, 'plain') : NOTHING
  } catch (error) {
    // It went away since the folder was listed.
    if (isMissing(error)) return NOTHING
    return { kind: 'broken', name, reason: `cannot be looked at: ${diskFault(error).reason}` }
  }
}

function fileOf(
  name: string,
  real: string,
  { size, mtimeNs }: BigIntStats,
  reach: FolderFile['reach'],
): Look {
  return { kind: 'file', file: { name, real, size, mtimeNs, reach } }
}

async function linked(
  path: string,
  name: string,
  line: (reason: string) => Look,
  snapshot: Snapshot | null,
  disk: Disk,
): Promise<Look> {
  try {
    const real = await disk.realpath(path)
    const stats = await disk.stat(real, { bigint: true })
    if (stats.isDirectory()) return line(LINKED_FOLDER)
    if (!stats.isFile() || !matters(name)) return NOTHING
    const ofRepo = snapshot !== null && (await isSnapshotLink(path, real, snapshot, disk))
    return fileOf(name, real, stats, ofRepo ? 'repo' : 'link')
  } catch (error) {
    const leadsNowhere = isMissing(error) || errorCode(error) === 'ELOOP'
    if (!matters(name)) {
      // In a snapshot it is a file of the repo that nothing needs; elsewhere a folder or a drive may be away.
      if (leadsNowhere && snapshot !== null) return NOTHING
      return line(leadsNowhere ? 'a link to nothing' : diskFault(error).reason)
    }
    const reason = leadsNowhere
      ? 'is a link to nothing'
      : `is a link that cannot be followed: ${diskFault(error).reason}`
    return { kind: 'broken', name, reason }
  }
}

/** Whether `file` belongs to a model at `root`: it lies in it, or is reached by a link that may be followed. */
export function isOwnFile({ reach, real }: FolderFile, root: string): boolean {
  return reach !== 'link' || isInside(real, root)
}
