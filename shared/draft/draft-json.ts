import { z } from 'zod'
import { RUNTIMES } from '../inference-spec.ts'
import type { Proposal } from './types.ts'

/** A proposed roster entry as it crosses to the page, and comes back as the operator has it. Bytes are decimal strings. */
export const draftEntrySchema = z.strictObject({
  /** Which proposal it was, by its number: its remarks stay with it. */
  proposal: z.number().int().min(0).max(4096),
  id: z.string().min(1).max(64),
  name: z.string().max(128),
  repo: z.string().max(512).nullable(),
  runtime: z.enum(RUNTIMES),
  ramBytes: z
    .string()
    .regex(/^\d{1,15}$/)
    .nullable(),
  port: z.number().int().min(1).max(65_535),
})
export type DraftEntry = z.infer<typeof draftEntrySchema>

/** What is proposed for a roster. */
export interface DraftReport {
  readonly entries: readonly DraftEntry[]
  /** Remarks of each proposal, by its number: where it came from, how its memory was worked out. */
  readonly remarks: readonly (readonly string[])[]
  /** What was not looked at, or holds no model, and why. */
  readonly leftOut: readonly { readonly place: string; readonly reason: string }[]
  /** The roster's name: it is made there, or there already. */
  readonly roster: string
  /** Whether it is there: then entries are to be copied, and nothing is written. */
  readonly isThere: boolean
}

export function draftEntryOf(proposal: Proposal, number: number): DraftEntry {
  const { id, name, repo, runtime, ramBytes, port } = proposal
  return { proposal: number, id, name, repo, runtime, ramBytes: ramBytes?.toString() ?? null, port }
}

/** The entry as text is made of it. */
export function proposalOf(entry: DraftEntry, remarks: readonly string[]): Proposal {
  const { id, name, repo, runtime, ramBytes, port } = entry
  return { id, name, repo, runtime, ramBytes: ramBytes === null ? null : BigInt(ramBytes), port, remarks }
}
