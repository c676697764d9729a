import { MOST_TEXTS, type HostClient, type HostError } from '../../shared/host-api.ts'
import type { LabFile, LabFileEntry } from '../../shared/lab.ts'

/** Some of the files that were asked for, with their texts, or why no more come. */
export type TextBatch =
  | { readonly kind: 'files'; readonly files: readonly LabFile[] }
  /** The lab changed meanwhile: the host has a newer snapshot. */
  | { readonly kind: 'overtaken' }
  | { readonly kind: 'failed'; readonly error: HostError }

/** The texts of `entries` in their order, some at a time; while one batch is worked on the next is on its way. */
export async function* textBatches(client: HostClient, entries: readonly LabFileEntry[]): AsyncGenerator<TextBatch> {
  const ask = (from: number) =>
    from < entries.length
      ? client.call.labTexts({ hashes: entries.slice(from, from + MOST_TEXTS).map(({ hash }) => hash) })
      : null
  let from = 0
  for (let asked = ask(0); asked !== null; ) {
    const result = await asked
    if (!result.ok) {
      yield { kind: 'failed', error: result.error }
      return
    }
    const files = entries.slice(from, from + result.value.length).flatMap((entry, i): LabFile[] => {
      const text = result.value[i]
      return typeof text === 'string' ? [{ ...entry, text }] : []
    })
    if (files.length === 0 || files.length < result.value.length) {
      yield { kind: 'overtaken' }
      return
    }
    from += files.length
    asked = ask(from)
    yield { kind: 'files', files }
  }
}
