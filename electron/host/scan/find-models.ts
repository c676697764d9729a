import { basename, dirname, extname, join } from 'node:path'
import { ggufSets, isGgufName } from '../../../shared/scan/gguf-sets.ts'
import { isQuantName } from '../../../shared/scan/naming.ts'
import {
  INDEX_NAME,
  isModelMarker,
  isPipelineMarker,
  isWalkedName,
  MAX_SEARCH_ENTRIES,
  MAX_WALK_DEPTH,
  tokenName,
} from '../../../shared/scan/walk-rules.ts'
import { realDisk, type Disk } from '../disk.ts'
import { mapBounded } from '../map-bounded.ts'
import { diskFault } from '../system-error.ts'
import { folderModel, isFolderWeight, readConfig } from './folder-model.ts'
import { passed, refused, ScanRefusal, type Find } from './found-model.ts'
import { aloneLines, ggufModels, withCompanions } from './gguf-models.ts'
import type { Snapshot } from './hf-links.ts'
import { repoModels, repoSnapshots, snapshotAround } from './hf-repo.ts'
import { listFolder, type Folder } from './list-folder.ts'
import { isOllamaStore, readOllamaStore } from './ollama-store.ts'

/** A place to look for models in. */
export interface ScanPlaceName {
  /** Absolute. */
  readonly path: string
  /** For a person. */
  readonly shown: string
}

/** How many levels of folders below a place, or below a model's own folder, are looked at. */
const MAX_FOLDER_LEVEL = MAX_WALK_DEPTH - 1
const FOLDERS_AT_A_TIME = 8

/**
 * The models at `place`: a GGUF file, a model's folder, a snapshot or the whole of a Hugging Face cache, an
 * Ollama store, or a folder that such are kept in. Nothing is read but names, sizes, headers and the few texts
 * that describe a model. What cannot be scanned, and what was passed over, is reported beside what can.
 */
export async function findModels(place: ScanPlaceName, disk: Disk = realDisk): Promise<readonly Find[]> {
  const { path, shown } = place
  try {
    const real = await disk.realpath(path)
    const stats = await disk.stat(real)
    if (stats.isFile()) return await findFile(path, real, shown, disk)
    if (!stats.isDirectory()) return [refused(shown, 'it is neither a file nor a folder')]
    const finds = await new Search(disk).place(real, shown)
    if (finds.some((find) => find.ok || find.kind === 'refused')) return finds
    const none = refused(
      shown,
      'no model was found in it: no folder with weights, no GGUF file and no Ollama store',
    )
    return [none, ...finds]
  } catch (error) {
    return [refused(shown, reasonOf(error))]
  }
}

function reasonOf(error: unknown): string {
  return error instanceof ScanRefusal ? error.message : `it cannot be read: ${diskFault(error).reason}`
}

/** The model of one GGUF file; of a part of a split one, all the parts beside it. */
async function findFile(path: string, real: string, shown: string, disk: Disk): Promise<readonly Find[]> {
  const name = basename(path)
  if (!isGgufName(name) && !isGgufName(basename(real))) {
    const kind = extname(path) === '' ? 'file' : `${extname(path)} file`
    return [
      refused(shown, `a ${kind} is not scanned by itself, only a GGUF file is: name the folder of the model`),
    ]
  }
  if (!isWalkedName(name)) {
    const better = tokenName(name)
    const hint = better === null ? '' : `; ${better} would be one`
    return [refused(shown, `rename it: only letters, digits and . _ + : -${hint}`)]
  }
  const root = await disk.realpath(dirname(path))
  const snapshot = await snapshotAround(root, disk)
  const folder = await listFolder(root, dirname(shown), snapshot, disk)
  // Only the file and the parts beside it count: the folder may hold anything else.
  const ggufs = [...folder.files, ...folder.broken].map((each) => each.name).filter(isGgufName)
  const set = ggufSets(ggufs).find(({ paths }) => paths.includes(name))
  if (set === undefined) return [refused(shown, 'it is not there any more')]
  const isOwn = (each: { readonly name: string }): boolean => set.paths.includes(each.name)
  const own = {
    ...folder,
    files: folder.files.filter(isOwn),
    broken: folder.broken.filter(isOwn),
    passed: [],
  }
  const { finds, companions } = await ggufModels(own, snapshot, disk)
  return [...finds, ...aloneLines(folder, companions)]
}

/** Folders with weights that no configuration says to be a model's own: parts of one above, or one themselves. */
interface Candidate {
  readonly root: Folder
  readonly parts: readonly Folder[]
}

/** What one folder and those below it hold. */
interface Branch {
  readonly finds: readonly Find[]
  readonly candidates: readonly Candidate[]
}

/** Where a search is. */
interface Here {
  readonly real: string
  readonly shown: string
  /** Levels below the place. */
  readonly level: number
  /** The deepest level that is looked at. */
  readonly deepest: number
  readonly snapshot: Snapshot | null
  /** Whether a folder above says that all weights below it are its own. */
  readonly inPipeline: boolean
}

const EMPTY: Branch = { finds: [], candidates: [] }

class Search {
  readonly #disk: Disk
  #entries = 0

  constructor(disk: Disk) {
    this.#disk = disk
  }

  /** The models in the folder at the real path `real`. */
  async place(real: string, shown: string): Promise<readonly Find[]> {
    return this.#whole(real, shown, await snapshotAround(real, this.#disk))
  }

  async #whole(real: string, shown: string, snapshot: Snapshot | null): Promise<readonly Find[]> {
    const here = { real, shown, level: 0, deepest: MAX_FOLDER_LEVEL, snapshot, inPipeline: false }
    const { finds, candidates } = await this.#branch(here)
    return [...finds, ...(await this.#models(candidates, snapshot))]
  }

  async #branch(here: Here): Promise<Branch> {
    const { real, shown, snapshot } = here
    try {
      if (await isOllamaStore(real, this.#disk)) {
        return { finds: await readOllamaStore(real, shown, this.#disk), candidates: [] }
      }
      const snapshots = await repoSnapshots(real, this.#disk)
      if (snapshots !== null) return { finds: await this.#repo(real, shown, snapshots), candidates: [] }
      const folder = await listFolder(real, shown, snapshot, this.#disk)
      this.#entries += folder.entries
      if (this.#entries > MAX_SEARCH_ENTRIES) {
        const reason = `over ${MAX_SEARCH_ENTRIES} entries were searched before it: name it, or the models' own folder`
        return { finds: [refused(shown, reason)], candidates: [] }
      }
      return await this.#sorted(folder, here)
    } catch (error) {
      return { finds: [refused(shown, reasonOf(error))], candidates: [] }
    }
  }

  async #repo(real: string, shown: string, snapshots: 'folder' | 'link' | 'none'): Promise<readonly Find[]> {
    switch (snapshots) {
      case 'folder':
        return repoModels(real, shown, (...args) => this.#whole(...args), this.#disk)
      case 'link':
        return [refused(join(shown, 'snapshots'), 'a linked folder, which is not followed')]
      case 'none':
        return [
          refused(shown, 'a repo of the Hugging Face cache without a snapshot: its download has not ended'),
        ]
    }
  }

  /** Distinguishes models from their parts, and both from a folder that models are kept in. */
  async #sorted(folder: Folder, here: Here): Promise<Branch> {
    const { snapshot } = here
    const marked = folder.files.some(({ name }) => isModelMarker(name))
    const pipeline = folder.files.some(({ name }) => isPipelineMarker(name))
    const weighty = hasFolderWeights(folder)
    const isModel = pipeline || (marked && weighty)
    const below = await this.#below(folder, {
      ...here,
      deepest: isModel ? Math.max(here.deepest, here.level + MAX_FOLDER_LEVEL) : here.deepest,
      inPipeline: here.inPipeline || pipeline,
    })
    const ggufs = await ggufModels(folder, snapshot, this.#disk)
    const finds = [...folder.passed, ...ggufs.finds, ...besideQuants(folder, below.finds, ggufs.companions)]
    const parts = below.candidates.flatMap((each) => [each.root, ...each.parts])
    const model = async (own: readonly Folder[]): Promise<Branch> => {
      return { finds: [...finds, await folderModel(folder, own, snapshot, this.#disk)], candidates: [] }
    }
    if (here.inPipeline) {
      if (!weighty) return { finds, candidates: below.candidates }
      return { finds, candidates: [{ root: folder, parts }] }
    }
    if (isModel) return model(parts)
    if (weighty) {
      const holdsModels = below.finds.some(({ ok }) => ok) || parts.some(hasTensors)
      if (!holdsModels) return { finds, candidates: [{ root: folder, parts }] }
      const loose = looseLines(folder)
      return {
        finds: [...finds, ...loose, ...(await this.#models(below.candidates, snapshot))],
        candidates: [],
      }
    }
    // A tokenizer alone, as some models have one in a folder of another release, claims no folders below it.
    const configured = folder.files.some(({ name }) => name === 'config.json' || INDEX_NAME.test(name))
    if (!configured) return { finds: [...finds, ...otherLines(folder)], candidates: below.candidates }
    const isIndexed = folder.files.some(({ name }) => INDEX_NAME.test(name))
    const [only, ...more] = below.candidates
    const alone = finds.length === folder.passed.length && only === undefined
    if (isIndexed || alone) return model(parts)
    const config = folder.files.find(({ name }) => name === 'config.json')
    const describes = 'architectures' in (await readConfig(config, this.#disk))
    const noModels = !below.finds.some(({ ok }) => ok)
    if (only !== undefined && more.length === 0 && noModels && describes) return model(parts)
    return { finds: [...finds, ...(await this.#models(below.candidates, snapshot))], candidates: [] }
  }

  async #below({ folders, real, shown }: Folder, here: Here): Promise<Branch> {
    // The Hugging Face cache keeps data sets and apps beside its models.
    const models = folders.filter((name) => !/^(?:datasets|spaces)--/.test(name))
    const branches = await mapBounded(models, FOLDERS_AT_A_TIME, async (name): Promise<Branch> => {
      const level = here.level + 1
      const place = join(shown, name)
      if (level > here.deepest) {
        const reason = `deeper than ${MAX_WALK_DEPTH} levels: what is in it is not looked at`
        return { ...EMPTY, finds: [passed(place, reason)] }
      }
      return this.#branch({ ...here, real: join(real, name), shown: place, level })
    })
    return {
      finds: branches.flatMap(({ finds }) => finds),
      candidates: branches.flatMap(({ candidates }) => candidates),
    }
  }

  async #models(candidates: readonly Candidate[], snapshot: Snapshot | null): Promise<readonly Find[]> {
    return mapBounded(candidates, FOLDERS_AT_A_TIME, ({ root, parts }) =>
      folderModel(root, parts, snapshot, this.#disk),
    )
  }
}

/** What was found below `folder`; its companions belong to the quantizations that have a folder each in it. */
function besideQuants(
  folder: Folder,
  below: readonly Find[],
  companions: readonly string[],
): readonly Find[] {
  if (companions.length === 0) return below
  const isQuant = (find: Find): boolean =>
    find.ok && dirname(find.model.root) === folder.real && isQuantName(basename(find.model.root))
  if (!below.some(isQuant)) return [...aloneLines(folder, companions), ...below]
  return below.flatMap((find) => (isQuant(find) ? withCompanions([find], companions) : [find]))
}

/** Whether weights other than GGUF lie in the folder itself, be they broken or not all there. */
function hasFolderWeights({ files, broken, unfinished }: Folder): boolean {
  const names = [...files, ...broken].map(({ name }) => name)
  return names.some(isFolderWeight) || unfinished.some(({ target }) => !isGgufName(target))
}

function hasTensors({ files }: Folder): boolean {
  return files.some(({ name }) => /\.safetensors$/i.test(name))
}

function looseLines(folder: Folder): readonly Find[] {
  return folder.files
    .filter(({ name }) => isFolderWeight(name))
    .map(({ name }) =>
      refused(join(folder.shown, name), 'loose weights beside folders of models: give them a folder'),
    )
}

/** Models of other formats where no model of a known one is. */
function otherLines(folder: Folder): readonly Find[] {
  return folder.otherFormats.map((name) =>
    passed(join(folder.shown, name), `a ${extname(name)} model: no manifest has that format`),
  )
}
