import type { HostClient, HostError, HostResult } from '../../shared/host-api.ts'
import type { LabFile, LabFileEntry } from '../../shared/lab/lab.ts'

/** Some of the files that were asked for, with their texts, or why no more come. */
export type TextBatch =
  | { readonly kind: 'files'; readonly files: readonly LabFile[] }
  /** The lab changed meanwhile: the host has a newer snapshot. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'failed'; readonly error: HostError }

/** Files asked for at once: about as many as make one answer. */
const FILES_AT_ONCE = 64
/** Answers that are on their way while one is worked on. */
const ASKED_AHEAD = 2

/** The texts of `entries` in their order, some at a time; while one batch is worked on the next are on their way. */
export async function* textBatches(
  client: HostClient,
  entries: readonly LabFileEntry[],
): AsyncGenerator<TextBatch> {
  const ask = (files: readonly LabFileEntry[]): Asked => ({
    files,
    answer: client.call.labTexts({ hashes: files.map(({ hash }) => hash) }),
  })
  const asked: Asked[] = []
  let from = 0
  for (;;) {
    while (asked.length <= ASKED_AHEAD && from < entries.length) {
      asked.push(ask(entries.slice(from, from + FILES_AT_ONCE)))
      from += FILES_AT_ONCE
    }
    const next = asked.shift()
    if (next === undefined) return
    const batch = batchOf(next.files, await next.answer)
    yield batch
    if (batch.kind !== 'files') return
    const rest = next.files.slice(batch.files.length)
    if (rest.length > 0) asked.unshift(ask(rest))
  }
}

interface Asked {
  readonly files: readonly LabFileEntry[]
  readonly answer: Promise<HostResult<readonly (string | null)[]>>
}

function batchOf(asked: readonly LabFileEntry[], answer: HostResult<readonly (string | null)[]>): TextBatch {
  if (!answer.ok) return { kind: 'failed', error: answer.error }
  const files = answer.value.flatMap((text, i): LabFile[] => {
    const entry = asked[i]
    return entry === undefined || text === null ? [] : [{ ...entry, text }]
  })
  return files.length === 0 || files.length < answer.value.length
    ? { kind: 'overtaken' }
    : { kind: 'files', files }
}
