import type { DraftEntry, DraftReport } from '../../shared/draft/draft-json.ts'
import { proposalOf } from '../../shared/draft/draft-json.ts'
import { draftText, entriesText } from '../../shared/draft/draft-text.ts'
import { RUNTIME_TRAITS, type Runtime } from '../../shared/inference-spec.ts'
import { isToken } from '../../shared/token.ts'

/** One row of the table: an entry as the operator edits it, in text as it is typed. */
export interface DraftRow {
  readonly proposal: number
  readonly included: boolean
  readonly id: string
  readonly name: string
  readonly repo: string | null
  readonly runtime: DraftEntry['runtime']
  /** GB (1e9 bytes); empty where nothing says it. */
  readonly ramGb: string
  readonly port: string
}

/** Which field of a row is wrong, and why. */
export type RowFaults = Readonly<Partial<Record<'id' | 'name' | 'ramGb' | 'port', string>>>

export function draftRows({ entries }: DraftReport): readonly DraftRow[] {
  return entries.map(({ proposal, id, name, repo, runtime, ramBytes, port }) => ({
    ...{ proposal, included: true, id, name, repo, runtime, port: String(port) },
    ramGb: ramBytes === null ? '' : String(Math.ceil(Number(ramBytes) / 1e8) / 10),
  }))
}

const MOST_GB = 4096

/** What is wrong with each row; rows that are left out have no faults. */
export function rowFaults(rows: readonly DraftRow[]): readonly RowFaults[] {
  const included = rows.filter((row) => row.included)
  return rows.map((row) => {
    if (!row.included) return {}
    const twice = included.filter(({ id }) => id === row.id).length > 1
    const rivals = included.filter(({ port, runtime }) => port === row.port && needsOwnPort(runtime))
    const port = /^\d{1,5}$/.test(row.port) ? Number(row.port) : NaN
    const gb = row.ramGb.trim() === '' ? NaN : Number(row.ramGb)
    const id = !isToken(row.id, 64)
      ? 'letters, digits and . _ + : - only'
      : twice
        ? 'two entries have this id'
        : null
    return {
      ...(id === null ? {} : { id }),
      ...(isToken(row.name, 128) ? {} : { name: 'letters, digits and . _ + : - only' }),
      ...(gb >= 0 && gb <= MOST_GB ? {} : { ramGb: 'the GB that it takes, such as 8.5' }),
      ...(!(port >= 1 && port <= 65_535)
        ? { port: 'a port, 1 to 65535' }
        : needsOwnPort(row.runtime) && rivals.length > 1
          ? { port: 'two entries have this port' }
          : {}),
    }
  })
}

function needsOwnPort(runtime: Runtime): boolean {
  return !RUNTIME_TRAITS[runtime].sharesPort
}

/** The entries that are wanted, for the host; only of rows without faults. */
export function wantedEntries(rows: readonly DraftRow[]): readonly DraftEntry[] {
  return rows
    .filter(({ included }) => included)
    .map(({ proposal, id, name, repo, runtime, ramGb, port }) => ({
      ...{ proposal, id, name, repo, runtime, port: Number(port) },
      ramBytes: ramGb.trim() === '' ? null : BigInt(Math.round(Number(ramGb) * 1e9)).toString(),
    }))
}

/** The text that will be written, or that is to be copied into the roster that is there. */
export function previewText(rows: readonly DraftRow[], { remarks, isThere }: DraftReport): string {
  const proposals = wantedEntries(rows).map((entry) => proposalOf(entry, remarks[entry.proposal] ?? []))
  return isThere ? entriesText(proposals) : draftText(proposals)
}
