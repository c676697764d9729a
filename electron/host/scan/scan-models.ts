import type { RosterEntry } from '../../../shared/roster/types.ts'
import { buildManifest, type SideFile } from '../../../shared/scan/model-envelope.ts'
import { givenName, nameModels, type ModelName } from '../../../shared/scan/naming.ts'
import type { Shard } from '../../../shared/model-manifest/types.ts'
import { modelFiles, type FoundFile, type FoundModel } from './found-model.ts'
import { hashersHere, type FileHashers } from './file-hashers.ts'
import { hashModels, type FileOutcome, type HashProgress } from './hash-models.ts'
import type { ScanRecord } from './scan-record.ts'
import type { Volumes } from './volumes.ts'
import type { ManifestOutcome, PutManifest } from './write-manifest.ts'

/** A found model with the name that its manifest gets; null when none can be made. */
export interface NamedModel {
  readonly model: FoundModel
  readonly name: ModelName | null
}

/** What became of one model. */
export type ModelOutcome =
  | ManifestOutcome
  /** Not whole: the files that are there are known to the record, and no manifest claims to be the model. */
  | { readonly kind: 'incomplete'; readonly missing: readonly string[] }
  | { readonly kind: 'cancelled' }

export interface ScanOptions {
  /** Takes the manifest of a whole model. */
  readonly put: PutManifest
  readonly record: ScanRecord
  readonly volumes: Volumes
  readonly redistributable: boolean
  readonly signal: AbortSignal
  readonly nowMs: () => number
  readonly onProgress: (progress: HashProgress) => void
  /** Who hashes; the thread of the caller where nothing is given. */
  readonly hashers?: FileHashers
}

/** Names `models` by the roster, or the only one as the operator said. */
export function nameFoundModels(
  models: readonly FoundModel[],
  entries: readonly RosterEntry[],
  given: string | null,
): readonly NamedModel[] {
  if (given !== null) return models.map((model) => ({ model, name: givenName(given, entries) }))
  const names = nameModels(
    models.map((model) => ({ ...model, likeness: likeness(model) })),
    entries,
  )
  return models.map((model, i) => ({ model, name: names[i] ?? null }))
}

function likeness({ shards }: FoundModel): string {
  return shards.map(({ path, size }) => `${path} ${size}`).join('\n')
}

/**
 * Hashes `models` where they lie and writes a manifest for each into the lab, as soon as it is done. The
 * record then knows where each one is. A model that cannot be read, or changes meanwhile, is reported and not
 * recorded.
 */
export async function scanModels(
  models: readonly NamedModel[],
  options: ScanOptions,
): Promise<readonly ModelOutcome[]> {
  const { record, signal, nowMs, onProgress } = options
  const hashers = options.hashers ?? hashersHere()
  const outcomes: ModelOutcome[] = models.map(() => ({ kind: 'cancelled' }))
  const writer = new Writer(models, options)
  await hashModels(
    models.map(({ model }) =>
      modelFiles(model).map(({ real, size, mtimeNs }) => {
        return { real, size, expected: { size, mtimeNs } }
      }),
    ),
    {
      record,
      reuse: true,
      stopAtFault: true,
      hashers,
      signal,
      nowMs,
      onProgress,
      onModel: async (i, files) => {
        outcomes[i] = await writer.finish(i, files)
      },
    },
  )
  const fault = await record.save()
  return fault === null ? outcomes : outcomes.map((outcome) => withRecordFault(outcome, fault))
}

/** Without the record the node's facts would not know of the model, so that its scan has failed half way. */
function withRecordFault(outcome: ModelOutcome, fault: string): ModelOutcome {
  if (outcome.kind === 'failed' || outcome.kind === 'cancelled') return outcome
  return {
    kind: 'failed',
    reason: `its manifest is in the lab, but where it lies was not remembered. ${fault}`,
  }
}

/** Takes the place of a promise that is settled from elsewhere. */
function deferred(): { readonly promise: Promise<void>; readonly resolve: () => void } {
  let resolve = (): void => undefined
  const promise = new Promise<void>((settle) => {
    resolve = settle
  })
  return { promise, resolve }
}

class Writer {
  readonly #options: ScanOptions
  readonly #models: readonly NamedModel[]
  readonly #finished: readonly ReturnType<typeof deferred>[]
  /** Package id by name (as a disk that ignores case sees it): two models must not write over each other. */
  readonly #written = new Map<string, string>()
  #last: Promise<unknown> = Promise.resolve()

  constructor(models: readonly NamedModel[], options: ScanOptions) {
    this.#models = models
    this.#options = options
    this.#finished = models.map(deferred)
  }

  /** Finishes model number `i`; models are finished one after the other, as two may claim one file. */
  async finish(i: number, files: ReadonlyMap<string, FileOutcome>): Promise<ModelOutcome> {
    const named = this.#models[i]
    if (named === undefined) return { kind: 'cancelled' }
    // Of two models of one name the first one has it, whichever is read sooner. It comes first in the queue
    // of files too, so that it is waited for only while its last file is read.
    await this.#finished[this.#sameNameBefore(i)]?.promise
    const finishing = this.#last.then(() => this.#finish(named, files))
    this.#last = finishing.catch(() => undefined)
    return finishing.finally(() => this.#finished[i]?.resolve())
  }

  #sameNameBefore(i: number): number {
    const slot = slotOf(this.#models[i])
    return slot === null ? -1 : this.#models.slice(0, i).findLastIndex((model) => slotOf(model) === slot)
  }

  async #finish({ model, name }: NamedModel, files: ReadonlyMap<string, FileOutcome>): Promise<ModelOutcome> {
    const fault = faultOf(model, files)
    if (fault !== null) return fault
    if (name === null)
      return { kind: 'failed', reason: 'no name can be made of its folder’s: give it a --name' }
    const { put, redistributable } = this.#options
    const hashOf = ({ real }: FoundFile): string => {
      const outcome = files.get(real)
      return outcome?.kind === 'hashed' ? outcome.blake3 : ''
    }
    const side = (file: FoundFile | null): SideFile | null =>
      file && { path: file.path, blake3: hashOf(file) }
    const shards = model.shards.map((file): Shard => ({
      path: file.path,
      size: file.size,
      blake3: hashOf(file),
    }))
    const built = buildManifest({
      name: name.name,
      format: model.format,
      shards,
      tokenizer: side(model.tokenizer),
      template: side(model.template),
      source: model.source,
      redistributable,
    })
    if (!built.ok) return { kind: 'failed', reason: built.reason }
    if (model.missing.length > 0) {
      await this.#rememberPlace(model, name.name, built.packageId, true, hashOf)
      return { kind: 'incomplete', missing: model.missing }
    }
    const slot = slotOf({ model, name }) ?? ''
    const rival = this.#written.get(slot)
    if (rival !== undefined && rival !== built.packageId) {
      const reason = `another model of this scan is named ${name.name}: scan this one with another --name`
      return { kind: 'failed', reason }
    }
    this.#written.set(slot, built.packageId)
    const outcome = await put(name.name, shards, built)
    if (outcome.kind === 'failed') return outcome
    await this.#rememberPlace(model, name.name, outcome.packageId, false, hashOf)
    return outcome
  }

  async #rememberPlace(
    model: FoundModel,
    name: string,
    packageId: string,
    partial: boolean,
    hashOf: (file: FoundFile) => string,
  ): Promise<void> {
    const { record, volumes } = this.#options
    record.rememberPlace({
      packageId,
      name,
      kind: model.kind,
      root: model.root,
      mount: await volumes.mountOf(model.root).catch(() => model.root),
      ...(partial ? { partial } : {}),
      files: modelFiles(model).map((file) => {
        return { path: file.path, real: file.real, blake3: hashOf(file), shard: model.shards.includes(file) }
      }),
    })
  }
}

/** What two models of one lab cannot share: the name, without its case. */
function slotOf(named: NamedModel | undefined): string | null {
  return named?.name?.name.toLowerCase() ?? null
}

/** Why a model cannot be recorded, by its first file that has no hash. */
function faultOf(model: FoundModel, files: ReadonlyMap<string, FileOutcome>): ModelOutcome | null {
  let cancelled = false
  for (const { path, real } of modelFiles(model)) {
    const outcome = files.get(real)
    switch (outcome?.kind) {
      case 'hashed':
      case 'skipped':
        continue
      case undefined:
      case 'cancelled':
        cancelled = true
        continue
      case 'missing':
        return { kind: 'failed', reason: `${path} is not there any more` }
      case 'changed':
      case 'unreadable':
        return { kind: 'failed', reason: `${path}: ${outcome.reason}` }
    }
  }
  return cancelled ? { kind: 'cancelled' } : null
}
