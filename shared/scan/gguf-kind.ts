import type { GgufHeader } from '../model-files/gguf-header.ts'

/** What a GGUF file holds. */
export type GgufKind = 'model' | 'projector' | 'adapter' | 'importance_matrix'

/** What of a GGUF file's header a scan needs. */
export interface GgufTraits {
  /** `general.type` as written; null when the header has none, as old ones do. */
  readonly type: string | null
  readonly architecture: string | null
  /** The number of files that the model was split into; null when it was not. */
  readonly splitCount: number | null
  /** Whether keys or tensors are those of a low-rank adapter. */
  readonly adapter: boolean
}

export function ggufTraits({ metadata, tensors }: GgufHeader): GgufTraits {
  const text = (key: string): string | null => {
    const value = metadata.get(key)
    return typeof value === 'string' ? value : null
  }
  const split = metadata.get('split.count')
  return {
    type: text('general.type'),
    architecture: text('general.architecture'),
    splitCount: typeof split === 'number' && split > 1 ? split : null,
    adapter: metadata.has('adapter.type') || tensors.some(({ name }) => name.endsWith('.lora_a')),
  }
}

const TYPES: ReadonlyMap<string, GgufKind> = new Map([
  ['model', 'model'],
  ['mmproj', 'projector'],
  ['projector', 'projector'],
  ['adapter', 'adapter'],
  ['lora', 'adapter'],
  ['imatrix', 'importance_matrix'],
])

/**
 * What the GGUF file of this name holds: as its header's `general.type` says, else by what else is in the
 * header, else by its name (docs/formats.md, "Scanning models where they lie").
 *
 * @param traits null when the header could not be read.
 */
export function ggufKind(name: string, traits: GgufTraits | null): GgufKind {
  const stated = TYPES.get(traits?.type?.toLowerCase() ?? '')
  if (stated !== undefined) return stated
  if (traits?.architecture === 'clip') return 'projector'
  if (traits?.adapter === true) return 'adapter'
  if (/mmproj/i.test(name)) return 'projector'
  // Models that an adapter was merged into, or that were quantized by a matrix, have these words in their names.
  if (/(?:^|[-_.])(?:lora|adapter)(?:[-_.]|$)/i.test(name) && !/merged/i.test(name)) return 'adapter'
  if (/(?:^|[-_.])imatrix(?:[-_.]|$)/i.test(name) && !/(?:^|[-_.])I?Q\d/i.test(name))
    return 'importance_matrix'
  return 'model'
}

/** What a companion of a model is, for a person. */
export const COMPANION_WORDS: Readonly<Record<Exclude<GgufKind, 'model'>, string>> = {
  projector: 'a projector',
  adapter: 'an adapter',
  importance_matrix: 'an importance matrix',
}
