import type { NodeSite } from './node-site.ts'

/** One value of a capability attribute. Integers beyond 2^53 round as the reference's `as_f64` does. */
export type AttrScalar = boolean | number | string
export type AttrValue = AttrScalar | readonly AttrScalar[]

export const CAPABILITY_STATES = ['available', 'busy', 'reserved', 'degraded'] as const
export type CapabilityState = (typeof CAPABILITY_STATES)[number]

export const PROVENANCES = ['claimed', 'probed', 'measured'] as const
type Provenance = (typeof PROVENANCES)[number]

/** Something a node advertises (docs/formats.md, "Node facts"). */
export interface Capability {
  readonly id: string
  readonly attrs: ReadonlyMap<string, AttrValue>
  readonly provenance: Provenance
  readonly state: CapabilityState
  readonly exclusive: boolean
}

/** What a probe said about one node. Times are unix seconds. */
export interface NodeFacts {
  readonly nodeId: string
  readonly issuedAt: number
  readonly ttlSecs: number
  readonly seq: number
  readonly capabilities: readonly Capability[]
  readonly notes: readonly { readonly probe: string; readonly note: string }[]
}

/** What a node short form (`fleet.yaml`, `--node`) says of one model: every shard is there, or none is. */
export type DeclaredPresence = 'complete' | 'none'

/** The name that stands for every model in {@link DeclaredNode.models}. */
export const EVERY_MODEL = '*'

/** A node declared by a person instead of probed. */
export interface DeclaredNode {
  readonly nodeId: string
  /** Model name → presence; {@link EVERY_MODEL} stands for those not named (from `--node ID=complete`). */
  readonly models: ReadonlyMap<string, DeclaredPresence>
  /** Bytes where a fetched model would land; null when unknown. */
  readonly freeBytes: bigint | null
  /** True skips the constraints for this node, false rules it out; null lets the constraints decide. */
  readonly eligible: boolean | null
  /** Rate of its network link in megabits (1e6) a second; left out when unknown. */
  readonly linkMbps?: number
  /** How it is reached and where it keeps things; left out when nothing is written. */
  readonly site?: NodeSite
}

/** A node of the lab: probed facts, a declaration, or both (the declaration then overrides what it names). */
export interface LabNode {
  readonly nodeId: string
  readonly facts: NodeFacts | null
  readonly declared: DeclaredNode | null
  /**
   * The file the facts (or else the declaration) came from, as the host named it; null for the command line.
   */
  readonly file: string | null
}

/** A node's memory in bytes (docs/formats.md, "Node facts", last paragraph). */
export interface MemoryPools {
  readonly kind: 'unified' | 'split'
  /**
   * The pool a role's weights must fit: the unified one, or the sum of the accelerators'. Null when none is
   * known.
   */
  readonly roles: MemoryPool | null
  /** The host's own memory where it is apart from the accelerators'. */
  readonly host: MemoryPool | null
}

export interface MemoryPool {
  readonly name: 'unified' | 'accelerator' | 'host'
  /** What a role is held to: free when the facts were gathered, and what the roster's own servers held then. */
  readonly freeBytes: bigint
  /** The whole pool; equal to `freeBytes` when only one of the two is known. */
  readonly totalBytes: bigint
  /** What of `freeBytes` the roster's own servers held; left out when the facts do not say what servers hold. */
  readonly own?: readonly OwnMemory[]
}

/** Memory that a server of a role held when its node was looked at, in bytes. */
export interface OwnMemory {
  readonly role: string
  readonly bytes: bigint
}
