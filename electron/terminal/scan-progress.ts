import { progressText } from '../../shared/scan/progress.ts'
import type { HashProgress } from '../host/scan/hash-models.ts'
import { outputWidth, type CliIo } from './io.ts'
import { truncate } from './width.ts'

/**
 * The one line that shows how far a scan is, written over itself; nothing at all where there is no terminal.
 */
export interface ProgressLine {
  readonly show: (progress: HashProgress) => void
  /** Takes the line away, so that something else can be written. */
  readonly clear: () => void
}

const TO_START = '\r'
const ERASE_LINE = '\u001b[K'

export function progressLine(what: string, io: CliIo): ProgressLine {
  if (!io.stderrIsTty) return { show: () => undefined, clear: () => undefined }
  let shown = false
  return {
    show: ({ whole, models }) => {
      const finished = models.filter((model) => model.finished).length
      const text = `${what} ${finished} of ${models.length}: ${progressText(whole)}`
      // The last cell stays free: some terminals wrap when it is written.
      io.stderr(`${TO_START}${truncate(text, outputWidth(io) - 1)}${ERASE_LINE}`)
      shown = true
    },
    clear: () => {
      if (shown) io.stderr(`${TO_START}${ERASE_LINE}`)
      shown = false
    },
  }
}
