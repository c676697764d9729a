import { stringify } from 'yaml'
import { GB } from '../bytes.ts'
import { RUNTIME_TRAITS } from '../inference-spec.ts'
import type { Proposal } from './types.ts'

const HEADING = `# The roster of this lab: one entry for each model server that is to run.
# The planner reads it and never writes it. The README describes the keys.
`

/** The text of a roster with `proposals`. */
export function draftText(proposals: readonly Proposal[]): string {
  return proposals.length === 0 ? `${HEADING}roster: []\n` : `${HEADING}roster:\n${entriesText(proposals)}`
}

/** The entries alone, to be copied below a `roster:` that is there. */
export function entriesText(proposals: readonly Proposal[]): string {
  return proposals.map(entryText).join('')
}

function entryText({ id, name, repo, runtime, ramBytes, port, remarks }: Proposal): string {
  const entry = {
    id,
    name,
    ...(repo === null ? {} : { repo }),
    backend: RUNTIME_TRAITS[runtime].backends[0],
    ...(ramBytes === null ? {} : { ram_gb: gigabytes(ramBytes) }),
    port,
  }
  const comments = remarks.map((remark) => `  # ${remark.replace(/\p{C}|\p{Zl}|\p{Zp}/gu, '?')}\n`)
  return `${comments.join('')}${stringify([entry], { lineWidth: 0 }).replace(/^/gm, '  ').trimEnd()}\n`
}

/** Bytes in GB (1e9), rounded up to tenths so that a role is never short of room. */
function gigabytes(bytes: bigint): number {
  const tenth = GB / 10n
  return Number((bytes + tenth - 1n) / tenth) / 10
}
