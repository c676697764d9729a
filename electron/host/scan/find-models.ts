import { basename, extname, join } from 'node:path'
import { isGgufName } from '../../../shared/scan/gguf-sets.ts'
import { hfRepoOf } from '../../../shared/scan/hf-names.ts'
import { isModelFolder, isWalkedName, MAX_WALK_ENTRIES } from '../../../shared/scan/walk-rules.ts'
import { compareCodePoints } from '../../../shared/token.ts'
import { realDisk, type Disk } from '../disk.ts'
import { readTextFile } from '../read-text-file.ts'
import { diskFault } from '../system-error.ts'
import { ScanRefusal, type Find } from './found-model.ts'
import { isOllamaStore, readOllamaStore } from './ollama-store.ts'
import { readFolderModels, readGgufModel } from './read-folder-model.ts'

/** A place to look for models in. */
export interface ScanPlaceName {
  /** Absolute. */
  readonly path: string
  /** For a person. */
  readonly shown: string
}

/**
 * How far below a folder of models their own folders may be: `models/ORG/REPO`, or a cache's `hub/models--X`.
 */
const MAX_SEARCH_DEPTH = 3

/**
 * The models at `place`: a GGUF file, a model's folder, a snapshot or the whole of a Hugging Face cache, an
 * Ollama store, or a folder that such are kept in. Nothing is read but names, sizes and the few texts that
 * describe a model. What cannot be scanned is told beside what can; at least one of either is returned.
 */
export async function findModels(place: ScanPlaceName, disk: Disk = realDisk): Promise<readonly Find[]> {
  const { path, shown } = place
  try {
    const real = await disk.realpath(path)
    const stats = await disk.stat(real)
    if (stats.isFile()) return [await readFile(path, real, shown, disk)]
    if (!stats.isDirectory()) return [refused(shown, 'it is neither a file nor a folder')]
    const search = new Search(disk)
    const finds = await search.folder(real, shown, MAX_SEARCH_DEPTH)
    if (finds.length > 0) return finds
    return [
      refused(shown, 'no model was found in it: no folder with weights, no GGUF file and no Ollama store'),
    ]
  } catch (error) {
    return [refused(shown, `it cannot be read: ${diskFault(error).reason}`)]
  }
}

function refused(shown: string, reason: string): Find {
  return { ok: false, shown, reason }
}

async function readFile(path: string, real: string, shown: string, disk: Disk): Promise<Find> {
  if (!isGgufName(basename(path)) && !isGgufName(basename(real))) {
    const kind = extname(path) === '' ? 'file' : `${extname(path)} file`
    return refused(
      shown,
      `a ${kind} is not scanned by itself, only a GGUF file is: name the folder of the model`,
    )
  }
  if (!isWalkedName(basename(path)))
    return refused(shown, 'its name is no plain token: letters, digits and . _ + : -')
  try {
    return await readGgufModel(path, shown, disk)
  } catch (error) {
    return refused(shown, reasonOf(error))
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ScanRefusal ? error.message : `it cannot be read: ${diskFault(error).reason}`
}

class Search {
  readonly #disk: Disk
  #entries = 0

  constructor(disk: Disk) {
    this.#disk = disk
  }

  /** The models in `folder` (a real path) and at most `depth` levels below it. */
  async folder(folder: string, shown: string, depth: number): Promise<readonly Find[]> {
    try {
      if (await isOllamaStore(folder, this.#disk)) return await readOllamaStore(folder, shown, this.#disk)
      const names = (await this.#disk.readdir(folder)).sort(compareCodePoints)
      if (hfRepoOf(basename(folder)) !== null && names.includes('snapshots'))
        return await this.#repo(folder, shown)
      if (isModelFolder(names)) return await readFolderModels(folder, shown, this.#disk)
      return depth === 0 ? [] : await this.#children(folder, shown, names, depth - 1)
    } catch (error) {
      return [refused(shown, reasonOf(error))]
    }
  }

  async #children(
    folder: string,
    shown: string,
    names: readonly string[],
    depth: number,
  ): Promise<readonly Find[]> {
    const finds: Find[] = []
    for (const name of names) {
      if (!isWalkedName(name)) continue
      if (++this.#entries > MAX_WALK_ENTRIES) {
        return [
          ...finds,
          refused(shown, `over ${MAX_WALK_ENTRIES} entries were searched: name the models' own folder`),
        ]
      }
      const path = join(folder, name)
      const stats = await this.#disk.lstat(path).catch(() => null)
      // A linked folder is followed when it is named itself, and never on the way.
      if (stats?.isDirectory()) finds.push(...(await this.folder(path, join(shown, name), depth)))
    }
    return finds
  }

  /** The snapshot of a cached repo that counts: what its `main` is at, else the newest. */
  async #repo(repo: string, shown: string): Promise<readonly Find[]> {
    const snapshots = join(repo, 'snapshots')
    const revisions = (await this.#disk.readdir(snapshots)).filter(isWalkedName)
    const main = await readTextFile(join(repo, 'refs', 'main'), 1024, this.#disk)
    const named = main.ok ? main.text.trim() : null
    const revision =
      named !== null && revisions.includes(named) ? named : await this.#newest(snapshots, revisions)
    if (revision === null) return []
    const folder = join(snapshots, revision)
    const finds = await readFolderModels(folder, join(shown, 'snapshots', revision), this.#disk)
    if (revisions.length === 1) return finds
    const warning = `the repo has ${revisions.length} snapshots, this one counts; to scan another, name it`
    return finds.map((find) => (find.ok ? { ...find, warnings: [...find.warnings, warning] } : find))
  }

  async #newest(snapshots: string, revisions: readonly string[]): Promise<string | null> {
    let newest: { readonly name: string; readonly mtimeMs: number } | null = null
    for (const name of [...revisions].sort(compareCodePoints)) {
      const { mtimeMs } = await this.#disk.stat(join(snapshots, name))
      if (newest === null || mtimeMs > newest.mtimeMs) newest = { name, mtimeMs }
    }
    return newest?.name ?? null
  }
}
