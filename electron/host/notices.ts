import { readFile } from 'node:fs/promises'
import type { HostResult } from '../../shared/host-api.ts'
import { failed } from './answers.ts'

/** The licenses of what is shipped, from the file that the build made; a program that was not built has none. */
export async function readNotices(file: string | undefined): Promise<HostResult<{ readonly text: string }>> {
  const missing = failed('io', 'The file of licenses, NOTICES.txt, is missing from this installation.')
  if (file === undefined) return missing
  return readFile(file, 'utf8').then(
    (text) => ({ ok: true, value: { text } }) as const,
    () => missing,
  )
}
