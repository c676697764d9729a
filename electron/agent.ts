import { homedir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { endProcess } from './end-process.ts'
import { answerHere } from './host/gather/answer-here.ts'

/**
 * The planner's one file for machines that have Node only: it is read from standard input, answers the question that
 * stands behind it, and leaves nothing but the record of hashes.
 */
export function run(question: string): void {
  // The one who asked is gone: nothing is left to be done.
  process.stdout.on('error', () => process.exit(0))
  const io = {
    env: process.env,
    home: homedir(),
    write: (text: string): void => void process.stdout.write(text),
    nowMs: () => performance.now(),
  }
  void answerHere(question, io).then((fault) => {
    if (fault !== null) process.stderr.write(`lab-planner: ${fault}\n`)
    process.exitCode = fault === null ? 0 : 64
    endProcess()
  })
}
