import { join } from 'node:path'
import type { ReadingProgress } from '../../shared/host-api.ts'
import type { LabFile, LabFileKind, LabFiles } from '../../shared/lab/lab.ts'
import type { Problem } from '../../shared/problem.ts'
import { compareCodePoints } from '../../shared/token.ts'
import { absenceProblems } from './absence-problems.ts'
import { realDisk, type Disk } from './disk.ts'
import { mapBounded } from './map-bounded.ts'
import { LAB_PLACES, type LabFolder, type LabPath, type LabPaths, type LabPlace } from './paths.ts'
import { decodeText, missingFault, readTextFile, type TextRead } from './read-text-file.ts'
import { diskFault, isMissing } from './system-error.ts'
import type { TextReader } from './text-memory.ts'

const MIB = 1024 * 1024

/** The most bytes that are read of one file of each kind (docs/reference.md R1; docs/formats.md, "Model manifest"). */
export const MAX_FILE_BYTES: Readonly<Record<LabFileKind, number>> = {
  roster: MIB,
  overlay: MIB,
  registry: 16 * MIB,
  manifest: MIB,
  shape: MIB,
  node: MIB,
  fleet: MIB,
}

/** How many files of a folder are read at a time; more gains nothing and uses up the process's open files. */
const READS_AT_A_TIME = 32

const FOLDER_WORDS = {
  manifest: 'folder of model manifests',
  shape: 'folder of model shapes',
  node: 'folder of node facts',
} as const

const KIND_WORDS: Readonly<Record<LabFileKind, string>> = {
  roster: 'roster',
  overlay: 'overlay',
  registry: 'model registry',
  manifest: 'model manifest',
  shape: 'model shape',
  node: 'node facts',
  fleet: 'fleet notes',
}

export interface LoadOptions {
  /** Reads standard input for a place given as `-`; it may stop after `maxBytes + 1` bytes. */
  readonly readStdin?: (maxBytes: number) => Promise<Uint8Array>
  readonly disk?: Disk
  /** How a file is read; from the disk where nothing else is said. */
  readonly readText?: TextReader
  /** Told when it is known how many files there are, and after each that was read. */
  readonly onProgress?: (progress: ReadingProgress) => void
  /** Gives the reading up: it rejects with the signal's reason. */
  readonly signal?: AbortSignal
}

/** What came of one place of the lab. */
interface Loaded {
  /** False when nothing is there and nobody said there was: what that means depends on the other places. */
  readonly present: boolean
  readonly files: readonly LabFile[]
  readonly problems: readonly Problem[]
}

const ABSENT: Loaded = { present: false, files: [], problems: [] }

/**
 * Reads a lab's files. Whatever cannot be read is a problem that names the path, the reason and what to do;
 * the other files are read all the same. Files come in the order roster, overlay, registry, manifests, shapes, nodes,
 * fleet; those of a folder (its `*.json`, hidden ones left out) by name in code point order. The roster is
 * opened for reading only.
 */
export async function loadLabFiles(paths: LabPaths, options: LoadOptions = {}): Promise<LabFiles> {
  const disk = options.disk ?? realDisk
  const manifests = await listJson(paths.manifests.path, disk)
  const shapes = await listJson(paths.shapes.path, disk)
  const nodes = await listJson(paths.nodes.path, disk)
  const readText = counted(
    options.readText ?? ((path, maxBytes) => readTextFile(path, maxBytes, disk)),
    SINGLE_FILES + namesIn(manifests) + namesIn(shapes) + namesIn(nodes),
    options,
  )
  const readFile = fileReader(readText, options.readStdin)
  const loaded: Readonly<Record<LabPlace, Loaded>> = {
    // One after the other, so that of two places given as `-` the first one gets standard input.
    roster: await readFile('roster', paths.roster),
    overlay: await readFile('overlay', paths.overlay),
    registry: await readFile('registry', paths.registry),
    manifests: await readFolder('manifest', paths.manifests, manifests, readText),
    shapes: await readFolder('shape', paths.shapes, shapes, readText),
    nodes: await readFolder('node', paths.nodes, nodes, readText),
    fleet: await readFile('fleet', paths.fleet),
  }
  const absent = LAB_PLACES.filter((place) => !loaded[place].present)
  const noLab = absent.includes('roster') ? await labFault(paths.lab, disk) : null
  return {
    name: paths.lab.shown,
    files: LAB_PLACES.flatMap((place) => loaded[place].files),
    problems: [
      // Where the whole lab is missing, six missing files are no news.
      ...(noLab ? [noLab] : absenceProblems(paths, new Set(absent))),
      ...LAB_PLACES.flatMap((place) => loaded[place].problems),
    ],
    overlayFile: paths.overlay.shown,
  }
}

/** Roster, overlay, registry and fleet notes. */
const SINGLE_FILES = 4

function namesIn(listing: Listing): number {
  return listing.ok ? listing.names.length : 0
}

/** `read` that tells how far the reading is, and ends it when it was called off. */
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

type FileReader = (kind: LabFileKind, place: LabPath) => Promise<Loaded>

/** A reader of single files that gives standard input to the first place that asks for it. */
function fileReader(readText: TextReader, readStdin: LoadOptions['readStdin']): FileReader {
  let stdinTakenBy: LabFileKind | null = null
  const readInput = async (kind: LabFileKind): Promise<TextRead> => {
    if (!readStdin) return { ok: false, code: 'file-unreadable', reason: 'there is no standard input here' }
    if (stdinTakenBy !== null) {
      const reason = `standard input is read once only, and it was the ${KIND_WORDS[stdinTakenBy]}`
      return { ok: false, code: 'file-unreadable', reason }
    }
    stdinTakenBy = kind
    try {
      return decodeText(await readStdin(MAX_FILE_BYTES[kind]), MAX_FILE_BYTES[kind])
    } catch (error) {
      return { ok: false, code: 'file-unreadable', reason: diskFault(error).reason }
    }
  }
  return async (kind, place) => {
    const { path } = place
    const read = await (path === null ? readInput(kind) : readText(path, MAX_FILE_BYTES[kind]))
    if (read.ok) {
      const { text, hash } = read
      return { present: true, files: [{ kind, file: place.shown, text, hash }], problems: [] }
    }
    if (read.code === 'file-missing' && !place.given) return ABSENT
    return { present: true, files: [], problems: [unreadable(KIND_WORDS[kind], place.shown, read)] }
  }
}

/** Reads the `*.json` of a folder; a file that went away since the folder was listed is missing, and said. */
async function readFolder(
  kind: keyof typeof FOLDER_WORDS,
  place: LabFolder,
  list: Listing,
  readText: TextReader,
): Promise<Loaded> {
  if (!list.ok) {
    if (list.code === 'file-missing' && !place.given) return ABSENT
    return { present: true, files: [], problems: [unreadable(FOLDER_WORDS[kind], place.shown, list)] }
  }
  const reads = await mapBounded(list.names, READS_AT_A_TIME, async (name) => ({
    file: join(place.shown, name),
    read: await readText(join(place.path, name), MAX_FILE_BYTES[kind]),
  }))
  return {
    present: true,
    files: reads.flatMap(({ file, read }) => {
      return read.ok ? [{ kind, file, text: read.text, hash: read.hash }] : []
    }),
    problems: reads.flatMap(({ file, read }) => (read.ok ? [] : [unreadable(KIND_WORDS[kind], file, read)])),
  }
}

type Listing =
  | { readonly ok: true; readonly names: readonly string[] }
  | { readonly ok: false; readonly code: string; readonly reason: string }

async function listJson(folder: string, disk: Disk): Promise<Listing> {
  try {
    if (!(await disk.stat(folder)).isDirectory()) {
      return { ok: false, code: 'file-not-a-folder', reason: 'it is a file, not a folder' }
    }
    const names = await disk.readdir(folder)
    const visible = names.filter((name) => name.endsWith('.json') && !name.startsWith('.'))
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
