import type { AttrScalar, Capability } from '../node/types.ts'
import type { ModelManifest } from '../model-manifest/types.ts'
import { MODEL_MARKER_PREFIX, type Presence } from './holding.ts'
import { setBit, type ShardIndex } from './shard-index.ts'

/** One model of a catalog. Nodes that hold nothing of it, or all of it, share one presence each. */
export interface CatalogModel {
  readonly packageId: string
  readonly index: ShardIndex
  readonly nothing: Presence
  readonly whole: Presence
}

interface Place {
  readonly model: CatalogModel
  readonly slot: number
}

const NO_PLACES: readonly Place[] = []

/**
 * The shards of many models by hash. What a node holds of all of them is then one pass over its capabilities; asking
 * model by model would look at every hash once per model.
 */
export class ShardCatalog<Manifest extends Pick<ModelManifest, 'packageId'> = ModelManifest> {
  readonly #models = new Map<Manifest, CatalogModel>()
  readonly #byMarker = new Map<unknown, CatalogModel[]>()
  readonly #byHash = new Map<unknown, Place[]>()

  constructor(manifests: readonly Manifest[], indexOf: (manifest: Manifest) => ShardIndex) {
    for (const manifest of manifests) this.#add(manifest, indexOf(manifest))
  }

  /** The model of a manifest of the catalog. */
  model(manifest: Manifest): CatalogModel | undefined {
    return this.#models.get(manifest)
  }

  /**
   * What `model.present` says about the catalog's models, for those that it names (docs/reference.md H1 to H5).
   */
  presences(capabilities: readonly Capability[]): ReadonlyMap<CatalogModel, Presence> {
    const whole = new Set<CatalogModel>()
    const detached = new Set<CatalogModel>()
    const parts = new Map<CatalogModel, { bits: Uint32Array; heldShards: number }>()
    for (const { id, attrs, state } of capabilities) {
      const list = id === 'model.present' ? attrs.get('shards') : undefined
      if (typeof list !== 'object') continue
      const marked = this.#markedIn(list)
      for (const model of marked) (state === 'available' || state === 'busy' ? whole : detached).add(model)
      for (const item of list) {
        for (const { model, slot } of this.#byHash.get(item) ?? NO_PLACES) {
          // The list that has a model's marker says whether all of it is there, and nothing else of it.
          if (marked.has(model)) continue
          const part = parts.get(model) ?? { bits: model.index.emptyBits(), heldShards: 0 }
          parts.set(model, part)
          if (setBit(part.bits, slot)) part.heldShards++
        }
      }
    }
    return new Map(
      [...new Set([...whole, ...detached, ...parts.keys()])].map((model): [CatalogModel, Presence] => {
        if (whole.has(model)) return [model, model.whole]
        const { bits, heldShards } = parts.get(model) ?? model.nothing
        return [model, { bits, heldShards, complete: false, detached: detached.has(model) }]
      }),
    )
  }

  #markedIn(list: readonly AttrScalar[]): ReadonlySet<CatalogModel> {
    const marked = new Set<CatalogModel>()
    for (const item of list) {
      if (typeof item !== 'string' || !item.startsWith(MODEL_MARKER_PREFIX)) continue
      for (const model of this.#byMarker.get(item) ?? []) marked.add(model)
    }
    return marked
  }

  #add(manifest: Manifest, index: ShardIndex): void {
    if (this.#models.has(manifest)) return
    const model: CatalogModel = {
      packageId: manifest.packageId,
      index,
      nothing: { bits: index.emptyBits(), heldShards: 0, complete: false, detached: false },
      whole: { bits: index.allBits(), heldShards: index.slots, complete: true, detached: false },
    }
    this.#models.set(manifest, model)
    const marker = MODEL_MARKER_PREFIX + manifest.packageId
    this.#byMarker.set(marker, [...(this.#byMarker.get(marker) ?? []), model])
    for (const [hash, slot] of index.hashes()) {
      this.#byHash.set(hash, [...(this.#byHash.get(hash) ?? []), { model, slot }])
    }
  }
}
