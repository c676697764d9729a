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
  readonly folderName: string
  /** Sorted by path. */
  readonly shards: readonly FoundFile[]
  readonly tokenizer: FoundFile | null
  readonly template: FoundFile | null
}

/** Every file of a model, each one once. */
export function modelFiles({ shards, tokenizer, template }: FoundModel): readonly FoundFile[] {
  return [...shards, ...(tokenizer ? [tokenizer] : []), ...(template ? [template] : [])]
}

/** What finding one model came to. */
export type Find =
  | { readonly ok: true; readonly model: FoundModel; readonly warnings: readonly string[] }
  | { readonly ok: false; readonly shown: string; readonly reason: string }

/** What was found, and what of it cannot be scanned. */
export interface FoundModels {
  readonly models: readonly FoundModel[]
  /** Of each of `models`. */
  readonly warnings: readonly (readonly string[])[]
  readonly refused: readonly Extract<Find, { ok: false }>[]
}

/** `finds` in their order; a model that was found twice, as a place may lie in another one, counts once. */
export function distinctFinds(finds: readonly Find[]): FoundModels {
  const good = new Map<string, Extract<Find, { ok: true }>>()
  for (const find of finds) {
    if (!find.ok) continue
    // One store may have one file under several names, which are models of their own.
    const key = [find.model.source?.ollamaTag ?? '', ...find.model.shards.map(({ real }) => real)].join('\n')
    if (!good.has(key)) good.set(key, find)
  }
  return {
    models: [...good.values()].map(({ model }) => model),
    warnings: [...good.values()].map(({ warnings }) => warnings),
    refused: finds.filter((find) => !find.ok),
  }
}

/** Why a model cannot be scanned; thrown inside the finders and caught at their edge. */
export class ScanRefusal extends Error {}
