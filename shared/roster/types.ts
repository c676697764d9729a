import type { InferenceSpec } from '../inference-spec.ts'
import type { Problem } from '../problem.ts'
import type { Span, TextLines } from '../text-lines.ts'

/** One entry of the roster as read, before anything is decided about it. */
export interface RosterEntry {
  readonly id: string
  readonly role: string
  readonly name: string
  readonly repo: string
  readonly backend: string
  readonly status: string
  /** `ram_gb` in bytes, truncated; null when it is missing, not a number, or outside 0 to 4096 GB. */
  readonly ramBytes: bigint | null
  readonly port: number | null
  /** Where the entry stands in the roster text. */
  readonly span: Span
  /** Where the known keys' values stand. */
  readonly fieldSpans: Readonly<Partial<Record<RosterField, Span>>>
}

export const ROSTER_FIELDS = ['id', 'role', 'name', 'repo', 'ram_gb', 'backend', 'port', 'status'] as const
export type RosterField = (typeof ROSTER_FIELDS)[number]

/** A roster file read whole; independent of the overlay, so that an overlay edit never reads it again. */
export interface RosterDocument {
  readonly file: string
  readonly lines: TextLines
  readonly entries: readonly RosterEntry[]
  /** What is legal and still not meant, such as one id twice; it changes nothing of what is read. */
  readonly warnings: readonly Problem[]
}

/** Where a role's latency class comes from. */
export type LatencySource = 'overlay' | 'roster_text' | 'default'

/** An entry turned into a spec (docs/reference.md R8). */
export interface ImportedSpec {
  readonly spec: InferenceSpec
  readonly repo: string
  readonly status: string
  readonly latencySource: LatencySource
  /** Whether the overlay (rather than the default) says that the role is sticky or not. */
  readonly stickyFromOverlay: boolean
  readonly entry: RosterEntry
}

/** An entry that was not imported, with the reference's reason. */
export interface SkippedEntry {
  readonly id: string
  readonly reason: string
  readonly entry: RosterEntry
}

/** The result of an import, both lists in roster order (docs/reference.md R8). */
export interface ImportedRoster {
  readonly specs: readonly ImportedSpec[]
  readonly skipped: readonly SkippedEntry[]
}
