import { readNotices } from '../host/notices.ts'
import { installedFiles } from '../installed-files.ts'
import { EXIT, type CliIo } from './io.ts'

/** `licenses`: the licenses of the libraries in the program, as the build collected them. */
export async function licensesCommand(io: CliIo): Promise<number> {
  const notices = await readNotices(installedFiles(import.meta.dirname).notices)
  if (!notices.ok) {
    io.stderr(`error: ${notices.error.message}\n`)
    return EXIT.badInput
  }
  io.stdout(notices.value.text)
  return EXIT.fine
}
