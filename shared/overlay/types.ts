import type { LatencyClass } from '../inference-spec.ts'
import type { Span, TextLines } from '../text-lines.ts'

/** Operator-supplied facts the roster does not carry (docs/reference.md O1). */
export interface Overlay {
  /** Roles each role cannot be resident beside, as written: `role:planner` or `planner`. */
  readonly excludes: ReadonlyMap<string, readonly string[]>
  readonly latencyClass: ReadonlyMap<string, LatencyClass>
  readonly sticky: ReadonlyMap<string, boolean>
}

/** The overlay of a missing or empty file: the defaults hold everywhere. */
export const EMPTY_OVERLAY: Overlay = { excludes: new Map(), latencyClass: new Map(), sticky: new Map() }

/** The overlay's top-level keys, as written in its file. */
export const OVERLAY_KEYS = ['excludes', 'latency_class', 'sticky'] as const
export type OverlayKey = (typeof OVERLAY_KEYS)[number]

/** An overlay text read whole, with the places of what it names. */
export interface OverlayDocument {
  readonly file: string
  readonly lines: TextLines
  readonly overlay: Overlay
  /** One entry per role key and, under `excludes`, one per listed name: where it stands in the text. */
  readonly mentions: readonly OverlayMention[]
}

export interface OverlayMention {
  readonly key: OverlayKey
  /** The role whose entry this is. */
  readonly role: string
  /** The listed exclude as written, or null for the role key itself. */
  readonly exclude: string | null
  readonly span: Span
}
