import { join } from 'node:path'
import { MAX_SHARDS } from '../../../shared/model-manifest/read-body.ts'
import { COMPANION_WORDS, ggufKind } from '../../../shared/scan/gguf-kind.ts'
import { ggufSets, isGgufName, type GgufSet } from '../../../shared/scan/gguf-sets.ts'
import { repoTail } from '../../../shared/scan/hf-names.ts'
import { missingParts, numberedPart } from '../../../shared/scan/model-parts.ts'
import { isQuantName } from '../../../shared/scan/naming.ts'
import type { Disk } from '../disk.ts'
import { mapBounded } from '../map-bounded.ts'
import { passed, refused, type Find, type FoundFile, type LeftOut } from './found-model.ts'
import { hfSource } from './folder-model.ts'
import type { Snapshot } from './hf-links.ts'
import { inspectWeights, type Inspected } from './inspect-weights.ts'
import { isOwnFile, type Folder, type FolderFile } from './list-folder.ts'
import { repoNames } from './repo-names.ts'

const FILES_AT_A_TIME = 4

/** A GGUF file with what its header says. */
interface Looked {
  readonly file: FolderFile
  readonly inspected: Inspected
}

/** The GGUF models of a folder. */
export interface GgufFinds {
  readonly finds: readonly Find[]
  /** What lies here without a model: `NAME lies with it, a projector`, each. */
  readonly companions: readonly string[]
}

/**
 * The GGUF models of a folder: each file is one, or the parts of one that was split. Projectors, adapters and
 * importance matrices are none of their own, and are reported with the models they lie beside.
 */
export async function ggufModels(folder: Folder, snapshot: Snapshot | null, disk: Disk): Promise<GgufFinds> {
  const files = folder.files.filter(({ name }) => isGgufName(name))
  const looked = await mapBounded(files, FILES_AT_A_TIME, async (file): Promise<Looked> => {
    return { file, inspected: await inspectWeights(file.real, file.name, disk) }
  })
  const byName = new Map(looked.map((each) => [each.file.name, each]))
  const broken = folder.broken.filter(({ name }) => isGgufName(name))
  const companions: string[] = []
  const models: Find[] = []
  const left: LeftOut[] = []
  const names = [...files.map(({ name }) => name), ...broken.map(({ name }) => name)]
  for (const set of ggufSets(names)) {
    const [first] = set.paths
    const traits = byName.get(first ?? '')?.inspected.gguf ?? null
    const kind = ggufKind(set.name, traits)
    if (kind !== 'model') companions.push(`${setLabel(set)} lies with it, ${COMPANION_WORDS[kind]}`)
    else models.push(ggufModel(folder, set, byName, snapshot))
  }
  for (const { name, target } of folder.unfinished) {
    const isOurs = isGgufName(target) && !names.includes(target)
    if (isOurs) left.push(refused(join(folder.shown, name), 'an unfinished download'))
  }
  if (!models.some(({ ok }) => ok)) return { finds: [...models, ...left], companions }
  return { finds: [...withCompanions(models, companions), ...left], companions: [] }
}

/** `models` with a line for each companion of theirs. */
export function withCompanions(models: readonly Find[], companions: readonly string[]): readonly Find[] {
  return models.map((find) => {
    if (!find.ok) return find
    const own = companions.map((each) => `${each}: not in its manifest`)
    return { ...find, warnings: [...find.warnings, ...own] }
  })
}

/** Companions of no model that was found. */
export function aloneLines({ shown }: Folder, companions: readonly string[]): readonly Find[] {
  return companions.map((each) =>
    passed(shown, `${each.replace(' lies with it,', ':')}, and no model that it belongs to is here`),
  )
}

/** A set of files for a person: its only file, or what its parts have in common. */
function setLabel({ name, paths: [first = name, ...more] }: GgufSet): string {
  return more.length === 0 ? first : name
}

function ggufModel(
  folder: Folder,
  set: GgufSet,
  byName: ReadonlyMap<string, Looked>,
  snapshot: Snapshot | null,
): Find {
  const { real: root } = folder
  const shown = join(folder.shown, setLabel(set))
  if (set.paths.length > MAX_SHARDS) return refused(shown, tooMany(set.paths.length))
  const looked = set.paths.flatMap((name) => byName.get(name) ?? [])
  const out = looked.find(({ file }) => !isOwnFile(file, root))
  if (out)
    return refused(
      shown,
      `${out.file.name} is a link that leads out of its folder: put the file itself there`,
    )
  const missing = [
    ...folder.broken
      .filter(({ name }) => set.paths.includes(name))
      .map(({ name, reason }) => `${name} ${reason}`),
    ...looked.flatMap(({ file, inspected: { fault } }) => (fault === null ? [] : [`${file.name} ${fault}`])),
    ...unfinishedOf(folder, set),
    ...missingParts(set.paths).map((name) => `${name} is not there`),
    ...splitFault(set, looked),
  ]
  const shards = looked.filter(({ inspected }) => inspected.fault === null).map(({ file }) => foundFile(file))
  if (shards.length === 0) return refused(shown, missing[0] ?? 'it is not there any more')
  const repo = repoNames(root, snapshot)
  return {
    ok: true,
    model: {
      kind: 'gguf',
      root,
      shown,
      format: 'gguf',
      source: snapshot && hfSource(snapshot),
      ...repo,
      folderName: modelName(set, snapshot?.repo ?? repo.parentRepo ?? repo.folderRepo),
      shards,
      tokenizer: null,
      template: null,
      missing,
    },
    warnings: [],
  }
}

/** Downloads that have not ended of the set's own files. */
function unfinishedOf({ unfinished }: Folder, { paths }: GgufSet): readonly string[] {
  return unfinished
    .filter(({ target }) => paths.includes(target) || paths.some((path) => target.startsWith(`${path}.`)))
    .map(({ name }) => `${name} is an unfinished download`)
}

/** A part of a split model that was renamed knows that there are others. */
function splitFault({ paths }: GgufSet, looked: readonly Looked[]): readonly string[] {
  const [first] = looked
  const count = first?.inspected.gguf?.splitCount ?? null
  if (count === null || first === undefined || count === paths.length || numberedPart(first.file.name))
    return []
  return [
    `${first.file.name} is one of ${count} parts by its own header, and the others are not named after it`,
  ]
}

function foundFile({ name, real, size, mtimeNs }: FolderFile): FoundFile {
  return { path: name, real, size, mtimeNs }
}

/** The file's name; where it says nothing of the model, that of its repo or folder before it. */
function modelName({ name }: GgufSet, repo: string): string {
  const tail = repoTail(repo).replace(/[-_.]GGUF$/i, '')
  if (/^(?:ggml-)?model$/i.test(name)) return tail
  const rest = name.replace(/^(?:ggml-)?model[-_.]/i, '')
  return isQuantName(rest) ? `${tail}-${rest}` : name
}

function tooMany(count: number): string {
  return `it has ${count} weight files; a manifest can list ${MAX_SHARDS}`
}
