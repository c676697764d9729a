import type { ModelFormat } from '../inference-spec.ts'

/** One weight file of a model. */
export interface Shard {
  /** Relative, `/`-separated. */
  readonly path: string
  /** Bytes. */
  readonly size: bigint
  /** 64 lower-case hex digits. */
  readonly blake3: string
}

/** Where a model came from. */
export interface ModelSource {
  readonly hfRepo: string | null
  readonly hfRevision: string | null
  readonly ollamaTag: string | null
}

/** The part of a manifest body that locality decisions read. */
export interface ModelShards {
  readonly name: string
  readonly shards: readonly Shard[]
  /** Whether the signer allows handing the weights to other nodes; absent in a file means false. */
  readonly redistributable: boolean
}

/** The body of a model manifest (docs/formats.md, "Model manifest"). */
export interface ModelBody extends ModelShards {
  readonly format: ModelFormat
  readonly tokenizerPath: string | null
  readonly tokenizerBlake3: string | null
  readonly templatePath: string | null
  readonly templateBlake3: string | null
  readonly source: ModelSource | null
}

/** `valid`: every signature verifies. `invalid`: at least one does not. `unsigned`: there is none. */
export type SignatureState = 'valid' | 'invalid' | 'unsigned'

/** A model manifest as the planner knows it. */
export interface ModelManifest {
  /** BLAKE3 of the canonical JSON of body, kind and schema; 64 hex digits. */
  readonly packageId: string
  readonly body: ModelBody
  readonly signature: SignatureState
  /** The file it was read from, as the host named it. */
  readonly file: string
  /** Why the registry refuses this entry, when it says so. */
  readonly refused: string | null
}
