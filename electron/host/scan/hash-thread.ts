import type { MessagePort } from 'node:worker_threads'
import { realDisk } from '../disk.ts'
import type { FileStamp } from './found-model.ts'
import { hashFile, type HashOutcome } from './hash-file.ts'

/** What a thread that hashes is asked. Files are told apart by `id`. */
export type ToHashThread =
  | { readonly kind: 'hash'; readonly id: number; readonly real: string; readonly expected: FileStamp | null }
  | { readonly kind: 'stop'; readonly id: number }

/** What it answers: how many more bytes were hashed, and what came of the file. */
export type FromHashThread =
  | { readonly kind: 'bytes'; readonly id: number; readonly bytes: number }
  | { readonly kind: 'done'; readonly id: number; readonly outcome: HashOutcome }

/** Hashes the files that are asked for on `port`, until the thread is ended from outside. */
export function runHashThread(port: MessagePort): void {
  const running = new Map<number, AbortController>()
  const tell = (message: FromHashThread): void => port.postMessage(message)
  port.on('message', (message: ToHashThread) => {
    const { id } = message
    if (message.kind === 'stop') {
      running.get(id)?.abort()
      return
    }
    const controller = new AbortController()
    running.set(id, controller)
    void hashFile(message.real, {
      disk: realDisk,
      signal: controller.signal,
      expected: message.expected,
      onBytes: (bytes) => tell({ kind: 'bytes', id, bytes }),
    }).then((outcome) => {
      running.delete(id)
      tell({ kind: 'done', id, outcome })
    })
  })
}
