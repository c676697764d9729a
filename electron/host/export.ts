import { join } from 'node:path'
import {
  compareExport,
  mayBeLeftover,
  type LeftoverKind,
  type NamedText,
} from '../../shared/export/compare-export.ts'
import type { ExportPreviewFile, ExportResult } from '../../shared/export/export-report.ts'
import { compareCodePoints } from '../../shared/token.ts'
import { stageText } from './atomic-save.ts'
import { realDisk, type Disk } from './disk.ts'
import { ExportTargets } from './export-targets.ts'
import { withFileLock } from './file-lock.ts'
import { mapBounded } from './map-bounded.ts'
import { readTextFile } from './read-text-file.ts'
import type { SaveTarget } from './save-target.ts'
import { diskFault, errorCode, isMissing } from './system-error.ts'

/** A file to export; `role` is null for one that belongs to no single role. */
export interface OutputFile extends NamedText {
  readonly role: string | null
}

/** What came of each file, in the order given; or why the folder as a whole cannot be used. */
export type FolderResult<T> =
  | { readonly ok: true; readonly files: readonly T[] }
  | { readonly ok: false; readonly code: string; readonly message: string }

/** What became of one file; `reason` is a sentence for a person. */
export type ExportedFile = ExportResult['files'][number]

export interface ExportTargetOptions {
  /** Files that are never replaced, wherever links lead: the lab's own. */
  readonly protect?: readonly string[]
  readonly disk?: Disk
}

/**
 * The most that is read of a file in the folder to compare it; a larger one differs from anything exported.
 */
const MAX_COMPARED_BYTES = 64 * 1024 * 1024
/** The most that is read of a file to see whether it is a left-over spec. */
const MAX_SPEC_BYTES = 1024 * 1024
const READS_AT_A_TIME = 32

/**
 * What {@link runExport} would do to each file and, with `findStale`, the files of that kind in the folder that this
 * export does not write (reported after the others). Writes nothing and makes no folder.
 */
export async function previewExport(
  folder: string,
  files: readonly OutputFile[],
  options: ExportTargetOptions & { readonly findStale: LeftoverKind | null },
): Promise<FolderResult<ExportPreviewFile>> {
  const disk = options.disk ?? realDisk
  const opened = await openFolder(folder, disk)
  if (!opened.ok) return opened
  const found = opened.path === null ? NOTHING : await lookAt(opened.path, files, options.protect ?? [], disk)
  const others =
    opened.path === null || options.findStale === null
      ? []
      : await otherTexts(opened.path, files, options.findStale, disk)
  const comparison = compareExport(files, new Map([...found.texts, ...others]), options.findStale ?? 'specs')
  return {
    ok: true,
    files: [
      ...comparison.files.map(({ file, state, existingText: oldText }): ExportPreviewFile => {
        const { fileName, role, text: newText } = file
        return {
          fileName,
          role,
          state,
          newText,
          oldText,
          refusal: found.refusals.get(fileName) ?? null,
          found: found.versions.get(fileName) ?? null,
        }
      }),
      ...comparison.stale.map(({ fileName, role, text }): ExportPreviewFile => {
        return { fileName, role, state: 'stale', newText: null, oldText: text, refusal: null, found: null }
      }),
    ],
  }
}

/**
 * Writes the files into `folder`, which is made when missing, and nowhere else: a file whose place is taken
 * by a link out of the folder, by a folder or by a file of the lab is refused. Each file is written whole or
 * not at all, and one that fails does not keep the others. Files that hold something else are replaced with
 * `force` only, and after a preview only when they still hold what that showed. A file that was not there is
 * created exclusively.
 */
export async function runExport(
  folder: string,
  files: readonly OutputFile[],
  options: ExportTargetOptions & RunOptions,
): Promise<FolderResult<ExportedFile>> {
  const disk = options.disk ?? realDisk
  try {
    await disk.mkdir(folder, { recursive: true })
  } catch (error) {
    // Something is there that is no folder: said in these words below.
    if (errorCode(error) !== 'EEXIST') return folderFault(error)
  }
  const opened = await openFolder(folder, disk)
  if (!opened.ok) return opened
  const targets = new ExportTargets(opened.path ?? folder, options.protect ?? [], disk)
  const done: ExportedFile[] = []
  for (const file of files) done.push(await writeOne(file, targets, options, disk))
  return { ok: true, files: done }
}

interface RunOptions {
  readonly force: boolean
  /** What the preview found in each file's place ({@link ExportPreviewFile.found}); left out without a preview. */
  readonly previewed?: ReadonlyMap<string, string | null>
}

const CAME_SINCE = 'It came or changed after the preview. Preview again.'

async function writeOne(
  file: OutputFile,
  targets: ExportTargets,
  options: RunOptions,
  disk: Disk,
): Promise<ExportedFile> {
  const { fileName } = file
  const target = await targets.find(fileName)
  if (!target.ok) return { fileName, outcome: 'refused', reason: target.reason }
  const written = await withFileLock<ExportedFile>(target.path, disk, () =>
    writeLocked(file, target, options, disk),
  )
  return 'outcome' in written ? written : { fileName, outcome: 'failed', reason: written.message }
}

async function writeLocked(
  { fileName, text }: OutputFile,
  target: SaveTarget,
  { force, previewed }: RunOptions,
  disk: Disk,
): Promise<ExportedFile> {
  const found = await lookAtFile(target, disk)
  if (found?.text === text) return { fileName, outcome: 'same', reason: null }
  const expected = previewed === undefined ? (found?.version ?? null) : (previewed.get(fileName) ?? null)
  if (found !== null && !force) {
    return { fileName, outcome: 'left_changed', reason: 'A file with other content is there.' }
  }
  if ((found?.version ?? null) !== expected) return { fileName, outcome: 'left_changed', reason: CAME_SINCE }
  const staged = await stageText(target, text, disk)
  if (!staged.ok) return { fileName, outcome: 'failed', reason: staged.message }
  // Writing takes a while: the last look is right before the file is put in its place.
  if (found !== null && (await lookAtFile(target, disk))?.version !== expected) {
    await staged.discard()
    return { fileName, outcome: 'left_changed', reason: CAME_SINCE }
  }
  const saved = await staged.commit()
  if (saved.ok) return { fileName, outcome: 'written', reason: null }
  if (saved.code === 'EEXIST') return { fileName, outcome: 'left_changed', reason: CAME_SINCE }
  return { fileName, outcome: 'failed', reason: saved.message }
}

interface FileThere {
  /** Null when it is no readable text. */
  readonly text: string | null
  /** Another one whenever the content is: its hash, or what the disk says of a file that is not read. */
  readonly version: string
}

/** Null when there is nothing. */
async function lookAtFile({ path, existing }: SaveTarget, disk: Disk): Promise<FileThere | null> {
  if (existing === null) return null
  const read = await readTextFile(path, MAX_COMPARED_BYTES, disk)
  if (read.ok) return { text: read.text, version: read.hash }
  const stats = await disk.stat(path).catch(() => existing)
  return { text: null, version: `${stats.dev}:${stats.ino}:${stats.size}:${stats.mtimeMs}` }
}

type OpenedFolder =
  /** The real path, or null when the folder is not there yet. */
  { readonly ok: true; readonly path: string | null } | Extract<FolderResult<never>, { readonly ok: false }>

async function openFolder(folder: string, disk: Disk): Promise<OpenedFolder> {
  try {
    const path = await disk.realpath(folder)
    if ((await disk.stat(path)).isDirectory()) return { ok: true, path }
    return { ok: false, code: 'ENOTDIR', message: 'Cannot export there: it is a file, not a folder.' }
  } catch (error) {
    return isMissing(error) ? { ok: true, path: null } : folderFault(error)
  }
}

function folderFault(error: unknown): Extract<FolderResult<never>, { readonly ok: false }> {
  const { code, reason } = diskFault(error)
  return { ok: false, code, message: `Cannot export there: ${reason}.` }
}

interface Found {
  /** By file name, what is there now; null when it is no readable text. */
  readonly texts: ReadonlyMap<string, string | null>
  readonly refusals: ReadonlyMap<string, string>
  readonly versions: ReadonlyMap<string, string>
}

const NOTHING: Found = { texts: new Map(), refusals: new Map(), versions: new Map() }

async function lookAt(
  folder: string,
  files: readonly OutputFile[],
  protect: readonly string[],
  disk: Disk,
): Promise<Found> {
  const targets = new ExportTargets(folder, protect, disk)
  const texts = new Map<string, string | null>()
  const refusals = new Map<string, string>()
  const versions = new Map<string, string>()
  for (const { fileName } of files) {
    const target = await targets.find(fileName)
    if (!target.ok) {
      refusals.set(fileName, target.reason)
      continue
    }
    const there = await lookAtFile(target, disk)
    if (there === null) continue
    texts.set(fileName, there.text)
    versions.set(fileName, there.version)
  }
  return { texts, refusals, versions }
}

/** The texts in the folder that are named as specs are and that the export does not write, by name. */
async function otherTexts(
  folder: string,
  files: readonly OutputFile[],
  kind: LeftoverKind,
  disk: Disk,
): Promise<readonly (readonly [string, string | null])[]> {
  // Where the disk does not tell case, a name of other case is the export's own file.
  const written = new Set(files.map(({ fileName }) => fileName.toLowerCase()))
  const entries = await disk.readdir(folder, { withFileTypes: true }).catch(() => [])
  const names = entries
    .filter((entry) => entry.isFile() && !entry.name.startsWith('.') && mayBeLeftover(entry.name, kind))
    .map((entry) => entry.name)
    .filter((name) => !written.has(name.toLowerCase()))
    .sort(compareCodePoints)
  return mapBounded(names, READS_AT_A_TIME, async (name) => {
    const read = await readTextFile(join(folder, name), MAX_SPEC_BYTES, disk)
    return [name, read.ok ? read.text : null] as const
  })
}
