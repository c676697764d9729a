import { resolve } from 'node:path'
import type { LeftoverKind } from '../../shared/export/compare-export.ts'
import { exportedSpecs } from '../../shared/export/exported-specs.ts'
import { exportFiles } from '../../shared/export/export-files.ts'
import type { ExportOutcome, ExportState } from '../../shared/export/export-report.ts'
import { jsonText } from '../../shared/json/json-text.ts'
import { hasErrors, type Problem } from '../../shared/problem.ts'
import { plural } from '../../shared/listed.ts'
import { runBook } from '../../shared/runbook/run-book.ts'
import { runningOf } from '../../shared/runbook/running.ts'
import { previewExport, runExport, type FolderResult, type OutputFile } from '../host/export.ts'
import { expandHome } from '../host/paths.ts'
import type { Invocation } from './arguments.ts'
import { openSide, sideHasErrors } from './diff-sides.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { openLab, planLab, type OpenedLab } from './open-lab.ts'
import { complain, ofSeverity, reportProblems, writeLines } from './report.ts'
import { styleFor, type Style } from './style.ts'
import { hang, pad, printable } from './width.ts'

type ExportInvocation = Extract<Invocation, { command: 'export' }>

/** What is reported about one file: what was done (or with `--check` would be) and why. */
interface FileReport {
  readonly fileName: string
  readonly outcome: ExportOutcome | ExportState
  readonly reason: string | null
}

/**
 * `export`: one spec file a role, or with `--runbook` the run book. For specs only the roster and the overlay matter: a broken node file keeps no one
 * from exporting, and a role that cannot be placed has a spec all the same.
 */
export async function exportCommand(options: ExportInvocation, io: CliIo): Promise<ExitCode> {
  const opened = await openLab(options.lab, io)
  // A run book is carried out, so nothing that it is made from may be damaged.
  const problems = options.runbook
    ? [...opened.lab.problems, ...opened.overlayProblems]
    : problemsOfSpecs(opened)
  reportProblems(ofSeverity(problems, 'error', 'warning'), opened.sourceOf, io)
  if (!opened.readable || hasErrors(problems)) return EXIT.badInput

  const { plan } = planLab(opened, options.scenario)
  const before = options.before === null ? null : await openSide(options.before, options, io)
  if (before !== null && sideHasErrors(before)) {
    reportProblems(ofSeverity(before.problems, 'error', 'warning'), before.sourceOf, io)
    return EXIT.badInput
  }
  const files: readonly OutputFile[] = options.runbook
    ? runBook({ plan, lab: opened.lab, before: before?.plan ? runningOf(before.plan) : null }).files.map(
        ({ fileName, text }) => ({ fileName, text, role: null }),
      )
    : exportFiles(exportedSpecs(plan), { format: options.format })
  const result = await (options.check ? checkFiles : writeFiles)(options, files, opened, io)
  if (!result.ok) {
    complain(`${printable(options.out)}: ${result.message}`, io)
    return EXIT.badInput
  }
  if (options.json) writeJson(options.out, result.files, io)
  else writeText(options.out, result.files, plan.skipped.length, io)
  return exportExit(result.files)
}

/** The problems of the files that specs are made from, and of the lab's folder. */
function problemsOfSpecs({ paths, lab, overlayProblems }: OpenedLab): Problem[] {
  const places = new Set<string | null>([paths.lab.shown, paths.roster.shown, paths.overlay.shown])
  return [...lab.problems.filter(({ file }) => places.has(file)), ...overlayProblems]
}

async function checkFiles(
  { out, runbook }: ExportInvocation,
  files: readonly OutputFile[],
  opened: OpenedLab,
  io: CliIo,
): Promise<FolderResult<FileReport>> {
  const protect = labFilePaths(opened, io)
  const preview = await previewExport(folderPath(out, io), files, {
    protect,
    findStale: runbook ? 'runbook' : 'specs',
  })
  if (!preview.ok) return preview
  return {
    ok: true,
    files: preview.files.map(({ fileName, state, refusal }) =>
      refusal === null
        ? {
            fileName,
            outcome: state,
            reason: state === 'stale' ? STALE_REASONS[runbook ? 'runbook' : 'specs'] : null,
          }
        : { fileName, outcome: 'refused', reason: refusal },
    ),
  }
}

const STALE_REASONS: Readonly<Record<LeftoverKind, string>> = {
  specs: 'no role of the roster; remove it when it is no longer wanted',
  runbook: 'of an earlier run book; remove it when it is no longer wanted',
}

async function writeFiles(
  { out, force }: ExportInvocation,
  files: readonly OutputFile[],
  opened: OpenedLab,
  io: CliIo,
): Promise<FolderResult<FileReport>> {
  const result = await runExport(folderPath(out, io), files, { protect: labFilePaths(opened, io), force })
  if (!result.ok) return result
  return {
    ok: true,
    files: result.files.map(({ fileName, outcome, reason }) => ({
      fileName,
      outcome,
      reason: outcome === 'left_changed' ? 'it has other content; --force replaces it' : reason,
    })),
  }
}

function folderPath(out: string, io: CliIo): string {
  return resolve(io.cwd, expandHome(out, io.homeDir))
}

function labFilePaths({ files }: OpenedLab, io: CliIo): string[] {
  return files.files.map(({ file }) => folderPath(file, io))
}

const OUTCOME_WORDS: Readonly<Record<FileReport['outcome'], string>> = {
  written: 'written',
  same: 'same',
  left_changed: 'left',
  refused: 'refused',
  failed: 'failed',
  new: 'new',
  changed: 'changed',
  stale: 'left over',
}

function writeText(out: string, files: readonly FileReport[], skipped: number, io: CliIo): void {
  const width = outputWidth(io)
  const style = styleFor('stdout', io)
  const outcomeWidth = Math.max(0, ...files.map(({ outcome }) => OUTCOME_WORDS[outcome].length))
  const lines = files.flatMap(({ fileName, outcome, reason }) => {
    const lead = `${pad(OUTCOME_WORDS[outcome], outcomeWidth)}  `
    const text = reason === null ? printable(fileName) : `${printable(fileName)}: ${printable(reason)}`
    return hang(lead, text, width, paintOutcome(outcome, style))
  })
  const entries = plural(skipped, 'roster entry', 'roster entries')
  const sum = `${printable(out)}: ${countOutcomes(files)}${skipped === 0 ? '' : `; ${entries} skipped`}.`
  writeLines([...lines, ...hang('', sum, width)], io)
}

function countOutcomes(files: readonly FileReport[]): string {
  const counts = new Map<FileReport['outcome'], number>()
  for (const { outcome } of files) counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
  if (counts.size === 0) return 'no role to export'
  return [...counts].map(([outcome, count]) => `${count} ${OUTCOME_WORDS[outcome]}`).join(', ')
}

function paintOutcome(outcome: FileReport['outcome'], style: Style): (text: string) => string {
  switch (outcome) {
    case 'written':
    case 'new':
      return style.yes
    case 'same':
    case 'stale':
      return style.faint
    case 'changed':
    case 'left_changed':
      return style.moves
    case 'refused':
    case 'failed':
      return style.no
  }
}

function writeJson(out: string, files: readonly FileReport[], io: CliIo): void {
  const json = {
    folder: out,
    files: files.map(({ fileName, outcome, reason }) => ({ file_name: fileName, outcome, reason })),
  }
  io.stdout(`${jsonText(json, 2)}\n`)
}

/** A file that could not be written is worse than one that was left alone; a leftover spec is only reported. */
function exportExit(files: readonly FileReport[]): ExitCode {
  const outcomes = new Set(files.map(({ outcome }) => outcome))
  if (outcomes.has('failed') || outcomes.has('refused')) return EXIT.badInput
  return outcomes.has('new') || outcomes.has('changed') || outcomes.has('left_changed')
    ? EXIT.differs
    : EXIT.fine
}
