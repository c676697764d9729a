import type { ModelFormat } from '../../../shared/inference-spec.ts'
import type { ModelSource } from '../../../shared/model-manifest/types.ts'

/**
 * By which a file is known to be the same as before without reading it (docs/formats.md, "Scanning models where they
 * lie").
 */
export interface FileStamp {
  /** Bytes. */
  readonly size: bigint
  /** Nanoseconds. */
  readonly mtimeNs: bigint
}

/** One file of a model on disk. */
export interface FoundFile extends FileStamp {
  /** As the manifest names it: relative to the root, `/`-separated. */
  readonly path: string
  /** Absolute, links resolved. */
  readonly real: string
}

/** A model that was found and not read yet. */
export interface FoundModel {
  readonly kind: 'folder' | 'hf_snapshot' | 'gguf' | 'ollama'
  /** Absolute, links resolved: what its paths are relative to. */
  readonly root: string
  /** Where it is, for a person. */
  readonly shown: string
  readonly format: ModelFormat
  readonly source: ModelSource | null
  /** See `Nameable` in shared/scan/naming.ts. */
  readonly folderRepo: string | null
  readonly parentRepo?: string | null
  readonly folderName: string
  /** Sorted by path; at least one. Of a model that is not whole, those that are there and whole themselves. */
  readonly shards: readonly FoundFile[]
  readonly tokenizer: FoundFile | null
  readonly template: FoundFile | null
  /** What it lacks, a sentence part each; empty when it is whole. Only a whole model gets a manifest. */
  readonly missing: readonly string[]
}

/** Every file of a model, each one once. */
export function modelFiles({ shards, tokenizer, template }: FoundModel): readonly FoundFile[] {
  return [...shards, ...(tokenizer ? [tokenizer] : []), ...(template ? [template] : [])]
}

/** A model, or something of which there is a line to be shown. */
export type Find =
  { readonly ok: true; readonly model: FoundModel; readonly warnings: readonly string[] } | LeftOut

/** What was not scanned, and why. */
export interface LeftOut {
  readonly ok: false
  /** `refused`: it looks like a model. `passed`: an entry that was not looked at, or that belongs to none. */
  readonly kind: 'refused' | 'passed'
  readonly shown: string
  readonly reason: string
}

export function refused(shown: string, reason: string): LeftOut {
  return { ok: false, kind: 'refused', shown, reason }
}

/** Why a link to a folder is passed over. */
export const LINKED_FOLDER = 'a linked folder: name it itself to have it scanned'

export function passed(shown: string, reason: string): LeftOut {
  return { ok: false, kind: 'passed', shown, reason }
}

/** What was found, and what was left out. */
export interface FoundModels {
  readonly models: readonly FoundModel[]
  /** Of each of `models`. */
  readonly warnings: readonly (readonly string[])[]
  readonly leftOut: readonly LeftOut[]
}

/** `finds` in their order; what was found twice, as a place may lie in another one, counts once. */
export function distinctFinds(finds: readonly Find[]): FoundModels {
  const good = new Map<string, Extract<Find, { ok: true }>>()
  const leftOut = new Map<string, LeftOut>()
  for (const find of finds) {
    if (!find.ok) {
      leftOut.set(`${find.shown}\n${find.reason}`, find)
      continue
    }
    // One store may have one file under several names, and repos may share their files: models of their own.
    const { root, source, shards } = find.model
    const key = [root, source?.ollamaTag ?? '', ...shards.map(({ real }) => real)].join('\n')
    if (!good.has(key)) good.set(key, find)
  }
  return {
    models: [...good.values()].map(({ model }) => model),
    warnings: [...good.values()].map(({ warnings }) => warnings),
    leftOut: [...leftOut.values()],
  }
}

/** Why a model cannot be scanned; thrown inside the finders and caught at their edge. */
export class ScanRefusal extends Error {}
