import { performance } from 'node:perf_hooks'
import { MAX_GATHER_TEXT } from '../../shared/gather/messages.ts'
import { answerHere } from '../host/gather/answer-here.ts'
import type { ScanAnswerInvocation } from './gather-arguments.ts'
import { ownHashers } from './hashing.ts'
import { EXIT, type CliIo, type ExitCode } from './io.ts'
import { complain } from './report.ts'

/** `scan answer`: the question comes from standard input, the answer goes to standard output. */
export async function scanAnswerCommand({ can }: ScanAnswerInvocation, io: CliIo): Promise<ExitCode> {
  if (can !== null) return EXIT.fine
  const text = new TextDecoder().decode(await io.readStdin(MAX_GATHER_TEXT))
  const fault = await answerHere(text, {
    env: io.env,
    home: io.homeDir,
    write: io.stdout,
    hashers: (threads) => ownHashers(threads ?? null),
    nowMs: () => performance.now(),
  })
  if (fault === null) return EXIT.fine
  complain(fault, io)
  return EXIT.badInput
}
