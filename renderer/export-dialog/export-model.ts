import {
  EXPORT_KINDS,
  type ExportOutcome,
  type ExportPreview,
  type ExportPreviewFile,
  type ExportState,
} from '../../shared/export/export-report.ts'
import type { LabPlan } from '../../shared/plan/types.ts'

export type ExportWhat = (typeof EXPORT_KINDS)[number]

/** What differs between the kinds of export. */
interface ExportTraits {
  readonly label: string
  /** What a document of the whole lab is, for who is about to write it; null: one file per role, in a format of choice. */
  readonly note: string | null
}

const EXPORT_TRAITS: Readonly<Record<ExportWhat, ExportTraits>> = {
  specs: { label: 'Inference specs', note: null },
  preferences: { label: 'Placement preferences', note: null },
  plan_markdown: {
    label: 'Plan as Markdown',
    note: 'The whole plan in one file, as it stands with the scenario on screen.',
  },
  plan_json: {
    label: 'Plan as JSON',
    note: 'The whole plan in one file, as the command line’s plan --json prints it.',
  },
  scenario: {
    label: 'Scenario',
    note: 'The scenario on screen as scenario.json, to be opened again or given to the command line as --scenario.',
  },
  runbook: {
    label: 'Run book',
    note: 'How to carry the plan out: RUNBOOK.md, a script for each node that fetches weights, and what starts there.',
  },
}

export const EXPORT_CHOICES = EXPORT_KINDS.map((id) => ({ id, label: EXPORT_TRAITS[id].label }))

/** What a document of the whole lab is; null for kinds that are one file per role, in a format of choice. */
export function documentNote(what: ExportWhat): string | null {
  return EXPORT_TRAITS[what].note
}

/** Roles that can be exported as `what`: every importable one, and for preferences those with a manifest. */
export function exportableRoles(plan: LabPlan, what: ExportWhat): readonly string[] {
  const roles = what === 'preferences' ? plan.roles.filter((role) => role.manifest !== null) : plan.roles
  return roles.map((role) => role.role)
}

export const STATE_LABELS: Readonly<Record<ExportState, string>> = {
  new: 'new',
  changed: 'changed',
  same: 'same',
  stale: 'leftover',
}

export const OUTCOME_LABELS: Readonly<Record<ExportOutcome, string>> = {
  written: 'written',
  same: 'unchanged',
  left_changed: 'left as it was',
  refused: 'refused',
  failed: 'failed',
}

/** How many files are in which state. */
export function countStates(preview: ExportPreview): Readonly<Record<ExportState, number>> {
  const counts = { new: 0, changed: 0, same: 0, stale: 0 }
  for (const file of preview.files) counts[file.state]++
  return counts
}

/** What running the export would do, in one sentence. */
export function previewSentence(preview: ExportPreview): string {
  const counts = countStates(preview)
  const parts = [
    counts.new > 0 ? `${counts.new} new` : null,
    counts.changed > 0 ? `${counts.changed} changed` : null,
    counts.same > 0 ? `${counts.same} the same` : null,
    counts.stale > 0 ? `${counts.stale} leftover (of roles not exported; left alone)` : null,
  ].filter((part) => part !== null)
  return parts.length === 0 ? 'Nothing to export.' : `${parts.join(', ')}.`
}

/** The file whose difference is worth looking at first. */
export function mostTelling(files: readonly ExportPreviewFile[]): string | null {
  const found =
    files.find((file) => file.refusal !== null) ??
    files.find((file) => file.state === 'changed') ??
    files.find((file) => file.state === 'new') ??
    files[0]
  return found?.fileName ?? null
}
