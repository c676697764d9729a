import type { PickedPath } from '../picked-path.ts'

/** The kinds of export, in the order in which they are offered. */
export const EXPORT_KINDS = [
  'specs',
  'preferences',
  'plan_markdown',
  'plan_json',
  'scenario',
  'runbook',
] as const

/** The formats a spec file can have; the format is also the file's extension. */
export const EXPORT_FORMATS = ['json', 'yaml'] as const
export type ExportFormat = (typeof EXPORT_FORMATS)[number]

export type ExportState = 'new' | 'changed' | 'same' | 'stale'

export interface ExportPreviewFile {
  readonly fileName: string
  /** Null for a file of no exported role (`stale`) and for a plan document. */
  readonly role: string | null
  readonly state: ExportState
  readonly newText: string | null
  readonly oldText: string | null
  /** Why it cannot be written, when that is known beforehand. */
  readonly refusal: string | null
  /** Stands for what is in the file's place; null when there is nothing. `runExport` wants it back. */
  readonly found: string | null
}

export interface ExportPreview {
  readonly folder: PickedPath
  readonly files: readonly ExportPreviewFile[]
}

export type ExportOutcome = 'written' | 'same' | 'left_changed' | 'refused' | 'failed'

export interface ExportResult {
  readonly folder: PickedPath
  readonly files: readonly {
    readonly fileName: string
    readonly outcome: ExportOutcome
    readonly reason: string | null
  }[]
}
