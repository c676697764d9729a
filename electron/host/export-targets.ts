import { isAbsolute, join, relative, sep } from 'node:path'
import { realDisk, type Disk } from './disk.ts'
import { notAFile } from './read-text-file.ts'
import type { SaveTarget } from './save-target.ts'
import { isSameFile } from './same-file.ts'
import { diskFault, isMissing } from './system-error.ts'

/** Why a file cannot be written, as a sentence for a person. */
export interface TargetRefusal {
  readonly ok: false
  readonly reason: string
}

/** The places of one export's files: which of them may be written, and where exactly. */
export class ExportTargets {
  readonly #folder: string
  readonly #protected: readonly string[]
  readonly #disk: Disk
  /** Real path → the file name it was given to. */
  readonly #taken = new Map<string, string>()

  /**
   * @param folder the real path of the folder that nothing may leave.
   * @param protectedFiles files that are never written, wherever links lead.
   */
  constructor(folder: string, protectedFiles: readonly string[], disk: Disk = realDisk) {
    this.#folder = folder
    this.#protected = protectedFiles
    this.#disk = disk
  }

  /**
   * Where `fileName` goes, as the folder is now. Ask for each file once: no two of them get the same place.
   */
  async find(fileName: string): Promise<SaveTarget | TargetRefusal> {
    if (!isPlainName(fileName)) return refused('Its name is not a plain file name.')
    const target = await this.#resolve(join(this.#folder, fileName))
    if (!target.ok) return target
    const other = this.#taken.get(target.path)
    if (other !== undefined) return refused(`It is a link to the place of ${other}, which is exported too.`)
    this.#taken.set(target.path, fileName)
    return target
  }

  async #resolve(path: string): Promise<SaveTarget | TargetRefusal> {
    try {
      const stats = await this.#disk.lstat(path)
      const real = stats.isSymbolicLink() ? await this.#disk.realpath(path) : path
      if (!isInside(this.#folder, real)) {
        return refused('A link in its place leads out of the folder. Remove the link.')
      }
      const existing = real === path ? stats : await this.#disk.stat(real)
      const kind = notAFile(existing)
      if (kind !== null) return refused(`There is ${kind} in its place. Remove it or choose another folder.`)
      if (await this.#isProtected(real)) {
        return refused('It would replace a file of the lab. Choose another folder.')
      }
      return { ok: true, path: real, existing }
    } catch (error) {
      if (!isMissing(error)) return refused(`Cannot look at its place: ${diskFault(error).reason}.`)
      return this.#absent(path)
    }
  }

  async #absent(path: string): Promise<SaveTarget | TargetRefusal> {
    const linked = await this.#disk.readlink(path).catch(() => null)
    return linked === null
      ? { ok: true, path, existing: null }
      : refused(`A link in its place leads to ${linked}, which is not there. Remove the link.`)
  }

  async #isProtected(path: string): Promise<boolean> {
    for (const file of this.#protected) if (await isSameFile(path, file, this.#disk)) return true
    return false
  }
}

/** A name without folders, streams (`:` on Windows) or anything else that leads elsewhere. */
function isPlainName(name: string): boolean {
  return name !== '' && name !== '.' && name !== '..' && !/[/\\:\0]/.test(name)
}

function isInside(folder: string, path: string): boolean {
  const way = relative(folder, path)
  return way !== '' && way !== '..' && !way.startsWith(`..${sep}`) && !isAbsolute(way)
}

function refused(reason: string): TargetRefusal {
  return { ok: false, reason }
}
