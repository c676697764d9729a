import { join } from 'node:path'
import type { ReadingProgress } from '../../shared/host-api.ts'
import type { LabFile, LabFiles } from '../../shared/lab/lab.ts'
import {
  isFolderPlace,
  LAB_FOLDER_PLACES,
  LAB_PLACE_TRAITS,
  LAB_PLACES,
  type LabFolderPlace,
  type LabPlace,
} from '../../shared/lab/lab-places.ts'
import type { Problem } from '../../shared/problem.ts'
import { compareCodePoints } from '../../shared/token.ts'
import { absenceProblems } from './absence-problems.ts'
import { realDisk, type Disk } from './disk.ts'
import { mapBounded } from './map-bounded.ts'
import type { LabFolder, LabPath, LabPaths } from './paths.ts'
import { decodeText, missingFault, readTextFile, type TextRead } from './read-text-file.ts'
import { diskFault, isMissing } from './system-error.ts'
import type { TextReader } from './text-memory.ts'

/** How many files of a folder are read at a time; more gains nothing and uses up the process's open files. */
const READS_AT_A_TIME = 32

export interface LoadOptions {
  /** Reads standard input for a place given as `-`; it may stop after `maxBytes + 1` bytes. */
  readonly readStdin?: (maxBytes: number) => Promise<Uint8Array>
  readonly disk?: Disk
  /** How a file is read; from the disk where nothing else is said. */
  readonly readText?: TextReader
  /** Called when the number of files is known, and after each that was read. */
  readonly onProgress?: (progress: ReadingProgress) => void
  /** Gives the reading up: it rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** What came of one place of the lab. */
interface Loaded {
  /** False when nothing is there and nothing said there was: what that means depends on the other places. */
  readonly present: boolean
  readonly files: readonly LabFile[]
  readonly problems: readonly Problem[]
}

const ABSENT: Loaded = { present: false, files: [], problems: [] }

/**
 * Reads a lab's files. Whatever cannot be read is a problem that names the path, the reason and what to do;
 * the other files are read all the same. Files come in the order roster, overlay, registry, manifests, shapes, nodes,
 * scenarios,
 * fleet; those of a folder (of its place's extension, hidden ones left out) by name in code point order. The roster is
 * opened for reading only.
 */
export async function loadLabFiles(paths: LabPaths, options: LoadOptions = {}): Promise<LabFiles> {
  const disk = options.disk ?? realDisk
  const listings = new Map<LabFolderPlace, Listing>()
  for (const place of LAB_FOLDER_PLACES) {
    const { extension } = LAB_PLACE_TRAITS[place]
    listings.set(place, await listFiles(paths[place].path, extension, disk))
  }
  const named = [...listings.values()].map((list) => (list.ok ? list.names.length : 0))
  const readText = counted(
    options.readText ?? ((path, maxBytes) => readTextFile(path, maxBytes, disk)),
    named.reduce((sum, count) => sum + count, LAB_PLACES.length - LAB_FOLDER_PLACES.length),
    options,
  )
  const readFile = fileReader(readText, options.readStdin)
  const loaded: { readonly place: LabPlace; readonly from: Loaded }[] = []
  // One after the other, so that of two places given as `-` the first one gets standard input.
  for (const place of LAB_PLACES) {
    const from = isFolderPlace(place)
      ? await readFolder(place, paths[place], listings.get(place) ?? NO_FILES, readText)
      : await readFile(place, paths[place])
    loaded.push({ place, from })
  }
  const absent = loaded.flatMap(({ place, from }) => (from.present ? [] : [place]))
  const noLab = absent.includes('roster') ? await labFault(paths.lab, disk) : null
  return {
    name: paths.lab.shown,
    files: loaded.flatMap(({ from }) => from.files),
    problems: [
      // Where the whole lab is missing, six missing files are no news.
      ...(noLab ? [noLab] : absenceProblems(paths, new Set(absent))),
      ...loaded.flatMap(({ from }) => from.problems),
    ],
    overlayFile: paths.overlay.shown,
  }
}

/** `read` that reports progress, and stops when it was cancelled. */
function counted(read: TextReader, totalFiles: number, { onProgress, signal }: LoadOptions): TextReader {
  let doneFiles = 0
  onProgress?.({ doneFiles, totalFiles })
  return async (path, maxBytes) => {
    signal?.throwIfAborted()
    const text = await read(path, maxBytes)
    onProgress?.({ doneFiles: ++doneFiles, totalFiles })
    return text
  }
}

type FileReader = (place: LabPlace, at: LabPath) => Promise<Loaded>

/** A reader of single files that gives standard input to the first place that asks for it. */
function fileReader(readText: TextReader, readStdin: LoadOptions['readStdin']): FileReader {
  let stdinTakenBy: LabPlace | null = null
  const readInput = async (place: LabPlace, maxBytes: number): Promise<TextRead> => {
    if (!readStdin) return { ok: false, code: 'file-unreadable', reason: 'there is no standard input here' }
    if (stdinTakenBy !== null) {
      const reason = `standard input is read once only, and it was the ${LAB_PLACE_TRAITS[stdinTakenBy].fileWords}`
      return { ok: false, code: 'file-unreadable', reason }
    }
    stdinTakenBy = place
    try {
      return decodeText(await readStdin(maxBytes), maxBytes)
    } catch (error) {
      return { ok: false, code: 'file-unreadable', reason: diskFault(error).reason }
    }
  }
  return async (place, { path, shown, given }) => {
    const { kind, maxBytes, fileWords } = LAB_PLACE_TRAITS[place]
    const read = await (path === null ? readInput(place, maxBytes) : readText(path, maxBytes))
    if (read.ok) {
      const { text, hash } = read
      return { present: true, files: [{ kind, file: shown, text, hash }], problems: [] }
    }
    if (read.code === 'file-missing' && !given) return ABSENT
    return { present: true, files: [], problems: [unreadable(fileWords, shown, read)] }
  }
}

/** Reads the files of a folder; a file that went away since the folder was listed is missing, and said. */
async function readFolder(
  place: LabPlace,
  at: LabFolder,
  list: Listing,
  readText: TextReader,
): Promise<Loaded> {
  const { kind, maxBytes, fileWords, words } = LAB_PLACE_TRAITS[place]
  if (!list.ok) {
    if (list.code === 'file-missing' && !at.given) return ABSENT
    return { present: true, files: [], problems: [unreadable(`folder of ${words}`, at.shown, list)] }
  }
  const reads = await mapBounded(list.names, READS_AT_A_TIME, async (name) => ({
    file: join(at.shown, name),
    read: await readText(join(at.path, name), maxBytes),
  }))
  return {
    present: true,
    files: reads.flatMap(({ file, read }) => {
      return read.ok ? [{ kind, file, text: read.text, hash: read.hash }] : []
    }),
    problems: reads.flatMap(({ file, read }) => (read.ok ? [] : [unreadable(fileWords, file, read)])),
  }
}

type Listing =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly reason: string }

const NO_FILES: Listing = { ok: true, names: [] }

async function listFiles(folder: string, extension: string, disk: Disk): Promise<Listing> {
  try {
    if (!(await disk.stat(folder)).isDirectory()) {
      return { ok: false, code: 'file-not-a-folder', reason: 'it is a file, not a folder' }
    }
    const names = await disk.readdir(folder)
    const visible = names.filter((name) => name.endsWith(extension) && !name.startsWith('.'))
    return { ok: true, names: visible.sort(compareCodePoints) }
  } catch (error) {
    if (!isMissing(error)) return { ok: false, code: 'file-unreadable', reason: diskFault(error).reason }
    return missingFault(folder, disk)
  }
}

/** What is wrong with the lab's folder itself, or null when it is there. */
async function labFault(lab: LabFolder, disk: Disk): Promise<Problem | null> {
  try {
    if ((await disk.stat(lab.path)).isDirectory()) return null
    const message = 'This is a file, not the folder of a lab. Name the folder, or the file as the roster.'
    return { severity: 'error', code: 'lab-not-a-folder', message, file: lab.shown, range: null }
  } catch (error) {
    const { reason } = diskFault(error)
    const message = `Cannot open the lab: ${reason}. Name the folder that holds docs/models/queue.yaml.`
    const code = isMissing(error) ? 'lab-missing' : 'lab-unreadable'
    return { severity: 'error', code, message, file: lab.shown, range: null }
  }
}

function unreadable(
  what: string,
  file: string,
  { code, reason }: { readonly code: string; readonly reason: string },
): Problem {
  return { severity: 'error', code, message: `Cannot read the ${what}: ${reason}.`, file, range: null }
}
