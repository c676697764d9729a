import { join } from 'node:path'
import {
  MAX_OLLAMA_MANIFEST_BYTES,
  ollamaTagOf,
  readOllamaManifest,
  type OllamaLayer,
} from '../../../shared/scan/ollama-manifest.ts'
import { isWalkedName, MAX_WALK_ENTRIES } from '../../../shared/scan/walk-rules.ts'
import { compareCodePoints } from '../../../shared/token.ts'
import type { Disk } from '../disk.ts'
import { readTextFile } from '../read-text-file.ts'
import { diskFault, isMissing } from '../system-error.ts'
import { passed, refused, ScanRefusal, type Find, type FoundFile, type LeftOut } from './found-model.ts'
import { isInside } from './hf-links.ts'

/** Whether `folder` is an Ollama store: it has manifests, and blobs. */
export async function isOllamaStore(folder: string, disk: Disk): Promise<boolean> {
  const isFolder = async (path: string): Promise<boolean> =>
    disk.stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    )
  return (await isFolder(join(folder, 'manifests'))) && (await isFolder(join(folder, 'blobs')))
}

/** The parts of a manifest's path below `manifests`: host, namespace, model and tag. */
const NAME_PARTS = 4

/**
 * The models of an Ollama store (docs/formats.md, "Scanning models where they lie"): one a tag, of every registry and namespace, in the
 * order of their names.
 */
export async function readOllamaStore(root: string, shown: string, disk: Disk): Promise<readonly Find[]> {
  const manifests = join(root, 'manifests')
  if ((await disk.lstat(manifests)).isSymbolicLink()) {
    return [refused(join(shown, 'manifests'), 'a linked folder, which is not followed')]
  }
  const found = new Manifests(root, shown, disk)
  await found.list([])
  const finds: Find[] = []
  for (const parts of found.manifests) finds.push(await readTag(root, parts, shown, disk))
  return [...finds, ...found.lines]
}

class Manifests {
  readonly manifests: (readonly string[])[] = []
  readonly lines: LeftOut[] = []
  readonly #root: string
  readonly #shown: string
  readonly #disk: Disk

  constructor(root: string, shown: string, disk: Disk) {
    this.#root = root
    this.#shown = shown
    this.#disk = disk
  }

  /** Gathers the manifests below the folder of these names. */
  async list(parts: readonly string[]): Promise<void> {
    const line = (name: string, reason: string): void => {
      this.lines.push(passed(join(this.#shown, 'manifests', ...parts, name), reason))
    }
    for (const { name, entry } of await this.#entries(parts)) {
      if (name.startsWith('.')) continue
      if (this.manifests.length >= MAX_WALK_ENTRIES) {
        line('', `it has over ${MAX_WALK_ENTRIES} models: the others are not looked at`)
        return
      }
      const isLast = parts.length + 1 === NAME_PARTS
      if (!isWalkedName(name))
        line(name, 'its name is not one that Ollama makes: only letters, digits and . _ + : - are read')
      else if (entry.isSymbolicLink()) line(name, 'a link: Ollama does not make any, and it is not followed')
      else if (entry.isDirectory() && !isLast) await this.list([...parts, name])
      else if (entry.isFile() && isLast) this.manifests.push([...parts, name])
      else line(name, 'no manifest of Ollama lies there: they are HOST/NAMESPACE/MODEL/TAG')
    }
  }

  async #entries(parts: readonly string[]) {
    try {
      const folder = join(this.#root, 'manifests', ...parts)
      const entries = await this.#disk.readdir(folder, { withFileTypes: true })
      return entries
        .map((entry) => ({ name: entry.name, entry }))
        .sort((a, b) => compareCodePoints(a.name, b.name))
    } catch (error) {
      if (isMissing(error)) return []
      this.lines.push(
        passed(join(this.#shown, 'manifests', ...parts), `it cannot be listed: ${diskFault(error).reason}`),
      )
      return []
    }
  }
}

async function readTag(root: string, parts: readonly string[], store: string, disk: Disk): Promise<Find> {
  const ollamaTag = ollamaTagOf(parts)
  const shown = `${ollamaTag} in ${store}`
  const read = await readTextFile(join(root, 'manifests', ...parts), MAX_OLLAMA_MANIFEST_BYTES, disk)
  if (!read.ok) return refused(shown, `its Ollama manifest cannot be read: ${read.reason}`)
  const manifest = readOllamaManifest(read.text)
  if (!manifest.ok) {
    return manifest.weightless ? passed(shown, manifest.reason) : refused(shown, manifest.reason)
  }
  const { shards, template, outside } = manifest.value
  const missing: string[] = []
  const found: FoundFile[] = []
  try {
    for (const layer of shards) {
      const file = await blob(root, layer, disk)
      if (typeof file === 'string') missing.push(file)
      else found.push(file)
    }
    const templateFile = template === null ? null : await blob(root, template, disk)
    if (typeof templateFile === 'string') missing.push(templateFile)
    if (found.length === 0) return refused(shown, missing[0] ?? 'its Ollama manifest has no model layer')
    return {
      ok: true,
      model: {
        kind: 'ollama',
        root,
        shown,
        format: 'ollama',
        source: { hfRepo: null, hfRevision: null, ollamaTag },
        folderRepo: null,
        folderName: ollamaTag,
        shards: found,
        tokenizer: null,
        template: typeof templateFile === 'string' ? null : templateFile,
        missing,
      },
      warnings: outside.map(({ what, path }) => `${path}, ${what}, is not in its manifest`),
    }
  } catch (error) {
    if (error instanceof ScanRefusal) return refused(shown, error.message)
    throw error
  }
}

/** The blob of a layer, or what is wrong with it. A link out of the store refuses the model. */
async function blob(root: string, layer: OllamaLayer, disk: Disk): Promise<FoundFile | string> {
  try {
    const real = await disk.realpath(join(root, layer.path))
    if (!isInside(real, root)) throw new ScanRefusal(`${layer.path} is a link that leads out of the store`)
    const stats = await disk.stat(real, { bigint: true })
    if (!stats.isFile()) return `${layer.path} is not a file`
    if (stats.size !== layer.size) {
      return `${layer.path} has ${stats.size} bytes instead of ${layer.size}: pull the model again`
    }
    return { path: layer.path, real, size: stats.size, mtimeNs: stats.mtimeNs }
  } catch (error) {
    if (error instanceof ScanRefusal) throw error
    if (isMissing(error)) return `${layer.path} is not there: pull the model again`
    return `${layer.path} cannot be looked at: ${diskFault(error).reason}`
  }
}
