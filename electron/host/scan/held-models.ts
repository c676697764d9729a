import type { ModelManifest } from '../../../shared/model-manifest/types.ts'
import type { FileState, FoundFile, ModelFinding, PlaceFinding } from '../../../shared/scan/holdings.ts'
import type { Disk } from '../disk.ts'
import { isMissing } from '../system-error.ts'
import type { FoundModel } from './found-model.ts'
import type { ScannedPlace, ScanRecord } from './scan-record.ts'
import type { Volumes } from './volumes.ts'

/** A file that a manifest names. */
export interface ManifestFile {
  readonly path: string
  readonly blake3: string
  readonly shard: boolean
}

/** The files of a manifest: its shards, and its tokenizer and template where it has their hashes. */
export function manifestFiles({ body }: ModelManifest): readonly ManifestFile[] {
  const side = (path: string | null, blake3: string | null): ManifestFile[] =>
    path === null || blake3 === null ? [] : [{ path, blake3, shard: false }]
  return [
    ...body.shards.map(({ path, blake3 }) => ({ path, blake3, shard: true })),
    ...side(body.tokenizerPath, body.tokenizerBlake3),
    ...side(body.templatePath, body.templateBlake3),
  ]
}

/**
 * Whether `place` was scanned as the model of `manifest`: by its id, or by the same weights under another
 * one; of a place where only a part was, by any of that.
 */
export function isPlaceOf(place: ScannedPlace, manifest: ModelManifest): boolean {
  if (place.packageId === manifest.packageId) return true
  const weights = place.files.filter(({ shard }) => shard)
  const known = new Map(weights.map(({ path, blake3 }) => [path, blake3]))
  const { shards } = manifest.body
  if (place.partial === true) return shards.some(({ path, blake3 }) => known.get(path) === blake3)
  return shards.length === weights.length && shards.every(({ path, blake3 }) => known.get(path) === blake3)
}

/** Whether `place` is where the found `model` lies. */
export function isPlaceOfModel(place: ScannedPlace, model: FoundModel): boolean {
  if (place.root !== model.root || place.kind !== model.kind) return false
  const first = place.files.find(({ shard }) => shard)?.path
  return model.kind === 'folder' || model.kind === 'hf_snapshot' || first === model.shards[0]?.path
}

/**
 * What this machine has of the model of `manifest`, by what was scanned; its files' names and stamps are
 * looked at.
 */
export async function findHeld(
  manifest: ModelManifest,
  record: ScanRecord,
  volumes: Volumes,
  disk: Disk,
): Promise<ModelFinding> {
  const places = record.places().filter((place) => isPlaceOf(place, manifest))
  return {
    name: manifest.body.name,
    packageId: manifest.packageId,
    shardHashes: manifest.body.shards.map(({ blake3 }) => blake3),
    places: await Promise.all(
      places.map((place) => lookAt(place, manifestFiles(manifest), { record, volumes, disk })),
    ),
  }
}

/** The same for a model that was scanned here and that the lab has no manifest of. */
export async function findScanned(
  place: ScannedPlace,
  record: ScanRecord,
  volumes: Volumes,
  disk: Disk,
): Promise<ModelFinding> {
  return {
    name: place.name,
    packageId: place.partial === true ? null : place.packageId,
    shardHashes: place.files.flatMap(({ shard, blake3 }) => (shard ? [blake3] : [])),
    places: [await lookAt(place, place.files, { record, volumes, disk })],
  }
}

interface Eyes {
  readonly record: ScanRecord
  readonly volumes: Volumes
  readonly disk: Disk
}

async function lookAt(
  place: ScannedPlace,
  files: readonly ManifestFile[],
  eyes: Eyes,
): Promise<PlaceFinding> {
  const { disk, volumes } = eyes
  const isThere = await disk.stat(place.root).then(
    (stats) => stats.isDirectory(),
    () => false,
  )
  if (!isThere) return { kind: (await volumes.isMounted(place.mount)) ? 'gone' : 'detached' }
  const reals = new Map(place.files.map(({ path, real }) => [path, real]))
  const found = await Promise.all(
    files.map(async (file): Promise<FoundFile> => ({
      ...file,
      state: await stateOf(file, reals.get(file.path), eyes),
    })),
  )
  return { kind: 'there', files: found }
}

async function stateOf(
  file: ManifestFile,
  real: string | undefined,
  { record, disk }: Eyes,
): Promise<FileState> {
  if (real === undefined) return 'missing'
  try {
    const stats = await disk.stat(real, { bigint: true })
    if (!stats.isFile()) return 'missing'
    const known = record.hashOf(real, { size: stats.size, mtimeNs: stats.mtimeNs })
    if (known === null) return 'changed'
    return known === file.blake3 ? 'held' : 'mismatch'
  } catch (error) {
    return isMissing(error) ? 'missing' : 'unreadable'
  }
}
