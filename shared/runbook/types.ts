import type { ModelManifest, Shard } from '../model-manifest/types.ts'

/** The files of one model that one node lacks and that its roles there need. */
export interface ModelFetch {
  readonly manifest: ModelManifest
  /** The node that needs them. */
  readonly target: string
  /** The roles that wait for them, in roster order. */
  readonly roles: readonly string[]
  /** The Hugging Face repo that the roster names for the model; null when it names none. */
  readonly repo: string | null
  /** In the manifest's order; a file that another fetch to this node brings already is left out. */
  readonly shards: readonly Shard[]
  /** Bytes of `shards` together. */
  readonly bytes: bigint
  /** Nodes that hold the whole model, best first; empty when no node does. */
  readonly sources: readonly string[]
  /** At the slower end of the way from the first source; null when a link rate is not known. */
  readonly seconds: number | null
}

/** A file of the run book, or why it cannot be made and the lines of `fleet.yaml` that would help. */
export type MadeText =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly reason: string; readonly add: readonly string[] }
