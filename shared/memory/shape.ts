/**
 * A model's shape: what its file's header says that decides how much memory running it takes. Plain numbers, without
 * the weights themselves.
 */

/** Context lengths and element counts are at most this: what a 32-bit reader of the same headers can hold. */
export const MAX_COUNT = 2 ** 31

/** llama.cpp refuses a model of more layers (llama-hparams.h, LLAMA_MAX_LAYERS). */
export const MAX_LAYERS = 512

/** What one layer keeps of the tokens it has seen. Counts are elements, not bytes. */
export type LayerCache =
  | {
      readonly kind: 'attention'
      /** Heads that K and V are kept for. */
      readonly kvHeads: number
      readonly keyLength: number
      readonly valueLength: number
      /** Tokens that the layer looks back at; null when it looks at all. */
      readonly window: number | null
    }
  /** Multi-head latent attention: one compressed K for all heads and no V. */
  | { readonly kind: 'latent'; readonly width: number }
  /** A state of fixed size for each sequence, in 32-bit floats. */
  | { readonly kind: 'recurrent'; readonly convolution: number; readonly state: number }

/** Layers that keep the same. Their order does not matter to memory. */
export interface LayerGroup {
  readonly layers: number
  readonly cache: LayerCache
}

/** Why it is not known what a model's layers keep. */
export type ShapeGap =
  | { readonly kind: 'architecture'; readonly name: string | null }
  /** A key that the architecture needs is missing or has no usable value. */
  | { readonly kind: 'key'; readonly key: string }

export interface ModelShape {
  /** `general.architecture` of a GGUF, `model_type` of a `config.json`; null when the file names none. */
  readonly architecture: string | null
  /** The bytes of the model's tensors, without headers and padding; null when they could not be added up. */
  readonly weightsBytes: bigint | null
  /** Bytes of the tensors of a projector file beside the model (images, audio); 0 without one. */
  readonly projectorBytes: bigint
  /** Tokens the model was trained for; null when the file does not say. */
  readonly trainedContext: number | null
  /** Layers that keep nothing are left out. */
  readonly caches:
    | { readonly kind: 'known'; readonly groups: readonly LayerGroup[] }
    | { readonly kind: 'unknown'; readonly gap: ShapeGap }
}

/** What a gap means, for a person. */
export function gapText(gap: ShapeGap): string {
  switch (gap.kind) {
    case 'architecture':
      return gap.name === null
        ? 'the file names no architecture'
        : `how the architecture ${gap.name} keeps its context is not known`
    case 'key':
      return `the header has no usable ${gap.key}`
  }
}

/** `caches` of one layer each, with equal ones put together; null stands for a layer that keeps nothing. */
export function groupLayers(caches: readonly (LayerCache | null)[]): readonly LayerGroup[] {
  const groups = new Map<string, { layers: number; readonly cache: LayerCache }>()
  for (const cache of caches) {
    if (cache === null) continue
    const key = JSON.stringify(cache)
    const group = groups.get(key)
    if (group === undefined) groups.set(key, { layers: 1, cache })
    else group.layers++
  }
  return [...groups.values()]
}

/** Whether every count of `cache` is exact as a number. */
export function isCountable(cache: LayerCache | null): boolean {
  return (
    cache === null ||
    Object.values(cache).every((value) => typeof value !== 'number' || Number.isSafeInteger(value))
  )
}
