import { basename, dirname, join } from 'node:path'
import { MAX_SHARDS } from '../../../shared/model-manifest/read-body.ts'
import type { ModelSource } from '../../../shared/model-manifest/types.ts'
import {
  ggufSetName,
  ggufSets,
  isGgufName,
  missingParts,
  type GgufSet,
} from '../../../shared/scan/gguf-sets.ts'
import { hfRepoOf, repoTail } from '../../../shared/scan/hf-names.ts'
import { modelFormat } from '../../../shared/scan/model-format.ts'
import { firstNamed, isWeightName, TEMPLATE_NAMES, TOKENIZER_NAMES } from '../../../shared/scan/walk-rules.ts'
import type { Disk } from '../disk.ts'
import { readTextFile } from '../read-text-file.ts'
import { ScanRefusal, type Find, type FoundFile, type FoundModel } from './found-model.ts'
import { tensorFormatOf } from './tensor-format.ts'
import { walkModel } from './walk-model.ts'

/** Far above any `config.json` there is. */
const MAX_CONFIG_BYTES = 4 * 1024 * 1024

/** The place of a snapshot in the Hugging Face cache: `models--ORG--NAME/snapshots/REV`. */
interface Snapshot {
  readonly repo: string
  readonly revision: string
  /** Where the snapshot's links lead. */
  readonly blobs: string
}

/**
 * The models in one folder that has weights: one, as a rule. Only a folder of nothing but GGUF files that are
 * not parts of each other holds one for each of them, since each is loaded by itself; a snapshot is one model
 * always.
 *
 * @param root a real path; `shown` names it for a person.
 */
export async function readFolderModels(root: string, shown: string, disk: Disk): Promise<readonly Find[]> {
  const snapshot = snapshotOf(root)
  const { files, warnings } = await walkModel(root, snapshot?.blobs ?? null, disk)
  const weights = files.filter(({ path }) => isWeightName(basename(path)))
  if (weights.length === 0) {
    throw new ScanRefusal('there are no weights in it (.safetensors, .gguf, .bin, .pt, .pth, .npz or .ckpt)')
  }
  const sets = snapshot === null ? looseGgufSets(weights) : null
  if (sets !== null) return sets.map((set) => ggufModel(root, join(shown, setLabel(set)), set, weights))
  const model = await folderModel(root, shown, snapshot, files, weights, disk)
  return [{ ok: true, model, warnings }]
}

/** The GGUF models of a folder that holds more than one and nothing else that is weights; else null. */
function looseGgufSets(weights: readonly FoundFile[]): readonly GgufSet[] | null {
  if (!weights.every(({ path }) => isGgufName(path) && !path.includes('/'))) return null
  const sets = ggufSets(weights.map(({ path }) => path))
  // A projector is a part of the model beside it and none of its own.
  const own = sets.filter(({ name }) => !/^mmproj\b/i.test(name))
  return own.length > 1 ? own : null
}

async function folderModel(
  root: string,
  shown: string,
  snapshot: Snapshot | null,
  files: readonly FoundFile[],
  weights: readonly FoundFile[],
  disk: Disk,
): Promise<FoundModel> {
  refuseTooMany(weights.length)
  const byPath = new Map(files.map((file) => [file.path, file]))
  const paths = new Set(byPath.keys())
  const first = weights.find(({ path }) => /\.safetensors$/i.test(path))
  const format = modelFormat({
    weights: weights.map(({ path }) => path),
    mlxQuantization: await hasMlxQuantization(byPath.get('config.json'), disk),
    tensorFormat: first ? await tensorFormatOf(first.real, disk) : null,
  })
  if (format === null) {
    throw new ScanRefusal(
      'its weights are PyTorch files, a format that no manifest has: convert them to safetensors or GGUF',
    )
  }
  const named = (names: readonly string[]): FoundFile | null =>
    byPath.get(firstNamed(names, paths) ?? '') ?? null
  return {
    kind: snapshot === null ? 'folder' : 'hf_snapshot',
    root,
    shown,
    format,
    source: snapshot && hfSource(snapshot),
    folderRepo: snapshot?.repo ?? `${basename(dirname(root))}/${basename(root)}`,
    folderName: snapshot ? repoTail(snapshot.repo) : basename(root),
    shards: weights,
    tokenizer: named(TOKENIZER_NAMES),
    template: named(TEMPLATE_NAMES),
  }
}

/**
 * The model of one GGUF file; of a part of a split one, all the parts beside it.
 *
 * @param path a real path, or a snapshot's link to one; `shown` names it for a person.
 */
export async function readGgufModel(path: string, shown: string, disk: Disk): Promise<Find> {
  const root = await disk.realpath(dirname(path))
  const name = basename(path)
  const snapshot = snapshotOf(root)
  // Only the file and its siblings count: the folder may hold anything else.
  const siblings = (await disk.readdir(root)).filter((each) => isGgufName(each))
  const set = ggufSets(siblings).find(({ paths }) => paths.includes(name))
  if (set === undefined) throw new ScanRefusal('it is not there any more')
  const files = await Promise.all(set.paths.map((each) => looseFile(root, each, snapshot, disk)))
  const find = ggufModel(root, shown, set, files)
  if (!find.ok || snapshot === null) return find
  return { ...find, model: { ...find.model, source: hfSource(snapshot), folderRepo: snapshot.repo } }
}

async function looseFile(
  root: string,
  name: string,
  snapshot: Snapshot | null,
  disk: Disk,
): Promise<FoundFile> {
  const real = await disk.realpath(join(root, name))
  const inside = dirname(real) === root || (snapshot !== null && dirname(real) === snapshot.blobs)
  if (!inside) throw new ScanRefusal(`${name} is a link that leads out of its folder: name the file itself`)
  const stats = await disk.stat(real, { bigint: true })
  if (!stats.isFile()) throw new ScanRefusal(`${name} is not a file`)
  return { path: name, real, size: stats.size, mtimeNs: stats.mtimeNs }
}

/** A set of files for a person: its only file, or what its parts have in common. */
function setLabel({ name, paths: [first = name, ...more] }: GgufSet): string {
  return more.length === 0 ? first : name
}

function ggufModel(root: string, place: string, set: GgufSet, weights: readonly FoundFile[]): Find {
  if (set.paths.length > MAX_SHARDS) return { ok: false, shown: place, reason: tooMany(set.paths.length) }
  const missing = missingParts(set)
  return {
    ok: true,
    model: {
      kind: 'gguf',
      root,
      shown: place,
      format: 'gguf',
      source: null,
      folderRepo: `${basename(dirname(root))}/${basename(root)}`,
      folderName: ggufSetName(set.paths[0] ?? set.name),
      shards: weights.filter(({ path }) => set.paths.includes(path)),
      tokenizer: null,
      template: null,
    },
    warnings: missing === null ? [] : [missing],
  }
}

function refuseTooMany(count: number): void {
  if (count > MAX_SHARDS) throw new ScanRefusal(tooMany(count))
}

function tooMany(count: number): string {
  return `it has ${count} weight files; a manifest can list ${MAX_SHARDS}`
}

function snapshotOf(root: string): Snapshot | null {
  const snapshots = dirname(root)
  const repoFolder = dirname(snapshots)
  const repo = basename(snapshots) === 'snapshots' ? hfRepoOf(basename(repoFolder)) : null
  return repo === null ? null : { repo, revision: basename(root), blobs: join(repoFolder, 'blobs') }
}

function hfSource({ repo, revision }: Snapshot): ModelSource {
  return { hfRepo: repo, hfRevision: revision, ollamaTag: null }
}

async function hasMlxQuantization(config: FoundFile | undefined, disk: Disk): Promise<boolean> {
  if (config === undefined) return false
  const read = await readTextFile(config.real, MAX_CONFIG_BYTES, disk)
  if (!read.ok) return false
  try {
    const parsed = JSON.parse(read.text) as unknown
    return (
      typeof parsed === 'object' &&
      parsed !== null &&
      'quantization' in parsed &&
      parsed.quantization !== null
    )
  } catch {
    return false
  }
}
