import { relative, sep } from 'node:path'
import { MAX_PATH_BYTES, MAX_SHARDS } from '../../../shared/model-manifest/read-body.ts'
import type { ModelSource } from '../../../shared/model-manifest/types.ts'
import { isGgufName } from '../../../shared/scan/gguf-sets.ts'
import { modelFormat } from '../../../shared/scan/model-format.ts'
import { compareIndex, fileList, missingParts, readShardIndex } from '../../../shared/scan/model-parts.ts'
import {
  firstNamed,
  INDEX_NAME,
  isShardPath,
  isWeightName,
  MAX_WALK_ENTRIES,
  TEMPLATE_NAMES,
  TOKENIZER_NAMES,
} from '../../../shared/scan/walk-rules.ts'
import { compareCodePoints } from '../../../shared/token.ts'
import type { Disk } from '../disk.ts'
import { mapBounded } from '../map-bounded.ts'
import { readTextFile } from '../read-text-file.ts'
import { refused, type Find, type FoundFile } from './found-model.ts'
import type { Snapshot } from './hf-links.ts'
import { inspectWeights, type Inspected } from './inspect-weights.ts'
import { isOwnFile, type Folder, type FolderFile } from './list-folder.ts'
import { folderModelName, repoNames } from './repo-names.ts'

/** Far above any `config.json` there is. */
const MAX_CONFIG_BYTES = 4 * 1024 * 1024
/** The index of a model with a hundred thousand tensors has some ten megabytes. */
const MAX_INDEX_BYTES = 64 * 1024 * 1024
const FILES_AT_A_TIME = 8

/** Whether a file of this name is a shard of a model that is a folder: GGUF files are models of their own. */
export function isFolderWeight(name: string): boolean {
  return isWeightName(name) && !isGgufName(name)
}

/** A file of a model with its path below the model's root. */
interface Member {
  readonly path: string
  readonly file: FolderFile
}

interface Shard extends Member {
  readonly inspected: Inspected
}

/**
 * The model of the folder `root`, with the weights of `parts`, folders below it that are none of their own.
 * A model that lacks something is found with what it lacks.
 */
export async function folderModel(
  root: Folder,
  parts: readonly Folder[],
  snapshot: Snapshot | null,
  disk: Disk,
): Promise<Find> {
  const { real, shown } = root
  const folders = [root, ...parts]
  if (folders.reduce((sum, { entries }) => sum + entries, 0) > MAX_WALK_ENTRIES) {
    return refused(
      shown,
      `there are more than ${MAX_WALK_ENTRIES} entries in it: name the model's own folder`,
    )
  }
  const members = folders.flatMap((folder) =>
    folder.files.map((file) => ({ path: pathIn(root, folder, file.name), file })),
  )
  const weights = members
    .filter(({ file }) => isFolderWeight(file.name))
    .sort((a, b) => compareCodePoints(a.path, b.path))
  const fault = refusal(weights, real)
  if (fault !== null) return refused(shown, fault)
  const looked = await mapBounded(weights, FILES_AT_A_TIME, async (member): Promise<Shard> => {
    return { ...member, inspected: await inspectWeights(member.file.real, member.file.name, disk) }
  })
  const shards = looked.filter(({ inspected }) => inspected.fault === null)
  const { missing, warnings } = await wholeness(root, folders, looked, members, snapshot, disk)
  if (shards.length === 0) return refused(shown, noWeights(missing))
  const own = new Map(
    members.filter(({ file }) => isOwnFile(file, real)).map((member) => [member.path, member]),
  )
  const format = modelFormat({
    weights: shards.map(({ path }) => path),
    mlxQuantization: await hasMlxQuantization(own.get('config.json')?.file, disk),
    tensorFormat:
      shards.find(({ inspected }) => inspected.tensorFormat !== null)?.inspected.tensorFormat ?? null,
  })
  if (format === null) {
    return refused(
      shown,
      'its weights are PyTorch files, a format that no manifest has: convert them to safetensors or GGUF',
    )
  }
  const paths = new Set(own.keys())
  const named = (names: readonly string[]): FoundFile | null => {
    const member = own.get(firstNamed(names, paths) ?? '')
    return member ? foundFile(member) : null
  }
  return {
    ok: true,
    model: {
      kind: snapshot === null ? 'folder' : 'hf_snapshot',
      root: real,
      shown,
      format,
      source: snapshot && hfSource(snapshot),
      ...repoNames(real, snapshot),
      folderName: folderModelName(real, snapshot),
      shards: shards.map(foundFile),
      tokenizer: named(TOKENIZER_NAMES),
      template: named(TEMPLATE_NAMES),
      missing,
    },
    warnings,
  }
}

export function hfSource({ repo, revision }: Snapshot): ModelSource {
  return { hfRepo: repo, hfRevision: revision, ollamaTag: null }
}

function pathIn(root: Folder, folder: Folder, name: string): string {
  const below = relative(root.real, folder.real)
  return below === '' ? name : `${below.split(sep).join('/')}/${name}`
}

function foundFile({ path, file: { real, size, mtimeNs } }: Member): FoundFile {
  return { path, real, size, mtimeNs }
}

/** Why the weights can be no model's, or null. */
function refusal(weights: readonly Member[], root: string): string | null {
  if (weights.length > MAX_SHARDS)
    return `it has ${weights.length} weight files; a manifest can list ${MAX_SHARDS}`
  const long = weights.find(({ path }) => !isShardPath(path))
  if (long) return `${long.path} is a path of over ${MAX_PATH_BYTES} bytes`
  const out = weights.find(({ file }) => !isOwnFile(file, root))
  if (out) return `${out.path} is a link that leads out of the model's folder: put the file itself there`
  return null
}

function noWeights(missing: readonly string[]): string {
  if (missing.length > 0) return `none of its weights is there and whole: ${fileList(missing)}`
  return 'there are no weights in it (.safetensors, .gguf, .bin, .pt, .pth, .npz or .ckpt)'
}

/** What the model lacks, and what is worth a warning. */
async function wholeness(
  root: Folder,
  folders: readonly Folder[],
  shards: readonly Shard[],
  members: readonly Member[],
  snapshot: Snapshot | null,
  disk: Disk,
): Promise<{ readonly missing: readonly string[]; readonly warnings: readonly string[] }> {
  const missing: string[] = []
  const warnings: string[] = []
  for (const folder of folders) {
    for (const { name, reason } of folder.broken) {
      if (!isGgufName(name)) missing.push(`${pathIn(root, folder, name)} ${reason}`)
    }
    for (const { name, target } of folder.unfinished) {
      if (!isGgufName(target)) missing.push(`${pathIn(root, folder, name)} is an unfinished download`)
    }
    const index = await indexFinding(root, folder, shards, members, disk)
    missing.push(...index.missing)
    warnings.push(...index.warnings)
  }
  for (const { path, inspected } of shards)
    if (inspected.fault !== null) missing.push(`${path} ${inspected.fault}`)
  const tensors = shards.map(({ path }) => path).filter((path) => /\.safetensors$/i.test(path))
  const numbered = tensors.length > 0 ? tensors : shards.map(({ path }) => path)
  // A link to nothing is reported as such.
  const broken = new Set(folders.flatMap((each) => each.broken.map(({ name }) => pathIn(root, each, name))))
  const away = missingParts(numbered).filter((path) => !broken.has(path))
  missing.push(...away.map((path) => `${path} is not there`))
  for (const name of snapshot?.unfinished ?? []) missing.push(`blobs/${name} is an unfinished download`)
  const others = folders.flatMap((folder) => folder.otherFormats.map((name) => pathIn(root, folder, name)))
  if (others.length > 0) warnings.push(`not in its manifest, of other formats: ${fileList(others)}`)
  return { missing: [...new Set(missing)], warnings }
}

/** What the index in `folder` says of the shards beside it. */
async function indexFinding(
  root: Folder,
  folder: Folder,
  shards: readonly Shard[],
  members: readonly Member[],
  disk: Disk,
): Promise<{ readonly missing: readonly string[]; readonly warnings: readonly string[] }> {
  const missing: string[] = []
  const warnings: string[] = []
  for (const file of folder.files.filter(({ name }) => INDEX_NAME.test(name))) {
    const path = pathIn(root, folder, file.name)
    const isOwn = members.some((member) => member.path === path && isOwnFile(file, root.real))
    const read = isOwn ? await readTextFile(file.real, MAX_INDEX_BYTES, disk) : null
    const index = read?.ok === true ? readShardIndex(read.text) : null
    if (index === null) {
      missing.push(`${path}, the list of its shards, cannot be read`)
      continue
    }
    const prefix = pathIn(root, folder, '')
    const beside = shards.filter(
      (shard) => shard.path.startsWith(prefix) && /\.safetensors$/i.test(shard.path),
    )
    const there = beside.filter(({ inspected }) => inspected.fault === null)
    const finding = compareIndex(index, {
      files: there.map((shard) => shard.path.slice(prefix.length)),
      tensors: new Set(there.flatMap(({ inspected }) => inspected.tensors)),
    })
    switch (finding.kind) {
      case 'whole':
        break
      case 'stale':
        warnings.push(`${path} is of other files; those that are there agree with each other and count`)
        break
      case 'missing': {
        const faulty = new Set(beside.map((shard) => shard.path.slice(prefix.length)))
        missing.push(
          ...finding.files.filter((name) => !faulty.has(name)).map((name) => `${prefix}${name} is not there`),
        )
        break
      }
    }
  }
  return { missing, warnings }
}

/** Whether mlx-lm wrote the configuration: others write `quantization_config` alone. */
async function hasMlxQuantization(config: FolderFile | undefined, disk: Disk): Promise<boolean> {
  const { quantization } = await readConfig(config, disk)
  return quantization !== undefined && quantization !== null
}

/** The members of a `config.json`; none when it is none. */
export async function readConfig(
  config: FolderFile | undefined,
  disk: Disk,
): Promise<Readonly<Record<string, unknown>>> {
  if (config === undefined) return {}
  const read = await readTextFile(config.real, MAX_CONFIG_BYTES, disk)
  if (!read.ok) return {}
  try {
    const parsed = JSON.parse(read.text) as unknown
    return typeof parsed === 'object' && parsed !== null ? (parsed as Readonly<Record<string, unknown>>) : {}
  } catch {
    return {}
  }
}
