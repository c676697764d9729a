import type { ModelFormat } from '../inference-spec.ts'
import { jsonText, type JsonInput } from '../json/json-text.ts'
import { MAX_SHARDS } from '../model-manifest/read-body.ts'
import { MANIFEST_SCHEMA, MAX_MANIFEST_BYTES, readManifest } from '../model-manifest/read-manifest.ts'
import type { ModelSource, Shard } from '../model-manifest/types.ts'
import { compareCodePoints } from '../token.ts'

/** One file beside the weights that belongs to a model. */
export interface SideFile {
  readonly path: string
  readonly blake3: string
}

/** What a scan found out about one model. */
export interface ScannedBody {
  readonly name: string
  readonly format: ModelFormat
  readonly shards: readonly Shard[]
  readonly tokenizer: SideFile | null
  readonly template: SideFile | null
  readonly source: ModelSource | null
  readonly redistributable: boolean
}

export type BuiltManifest =
  | { readonly ok: true; readonly packageId: string; readonly text: string }
  | { readonly ok: false; readonly reason: string }

/**
 * The unsigned manifest of a scanned model (docs/formats.md, "Model manifest") as its file's text, and its package
 * id. What is not known is left out, and so is `redistributable` unless it is true. Refused when the reader
 * of manifests would refuse it, such as for more than 255 shards.
 */
export function buildManifest(body: ScannedBody): BuiltManifest {
  if (body.shards.length > MAX_SHARDS) {
    return {
      ok: false,
      reason: `it has ${body.shards.length} weight files; a manifest can list ${MAX_SHARDS}`,
    }
  }
  const json = bodyJson(body)
  const text = `${jsonText({ schema: MANIFEST_SCHEMA, kind: 'model', body: json, signatures: [] }, 2)}\n`
  const read = readManifest(text, 'manifest')
  if (!read.ok) {
    const reason = read.problems[0]?.message ?? `it is over ${MAX_MANIFEST_BYTES} bytes`
    return { ok: false, reason: `no manifest can be made: ${reason}` }
  }
  return { ok: true, packageId: read.value.packageId, text }
}

function bodyJson(body: ScannedBody): JsonInput {
  const shards = body.shards.toSorted((a, b) => compareCodePoints(a.path, b.path))
  const { tokenizer, template, source } = body
  return {
    name: body.name,
    format: body.format,
    shards: shards.map(({ path, size, blake3 }) => ({ path, size, blake3 })),
    tokenizer_path: tokenizer?.path,
    tokenizer_blake3: tokenizer?.blake3,
    template_path: template?.path,
    template_blake3: template?.blake3,
    source: source === null ? undefined : sourceJson(source),
    redistributable: body.redistributable ? true : undefined,
  }
}

function sourceJson({ hfRepo, hfRevision, ollamaTag }: ModelSource): JsonInput {
  return {
    hf_repo: hfRepo ?? undefined,
    hf_revision: hfRevision ?? undefined,
    ollama_tag: ollamaTag ?? undefined,
  }
}
