import { compareCodePoints } from '../token.ts'

/** Largest Ollama manifest that is read, in bytes. */
export const MAX_OLLAMA_MANIFEST_BYTES = 1024 * 1024

/** One file that an Ollama manifest names. */
export interface OllamaLayer {
  /** Relative to the store: `blobs/sha256-HEX`. */
  readonly path: string
  /** Bytes. */
  readonly size: bigint
}

/** What of an Ollama manifest a scan needs. */
interface OllamaManifest {
  /** Sorted by path, no repeats. */
  readonly shards: readonly OllamaLayer[]
  readonly template: OllamaLayer | null
  /** Layers that Ollama loads beside the weights and that a manifest has no place for. */
  readonly outside: readonly { readonly path: string; readonly what: string }[]
}

export type OllamaRead =
  | { readonly ok: true; readonly value: OllamaManifest }
  /** `weightless`: it is in order, and names no weights. */
  | { readonly ok: false; readonly reason: string; readonly weightless?: true }

const MODEL_LAYER = 'application/vnd.ollama.image.model'
const TEMPLATE_LAYER = 'application/vnd.ollama.image.template'
const OUTSIDE_LAYERS: ReadonlyMap<unknown, string> = new Map([
  ['application/vnd.ollama.image.projector', 'a projector'],
  ['application/vnd.ollama.image.adapter', 'an adapter'],
])
const DIGEST = /^sha256:([0-9a-f]{64})$/

/**
 * Reads the text of `manifests/HOST/NAMESPACE/NAME/TAG` (docs/formats.md, "Scanning models where they lie").
 */
export function readOllamaManifest(text: string): OllamaRead {
  const layers = layersOf(text)
  if (layers === null) return { ok: false, reason: 'its Ollama manifest is not JSON with a list of layers' }
  const shards = new Map<string, OllamaLayer>()
  let template: OllamaLayer | null = null
  const outside: { path: string; what: string }[] = []
  for (const layer of layers) {
    const mediaType = member(layer, 'mediaType')
    const what = OUTSIDE_LAYERS.get(mediaType)
    if (what !== undefined) outside.push({ path: readLayer(layer)?.path ?? 'a layer', what })
    if (mediaType !== MODEL_LAYER && mediaType !== TEMPLATE_LAYER) continue
    const read = readLayer(layer)
    if (read === null)
      return { ok: false, reason: `its Ollama manifest has a layer without a digest or a size` }
    if (mediaType === MODEL_LAYER) shards.set(read.path, read)
    else template ??= read
  }
  if (shards.size === 0) {
    const reason = 'no weights: its Ollama manifest has no model layer, as that of a model in Ollama’s cloud'
    return { ok: false, reason, weightless: true }
  }
  const sorted = [...shards.values()].sort((a, b) => compareCodePoints(a.path, b.path))
  return { ok: true, value: { shards: sorted, template, outside } }
}

const DEFAULT_HOST = 'registry.ollama.ai'
const DEFAULT_NAMESPACE = 'library'

/**
 * The name that Ollama shows for the manifest at these parts of its path: host and namespace only where they
 * are not the default's (`NAME:TAG`, `USER/NAME:TAG`, `hf.co/ORG/REPO:QUANT`).
 */
export function ollamaTagOf(parts: readonly string[]): string {
  const [host = '', namespace = '', name = '', tag = ''] = parts
  const model = `${name}:${tag}`
  if (host !== DEFAULT_HOST) return `${host}/${namespace}/${model}`
  return namespace === DEFAULT_NAMESPACE ? model : `${namespace}/${model}`
}

function layersOf(text: string): readonly unknown[] | null {
  try {
    const layers = member(JSON.parse(text) as unknown, 'layers')
    return Array.isArray(layers) ? layers : null
  } catch {
    return null
  }
}

function readLayer(layer: unknown): OllamaLayer | null {
  const digest = member(layer, 'digest')
  const size = member(layer, 'size')
  const hex = typeof digest === 'string' ? DIGEST.exec(digest)?.[1] : undefined
  if (hex === undefined || typeof size !== 'number' || !Number.isSafeInteger(size) || size < 0) return null
  return { path: `blobs/sha256-${hex}`, size: BigInt(size) }
}

function member(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && name in value
    ? (value as Readonly<Record<string, unknown>>)[name]
    : undefined
}
