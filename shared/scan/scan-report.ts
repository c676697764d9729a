import type { ModelFormat } from '../inference-spec.ts'

/** A model that was found on this machine; byte counts are decimal strings. */
export interface FoundModelInfo {
  /** Stands for the model until models are looked for again. */
  readonly id: string
  /** The name its manifest gets; null when none can be made. */
  readonly name: string | null
  /** Ids of the roster's roles that it serves. */
  readonly roles: readonly string[]
  readonly format: ModelFormat
  /** Where it lies, for a person. */
  readonly place: string
  readonly shards: number
  readonly bytes: string
  /** Whether it was scanned where it lies before and the lab has its manifest. */
  readonly known: boolean
  /** What it lacks, a sentence part each; empty when it is whole. Only a whole model gets a manifest. */
  readonly missing: readonly string[]
  readonly warnings: readonly string[]
}

export interface FoundModelList {
  readonly models: readonly FoundModelInfo[]
  /** What looks like a model and cannot be scanned, and why. */
  readonly refused: readonly { readonly place: string; readonly reason: string }[]
  /** Entries that were not looked at, or that belong to no model, and why. */
  readonly passedOver: readonly { readonly place: string; readonly reason: string }[]
}

/** What became of one model of a scan; null while it is not known. */
export type ScanOutcome =
  | { readonly kind: 'written' | 'unchanged'; readonly file: string }
  /** Not whole, or a part of what the lab's manifest has: no manifest was written, and why. */
  | { readonly kind: 'incomplete'; readonly reason: string }
  | { readonly kind: 'failed'; readonly reason: string }
  | { readonly kind: 'cancelled' }

/** How far a scan is. The last one of a scan has `state: 'ended'` and an outcome for every model. */
export interface ScanReport {
  readonly scan: string
  /** `models`: weights are read. `node`: this machine is asked for its facts. */
  readonly state: 'models' | 'node' | 'ended'
  /** Bytes that have to be read; files that have not changed since their last reading do not. */
  readonly doneBytes: string
  readonly totalBytes: string
  /** Bytes a second, and seconds left; null when not known. */
  readonly rate: number | null
  readonly secondsLeft: number | null
  readonly models: readonly {
    readonly id: string
    /** The name its manifest gets. */
    readonly name: string
    readonly doneBytes: string
    readonly totalBytes: string
    readonly outcome: ScanOutcome | null
  }[]
  /** What became of this machine's facts; null when they were not asked for, or not yet written. */
  readonly node: { readonly nodeId: string; readonly file: string } | { readonly reason: string } | null
}
