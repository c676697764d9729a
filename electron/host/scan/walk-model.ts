import type { BigIntStats } from 'node:fs'
import { join, sep } from 'node:path'
import { compareCodePoints } from '../../../shared/token.ts'
import {
  isShardPath,
  isWalkedName,
  MAX_WALK_DEPTH,
  MAX_WALK_ENTRIES,
} from '../../../shared/scan/walk-rules.ts'
import { MAX_PATH_BYTES } from '../../../shared/model-manifest/read-body.ts'
import type { Disk } from '../disk.ts'
import { diskFault, errorCode, isMissing } from '../system-error.ts'
import { ScanRefusal, type FoundFile } from './found-model.ts'

/** The files of a model folder. */
export interface Walk {
  /** In the order of their paths' code points. */
  readonly files: readonly FoundFile[]
  /** What was passed over and may be missed. */
  readonly warnings: readonly string[]
}

/**
 * Lists the files below `root` (a real path) by the rules of docs/formats.md, "Scanning models where they lie": 4
 * levels, 4,096 entries, names that are tokens, links inside the root or into `blobs` only. A folder that
 * breaks a rule is refused by throwing a {@link ScanRefusal}.
 *
 * @param blobs the real path of the folder that a snapshot's links may lead into; null when there is none.
 */
export async function walkModel(root: string, blobs: string | null, disk: Disk): Promise<Walk> {
  const walker = new Walker(root, blobs, disk)
  await walker.folder('', 1)
  return {
    files: walker.files.sort((a, b) => compareCodePoints(a.path, b.path)),
    warnings: walker.warnings,
  }
}

class Walker {
  readonly files: FoundFile[] = []
  readonly warnings: string[] = []
  readonly #root: string
  readonly #blobs: string | null
  readonly #disk: Disk
  #entries = 0

  constructor(root: string, blobs: string | null, disk: Disk) {
    this.#root = root
    this.#blobs = blobs
    this.#disk = disk
  }

  async folder(path: string, depth: number): Promise<void> {
    const names = await this.#list(path)
    this.#entries += names.length
    if (this.#entries > MAX_WALK_ENTRIES) {
      throw new ScanRefusal(
        `there are more than ${MAX_WALK_ENTRIES} entries in it: name the model's own folder`,
      )
    }
    for (const name of names) {
      if (!isWalkedName(name)) continue
      await this.#entry(path === '' ? name : `${path}/${name}`, depth)
    }
  }

  async #list(path: string): Promise<readonly string[]> {
    try {
      return (await this.#disk.readdir(join(this.#root, path))).sort(compareCodePoints)
    } catch (error) {
      throw new ScanRefusal(`${path === '' ? 'it' : path} cannot be listed: ${diskFault(error).reason}`)
    }
  }

  async #entry(path: string, depth: number): Promise<void> {
    const full = join(this.#root, path)
    let stats: BigIntStats
    try {
      stats = await this.#disk.lstat(full, { bigint: true })
    } catch (error) {
      // It went away since the folder was listed.
      if (isMissing(error)) return
      throw new ScanRefusal(`${path} cannot be looked at: ${diskFault(error).reason}`)
    }
    if (stats.isSymbolicLink()) await this.#link(path, full)
    else if (stats.isFile()) this.#add(path, full, stats)
    else if (stats.isDirectory()) {
      if (depth < MAX_WALK_DEPTH) await this.folder(path, depth + 1)
      else
        this.warnings.push(`${path} is deeper than ${MAX_WALK_DEPTH} levels: what is in it is not looked at`)
    }
  }

  async #link(path: string, full: string): Promise<void> {
    let real: string
    let stats: BigIntStats
    try {
      real = await this.#disk.realpath(full)
      stats = await this.#disk.stat(real, { bigint: true })
    } catch (error) {
      if (isMissing(error) || errorCode(error) === 'ELOOP') {
        this.warnings.push(`${path} is a link to nothing: it is passed over`)
        return
      }
      throw new ScanRefusal(`${path} is a link that cannot be followed: ${diskFault(error).reason}`)
    }
    if (stats.isDirectory()) {
      throw new ScanRefusal(
        `${path} is a link to a folder: put the folder itself there, or name it to be scanned`,
      )
    }
    if (!isInside(real, this.#root) && (this.#blobs === null || !isInside(real, this.#blobs))) {
      throw new ScanRefusal(
        `${path} is a link that leads out of the model's folder: put the file itself there`,
      )
    }
    if (stats.isFile()) this.#add(path, real, stats)
  }

  #add(path: string, real: string, { size, mtimeNs }: BigIntStats): void {
    if (!isShardPath(path)) throw new ScanRefusal(`${path} is a path of over ${MAX_PATH_BYTES} bytes`)
    this.files.push({ path, real, size, mtimeNs })
  }
}

/** Whether the real path `path` is below the real folder `folder`. */
export function isInside(path: string, folder: string): boolean {
  return path.startsWith(folder.endsWith(sep) ? folder : folder + sep)
}
