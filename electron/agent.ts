import { homedir } from 'node:os'
import { performance } from 'node:perf_hooks'
import { parentPort } from 'node:worker_threads'
import { endProcess } from './end-process.ts'
import { hashThreads } from './host/scan/file-hashers.ts'
import { runHashThread } from './host/scan/hash-thread.ts'
import { answerHere } from './host/gather/answer-here.ts'

/**
 * The planner's one file for machines that have Node only: it is read from standard input, answers the question that
 * stands behind it, and leaves nothing but the record of hashes.
 *
 * @param agent a script that is this file, for the threads that hash: there is no file to start them from.
 */
export function run(question: string, agent: string): void {
  // The one who asked is gone: nothing is left to be done.
  process.stdout.on('error', () => process.exit(0))
  const io = {
    env: process.env,
    home: homedir(),
    write: (text: string): void => void process.stdout.write(text),
    hashers: (threads?: number) => hashThreads({ kind: 'script', text: `${agent}.hash()` }, threads),
    nowMs: () => performance.now(),
  }
  void answerHere(question, io).then((fault) => {
    if (fault !== null) process.stderr.write(`lab-planner: ${fault}\n`)
    process.exitCode = fault === null ? 0 : 64
    endProcess()
  })
}

/** A thread of it, which hashes files. */
export function hash(): void {
  if (parentPort !== null) runHashThread(parentPort)
}
