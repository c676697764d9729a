import type { FoundModelInfo, ScanOutcome, ScanReport } from '../../shared/scan/scan-report.ts'

/** Models worth ticking from the start: those a role waits for and whose manifest the lab does not have. */
export function suggestedModels(models: readonly FoundModelInfo[]): ReadonlySet<string> {
  return new Set(
    models
      .filter(
        (model) =>
          model.roles.length > 0 && !model.known && model.name !== null && model.missing.length === 0,
      )
      .map(({ id }) => id),
  )
}

/** Whether a manifest can be made of the model at all. */
export function isScannable(model: FoundModelInfo): boolean {
  return model.name !== null
}

/** Models in the order a person looks for them: those that serve a role first, then by name. */
export function listedModels(models: readonly FoundModelInfo[]): readonly FoundModelInfo[] {
  return models.toSorted(
    (a, b) =>
      Number(b.roles.length > 0) - Number(a.roles.length > 0) ||
      (a.name ?? a.place).localeCompare(b.name ?? b.place),
  )
}

/** How much of `total` is done, 0 to 1; nothing to do is done. Counts are decimal strings. */
export function fraction(done: string, total: string): number {
  const all = BigInt(total)
  if (all === 0n) return 1
  return Math.min(1, Number((BigInt(done) * 10_000n) / all) / 10_000)
}

export function sumOfBytes(models: readonly FoundModelInfo[], chosen: ReadonlySet<string>): bigint {
  return models.reduce((sum, model) => (chosen.has(model.id) ? sum + BigInt(model.bytes) : sum), 0n)
}

export const OUTCOMES: Readonly<Record<ScanOutcome['kind'], string>> = {
  written: 'manifest written',
  unchanged: 'unchanged',
  incomplete: 'not whole',
  failed: 'failed',
  cancelled: 'cancelled',
}

/** In the order of the sentence. */
const OUTCOME_KINDS = [
  'written',
  'unchanged',
  'incomplete',
  'failed',
  'cancelled',
] as const satisfies readonly ScanOutcome['kind'][]

/** What an ended scan came to, in a sentence. */
export function endedSentence(report: ScanReport): string {
  const counts = new Map<ScanOutcome['kind'], number>()
  for (const { outcome } of report.models)
    if (outcome) counts.set(outcome.kind, (counts.get(outcome.kind) ?? 0) + 1)
  const parts = OUTCOME_KINDS.flatMap((kind) => {
    const count = counts.get(kind)
    if (count === undefined) return []
    return [`${count} ${kind === 'written' && count > 1 ? 'manifests written' : OUTCOMES[kind]}`]
  })
  if (report.node !== null) {
    parts.push(
      'nodeId' in report.node
        ? `this machine’s facts written as ${report.node.nodeId}`
        : `this machine: ${report.node.reason}`,
    )
  }
  const rest = counts.has('cancelled')
    ? ' Files that were read whole are remembered; one half read starts again next time.'
    : ''
  return parts.length === 0 ? 'Nothing was scanned.' : `${parts.join(', ')}.${rest}`
}
