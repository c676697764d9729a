import { formatBytes, sumBytes } from '../../shared/bytes.ts'
import type { JsonInput } from '../../shared/json/json-text.ts'
import { plural } from '../../shared/listed.ts'
import { fileList } from '../../shared/scan/model-parts.ts'
import type { LeftOut } from '../host/scan/found-model.ts'
import type { ModelOutcome, NamedModel } from '../host/scan/scan-models.ts'
import type { VerifiedModel } from '../host/scan/verify-models.ts'
import type { Style } from './style.ts'
import { hang, printable } from './width.ts'

/** What became of a model, or what would: of a dry run. */
type ReportedOutcome = ModelOutcome | { readonly kind: 'would_write'; readonly file: string }

/** A model of a scan and what became of it. */
export interface ModelResult {
  readonly named: NamedModel
  readonly outcome: ReportedOutcome
  readonly warnings: readonly string[]
}

/** One model: its name and what it is, and below it where it lies and what became of it. */
export function modelLines({ named, outcome, warnings }: ModelResult, width: number, style: Style): string[] {
  const { model, name } = named
  const facts = [model.format, plural(model.shards.length, 'shard'), formatBytes(modelBytes(named))]
  const roles = name !== null && name.roles.length > 0 ? `, for ${name.roles.map(printable).join(', ')}` : ''
  const results = [...(name?.warning ? [name.warning] : []), ...warnings]
  return [
    `${style.strong(name?.name ?? printable(model.folderName))}  ${style.faint(facts.join(', '))}${roles}`,
    ...hang('  ', printable(model.shown), width),
    ...hang('  ', outcomeText(outcome), width).map((line) => paintOutcome(line, outcome, style)),
    ...results.flatMap((warning) => hang('  ', `note: ${printable(warning)}`, width).map(style.warning)),
  ]
}

function outcomeText(outcome: ReportedOutcome): string {
  switch (outcome.kind) {
    case 'written':
      return `${outcome.replaced ? 'replaced' : 'wrote'} ${printable(outcome.file)}`
    case 'same':
      return `unchanged: ${printable(outcome.file)} has it`
    case 'known':
      return `${printable(outcome.file)} has a manifest of these weights, which stays`
    case 'part':
      return `${printable(outcome.file)} stays: it has files that are not here any more (${printable(fileList(outcome.gone))})`
    case 'incomplete':
      return `not whole, so no manifest is made: ${printable(outcome.missing.join('; '))}`
    case 'would_write':
      return `would write ${printable(outcome.file)}`
    case 'failed':
      return `not scanned: ${printable(outcome.reason)}`
    case 'cancelled':
      return 'cancelled: files that were read whole are remembered; the one half read starts again next time'
  }
}

function paintOutcome(line: string, { kind }: ReportedOutcome, style: Style): string {
  switch (kind) {
    case 'written':
    case 'would_write':
      return style.yes(line)
    case 'failed':
      return style.no(line)
    case 'part':
    case 'incomplete':
    case 'cancelled':
      return style.warning(line)
    case 'same':
    case 'known':
      return line
  }
}

/** The last line of a scan: how many models came to what. */
export function scanSummary(results: readonly ModelResult[], leftOut: readonly LeftOut[]): string {
  const refused = leftOut.filter(({ kind }) => kind === 'refused').length
  const passed = leftOut.length - refused
  const count = (...kinds: readonly ReportedOutcome['kind'][]): number =>
    results.filter(({ outcome }) => kinds.includes(outcome.kind)).length
  const parts = [
    [count('written'), 'written'],
    [count('would_write'), 'would be written'],
    [count('same', 'known'), 'unchanged'],
    [count('incomplete', 'part'), 'not whole'],
    [count('failed') + refused, 'not scanned'],
    [count('cancelled'), 'cancelled'],
  ] as const
  const counts = parts.filter(([number]) => number > 0).map(([number, words]) => `${number} ${words}`)
  const over = passed === 0 ? '' : ` ${plural(passed, 'entry', 'entries')} passed over.`
  return `${plural(results.length + refused, 'model')}: ${counts.join(', ') || 'nothing to do'}.${over}`
}

/** `scan models --json`. Byte counts are JSON integers. */
export function scanJson(results: readonly ModelResult[], leftOut: readonly LeftOut[]): JsonInput {
  const lines = (kind: LeftOut['kind']) =>
    leftOut.filter((each) => each.kind === kind).map(({ shown, reason }) => ({ place: shown, reason }))
  return {
    models: results.map(({ named, outcome, warnings }) => ({
      name: named.name?.name ?? null,
      roles: [...(named.name?.roles ?? [])],
      kind: named.model.kind,
      format: named.model.format,
      place: named.model.shown,
      shards: named.model.shards.length,
      bytes: modelBytes(named),
      outcome: outcome.kind,
      package_id: 'packageId' in outcome ? outcome.packageId : undefined,
      file: 'file' in outcome ? outcome.file : undefined,
      reason: 'reason' in outcome ? outcome.reason : undefined,
      missing: 'missing' in outcome ? [...outcome.missing] : undefined,
      gone: 'gone' in outcome ? [...outcome.gone] : undefined,
      warnings: [...(named.name?.warning ? [named.name.warning] : []), ...warnings],
    })),
    refused: lines('refused'),
    passed_over: lines('passed'),
  }
}

function modelBytes({ model }: NamedModel): bigint {
  return sumBytes(model.shards.map(({ size }) => size))
}

/**
 * One verified model: `NAME  12 ok, 1 mismatch`, and a line for each file that is not as the manifest has it.
 */
export function verifiedLines({ target, files }: VerifiedModel, width: number, style: Style): string[] {
  const wrong = files.filter(({ verdict }) => verdict !== 'ok')
  const good = files.length - wrong.length
  const counts = [
    ...(good > 0 ? [style.yes(`${good} ok`)] : []),
    ...VERDICTS.flatMap((verdict) => {
      const number = wrong.filter((file) => file.verdict === verdict).length
      return number === 0 ? [] : [style.no(`${number} ${verdict}`)]
    }),
  ]
  return [
    `${style.strong(target.manifest.body.name)}  ${counts.join(', ')}`,
    ...hang('  ', printable(target.shown), width),
    ...wrong.flatMap(({ path, verdict }) => hang(`  ${verdict}  `, printable(path), width, style.no)),
  ]
}

const VERDICTS = ['missing', 'mismatch', 'unreadable', 'changed', 'cancelled'] as const

/** `scan models --verify --json`. */
export function verifiedJson(
  verified: readonly VerifiedModel[],
  refused: readonly { readonly shown: string; readonly reason: string }[],
): JsonInput {
  return {
    models: verified.map(({ target, files }) => ({
      name: target.manifest.body.name,
      package_id: target.manifest.packageId,
      place: target.shown,
      ok: files.every(({ verdict }) => verdict === 'ok'),
      files: files.map(({ path, verdict }) => ({ path, verdict })),
    })),
    refused: refused.map(({ shown, reason }) => ({ place: shown, reason })),
  }
}
