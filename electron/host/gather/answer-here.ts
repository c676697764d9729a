import { frame } from '../../../shared/gather/frames.ts'
import { GATHER_PROTOCOL, questionSchema } from '../../../shared/gather/messages.ts'
import { configDirOf } from '../config-dir.ts'
import type { FileHashers } from '../scan/file-hashers.ts'
import { programAsker } from '../scan/ask-program.ts'
import { ownMachine } from '../scan/own-machine.ts'
import { PROBE_TIMEOUT_MS, probeMachine } from '../scan/probe-machine.ts'
import { openScanRecord } from '../scan/scan-record.ts'
import { usualPlaces } from '../scan/usual-places.ts'
import { realVolumes } from '../scan/volumes.ts'
import { answerQuestion } from './answer.ts'

/** What answering touches of its process. */
export interface AnswerIo {
  readonly env: Readonly<Record<string, string | undefined>>
  readonly home: string
  readonly write: (text: string) => void
  /** Hashes in that many threads; left out: half of the cores. */
  readonly hashers: (threads: number | undefined) => FileHashers
  readonly nowMs: () => number
}

/**
 * Answers `text`, the JSON of a question, about the machine that this process runs on. Returns why it cannot, or null.
 */
export async function answerHere(text: string, io: AnswerIo): Promise<string | null> {
  const question = questionSchema.safeParse(parsed(text))
  if (!question.success) return `this is no question of protocol ${GATHER_PROTOCOL}`
  const { env, home, nowMs, hashers } = io
  const { platform, arch } = process
  const ask = programAsker({ env, platform })
  const machine = {
    record: await openScanRecord(configDirOf({ env, platform, home })),
    volumes: realVolumes(),
    usualPlaces: () => usualPlaces({ env, platform, home }),
    probe: () =>
      probeMachine({
        ...{ platform, arch, ask, facts: ownMachine(platform, arch, ask), timeoutMs: PROBE_TIMEOUT_MS },
      }),
    hashers,
    nowMs,
  }
  const { mark } = question.data
  await answerQuestion(question.data, machine, (message) => io.write(frame(mark, JSON.stringify(message))))
  return null
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
