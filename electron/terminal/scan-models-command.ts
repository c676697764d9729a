import { join } from 'node:path'
import { performance } from 'node:perf_hooks'
import { jsonText } from '../../shared/json/json-text.ts'
import { printable } from '../../shared/printable.ts'
import type { FoundModels } from '../host/scan/found-model.ts'
import { nameFoundModels, scanModels, type NamedModel } from '../host/scan/scan-models.ts'
import { writeShapes } from '../host/shapes/write-shape.ts'
import { realVolumes } from '../host/scan/volumes.ts'
import { manifestFileName, manifestsInto } from '../host/scan/write-manifest.ts'
import { hashing } from './hashing.ts'
import { EXIT, outputWidth, type CliIo, type ExitCode } from './io.ts'
import { complain, ofSeverity, reportProblems, writeLines } from './report.ts'
import type { ScanModelsInvocation } from './scan-arguments.ts'
import { findAll, tellLeftOut } from './scan-found.ts'
import { progressLine } from './scan-progress.ts'
import { openScan, type ScanSetting } from './scan-setting.ts'
import { modelLines, scanJson, scanSummary, type ModelResult } from './scan-text.ts'
import { verifyFound } from './scan-verify.ts'
import { styleFor } from './style.ts'

/** `scan models`: a manifest for every model found. */
export async function scanModelsCommand(invocation: ScanModelsInvocation, io: CliIo): Promise<ExitCode> {
  const setting = await openScan(invocation.lab, io)
  const { lab } = setting
  if (lab.fault !== null) {
    complain(lab.fault, io)
    return EXIT.badInput
  }
  // Only what names and manifests are taken from matters here, and a lab without a roster is fine.
  reportProblems(ofSeverity(lab.lab.problems, 'error'), () => undefined, io)
  const found = await findAll(invocation, io)
  const named = nameFoundModels(found.models, lab.lab.roster?.entries ?? [], invocation.name)
  if (invocation.name !== null && named.length > 1) {
    complain(`--name is for one model, and ${named.length} were found: name the one path`, io)
    return EXIT.badInput
  }
  if (invocation.verify) return verifyFound(invocation, setting, found, named, io)
  const results = invocation.dryRun
    ? toldDry(named, found, setting)
    : await scan(invocation, setting, found, named, io)
  tell(results, found, invocation, io)
  if (results.some(({ outcome }) => outcome.kind === 'cancelled')) return EXIT.interrupted
  const failed = results.some(({ outcome }) => ['failed', 'incomplete', 'part'].includes(outcome.kind))
  return failed || results.length === 0 ? EXIT.badInput : EXIT.fine
}

function toldDry(
  named: readonly NamedModel[],
  found: FoundModels,
  { lab }: ScanSetting,
): readonly ModelResult[] {
  return named.map((each, i) => ({
    named: each,
    warnings: found.warnings[i] ?? [],
    outcome: dryOutcome(each, lab),
  }))
}

function dryOutcome({ model, name }: NamedModel, { paths }: ScanSetting['lab']): ModelResult['outcome'] {
  if (name === null)
    return { kind: 'failed', reason: 'no name can be made of its folder’s: give it a --name' }
  if (model.missing.length > 0) return { kind: 'incomplete', missing: model.missing }
  return { kind: 'would_write', file: join(paths.manifests.shown, manifestFileName(name.name)) }
}

async function scan(
  { redistributable, threads }: ScanModelsInvocation,
  { lab, record }: ScanSetting,
  found: FoundModels,
  named: readonly NamedModel[],
  io: CliIo,
): Promise<readonly ModelResult[]> {
  const line = progressLine('Scanning', io)
  const outcomes = await hashing(threads, io, (signal, hashers) =>
    scanModels(named, {
      hashers,
      put: manifestsInto(lab, redistributable),
      record,
      volumes: realVolumes(),
      redistributable,
      signal,
      nowMs: () => performance.now(),
      onProgress: line.show,
    }),
  )
  line.clear()
  for (const note of await writeShapes(named, outcomes, lab))
    io.stderr(`lab-planner: note: ${printable(note)}\n`)
  return named.map((each, i) => ({
    named: each,
    warnings: found.warnings[i] ?? [],
    outcome: outcomes[i] ?? { kind: 'cancelled' },
  }))
}

function tell(
  results: readonly ModelResult[],
  found: FoundModels,
  { json }: ScanModelsInvocation,
  io: CliIo,
): void {
  tellLeftOut(found.leftOut, io)
  if (json) {
    io.stdout(`${jsonText(scanJson(results, found.leftOut), 2)}\n`)
    return
  }
  const style = styleFor('stdout', io)
  const width = outputWidth(io)
  writeLines(
    [...results.flatMap((each) => modelLines(each, width, style)), scanSummary(results, found.leftOut)],
    io,
  )
}
