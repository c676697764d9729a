import type { ModelManifest } from '../../../shared/model-manifest/types.ts'
import { shortenHome } from '../paths.ts'
import { modelFiles, type FoundModel } from './found-model.ts'
import { hashersHere, type FileHashers } from './file-hashers.ts'
import { hashModels, type FileOutcome, type HashJob, type HashProgress } from './hash-models.ts'
import { isPlaceOf, isPlaceOfModel, manifestFiles } from './held-models.ts'
import type { NamedModel } from './scan-models.ts'
import type { ScannedPlace, ScanRecord } from './scan-record.ts'
import type { Volumes } from './volumes.ts'

/** A model at one place, to be held against its manifest. */
export interface VerifyTarget {
  readonly manifest: ModelManifest
  /** Where it is, for a person. */
  readonly shown: string
  readonly place: ScannedPlace
}

/** What a file turned out to be. */
type ShardVerdict = 'ok' | 'missing' | 'mismatch' | 'unreadable' | 'changed' | 'cancelled'

interface VerifiedFile {
  readonly path: string
  readonly verdict: ShardVerdict
}

export interface VerifiedModel {
  readonly target: VerifyTarget
  /** In the manifest's order, then the tokenizer and the template. */
  readonly files: readonly VerifiedFile[]
}

export interface VerifyOptions {
  readonly record: ScanRecord
  readonly signal: AbortSignal
  readonly nowMs: () => number
  readonly onProgress: (progress: HashProgress) => void
  /** Who hashes; the thread of the caller where nothing is given. */
  readonly hashers?: FileHashers
}

/** Every place of this machine that a model of `manifests` was scanned at. */
export function scannedTargets(
  manifests: readonly ModelManifest[],
  record: ScanRecord,
  home: string,
): readonly VerifyTarget[] {
  return manifests.flatMap((manifest) =>
    record
      .places()
      .filter((place) => isPlaceOf(place, manifest))
      .map((place) => ({ manifest, place, shown: shortenHome(place.root, home) })),
  )
}

/**
 * The manifest that a found model is to be held against: that of the place it was scanned at, else the lab's
 * of its name. Null when the lab has none.
 */
export async function targetOf(
  { model, name }: NamedModel,
  manifests: readonly ModelManifest[],
  record: ScanRecord,
  volumes: Volumes,
): Promise<VerifyTarget | null> {
  const scanned = record.places().find((place) => isPlaceOfModel(place, model))
  const manifest =
    (scanned && manifests.find((each) => isPlaceOf(scanned, each))) ??
    manifests.find(({ body }) => body.name === name?.name)
  if (manifest === undefined) return null
  return { manifest, shown: model.shown, place: await placeOf(model, manifest, volumes) }
}

/** Where `model` lies, as the model of `manifest`. */
async function placeOf(model: FoundModel, manifest: ModelManifest, volumes: Volumes): Promise<ScannedPlace> {
  const reals = new Map(modelFiles(model).map(({ path, real }) => [path, real]))
  return {
    packageId: manifest.packageId,
    name: manifest.body.name,
    kind: model.kind,
    root: model.root,
    mount: await volumes.mountOf(model.root).catch(() => model.root),
    files: manifestFiles(manifest).flatMap((file) => {
      const real = reals.get(file.path)
      return real === undefined ? [] : [{ ...file, real }]
    }),
  }
}

/**
 * Reads every file of `targets` again, whatever is known of it, and checks it against the manifest. What was
 * found is remembered: the facts of this node tell of it from then on.
 */
export async function verifyModels(
  targets: readonly VerifyTarget[],
  options: VerifyOptions,
): Promise<readonly VerifiedModel[]> {
  const { record, signal, nowMs, onProgress } = options
  const hashers = options.hashers ?? hashersHere()
  const outcomes = new Map<string, FileOutcome>()
  await hashModels(
    targets.map(({ manifest, place }) => jobsOf(manifest, place)),
    {
      record,
      reuse: false,
      stopAtFault: false,
      hashers,
      signal,
      nowMs,
      onProgress,
      onModel: (_model, files) => {
        for (const [real, outcome] of files) outcomes.set(real, outcome)
        return Promise.resolve()
      },
    },
  )
  if (!signal.aborted) for (const { place } of targets) record.rememberPlace(place)
  await record.save()
  return targets.map((target) => ({ target, files: verdictsOf(target, outcomes) }))
}

function jobsOf(manifest: ModelManifest, { files }: ScannedPlace): readonly HashJob[] {
  const sizes = new Map(manifest.body.shards.map(({ path, size }) => [path, size]))
  return files.map(({ path, real }) => ({ real, size: sizes.get(path) ?? 0n, expected: null }))
}

function verdictsOf(
  { manifest, place }: VerifyTarget,
  outcomes: ReadonlyMap<string, FileOutcome>,
): readonly VerifiedFile[] {
  const reals = new Map(place.files.map(({ path, real }) => [path, real]))
  return manifestFiles(manifest).map(({ path, blake3 }) => {
    const real = reals.get(path)
    const outcome = real === undefined ? { kind: 'missing' as const } : outcomes.get(real)
    return { path, verdict: verdictOf(outcome, blake3) }
  })
}

function verdictOf(outcome: FileOutcome | undefined, blake3: string): ShardVerdict {
  switch (outcome?.kind) {
    case 'hashed':
      return outcome.blake3 === blake3 ? 'ok' : 'mismatch'
    case 'missing':
    case 'unreadable':
    case 'changed':
      return outcome.kind
    case 'skipped':
    case 'cancelled':
    case undefined:
      return 'cancelled'
  }
}
