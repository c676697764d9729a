import { join } from 'node:path'
import {
  MAX_OLLAMA_MANIFEST_BYTES,
  readOllamaManifest,
  type OllamaLayer,
} from '../../../shared/scan/ollama-manifest.ts'
import { isWalkedName, MAX_WALK_ENTRIES } from '../../../shared/scan/walk-rules.ts'
import { compareCodePoints } from '../../../shared/token.ts'
import type { Disk } from '../disk.ts'
import { readTextFile } from '../read-text-file.ts'
import { diskFault, isMissing } from '../system-error.ts'
import { ScanRefusal, type Find, type FoundFile } from './found-model.ts'
import { isInside } from './walk-model.ts'

const LIBRARY = join('manifests', 'registry.ollama.ai', 'library')

/** Whether `folder` is an Ollama store: it has the manifests of the library, and blobs. */
export async function isOllamaStore(folder: string, disk: Disk): Promise<boolean> {
  const isFolder = async (path: string): Promise<boolean> =>
    disk.stat(path).then(
      (stats) => stats.isDirectory(),
      () => false,
    )
  return (await isFolder(join(folder, LIBRARY))) && (await isFolder(join(folder, 'blobs')))
}

/**
 * The models of an Ollama store (docs/formats.md, "Scanning models where they lie"): one a tag, in the order of their
 * names.
 */
export async function readOllamaStore(root: string, shown: string, disk: Disk): Promise<readonly Find[]> {
  const finds: Find[] = []
  let entries = 0
  for (const name of await names(join(root, LIBRARY), disk)) {
    for (const tag of await names(join(root, LIBRARY, name), disk)) {
      if (++entries > MAX_WALK_ENTRIES) {
        const reason = `it has over ${MAX_WALK_ENTRIES} models: the others are not looked at`
        return [...finds, { ok: false, shown, reason }]
      }
      finds.push(await readTag(root, name, tag, shown, disk))
    }
  }
  return finds
}

async function names(folder: string, disk: Disk): Promise<readonly string[]> {
  try {
    if (!(await disk.stat(folder)).isDirectory()) return []
    return (await disk.readdir(folder)).filter(isWalkedName).sort(compareCodePoints)
  } catch (error) {
    if (isMissing(error)) return []
    throw new ScanRefusal(`its manifests cannot be listed: ${diskFault(error).reason}`)
  }
}

async function readTag(root: string, name: string, tag: string, store: string, disk: Disk): Promise<Find> {
  const ollamaTag = `${name}:${tag}`
  const shown = `${ollamaTag} in ${store}`
  const read = await readTextFile(join(root, LIBRARY, name, tag), MAX_OLLAMA_MANIFEST_BYTES, disk)
  if (!read.ok) return { ok: false, shown, reason: `its Ollama manifest cannot be read: ${read.reason}` }
  const manifest = readOllamaManifest(read.text)
  if (!manifest.ok) return { ok: false, shown, reason: manifest.reason }
  try {
    const { shards, template } = manifest.value
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
        shards: await Promise.all(shards.map((layer) => blob(root, layer, disk))),
        tokenizer: null,
        template: template && (await blob(root, template, disk)),
      },
      warnings: [],
    }
  } catch (error) {
    if (error instanceof ScanRefusal) return { ok: false, shown, reason: error.message }
    throw error
  }
}

async function blob(root: string, layer: OllamaLayer, disk: Disk): Promise<FoundFile> {
  try {
    const real = await disk.realpath(join(root, layer.path))
    if (!isInside(real, root)) throw new ScanRefusal(`${layer.path} is a link that leads out of the store`)
    const stats = await disk.stat(real, { bigint: true })
    if (!stats.isFile()) throw new ScanRefusal(`${layer.path} is not a file`)
    if (stats.size !== layer.size) {
      const reason = `${layer.path} has ${stats.size} bytes instead of ${layer.size}: pull the model again`
      throw new ScanRefusal(reason)
    }
    return { path: layer.path, real, size: stats.size, mtimeNs: stats.mtimeNs }
  } catch (error) {
    if (error instanceof ScanRefusal) throw error
    if (isMissing(error)) throw new ScanRefusal(`${layer.path} is not there: pull the model again`)
    throw new ScanRefusal(`${layer.path} cannot be looked at: ${diskFault(error).reason}`)
  }
}
