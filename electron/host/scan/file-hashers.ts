import { availableParallelism } from 'node:os'
import { Worker } from 'node:worker_threads'
import { realDisk, type Disk } from '../disk.ts'
import { hashFile, type HashOptions, type HashOutcome } from './hash-file.ts'
import type { FromHashThread, ToHashThread } from './hash-thread.ts'

/** How a file is to be hashed, wherever that is done. */
export type HashRequest = Omit<HashOptions, 'disk'>

/** Who hashes files. */
export interface FileHashers {
  /** How many files are worth giving at a time. */
  readonly atATime: number
  /** As {@link hashFile} does. */
  readonly hash: (real: string, request: HashRequest) => Promise<HashOutcome>
  /** Ends what was started for it; what is still being hashed has no hash. */
  readonly close: () => Promise<void>
}

/** What a thread that hashes runs: a built file, or the text of a script. */
export type HashThreadSource =
  { readonly kind: 'file'; readonly path: string } | { readonly kind: 'script'; readonly text: string }

/**
 * Two files at a time keep a disk busy while the hash of one is worked out; more make a spinning one seek.
 */
const LEAST_AT_A_TIME = 2

/** Half of this machine's cores: the rest is for what else it does. */
export function defaultHashThreads(): number {
  return Math.max(1, Math.floor(availableParallelism() / 2))
}

/** Hashes in the thread of the caller. */
export function hashersHere(disk: Disk = realDisk): FileHashers {
  return {
    atATime: LEAST_AT_A_TIME,
    hash: (real, request) => hashFile(real, { ...request, disk }),
    close: () => Promise.resolve(),
  }
}

/**
 * Hashes in up to `threads` threads of their own, so that the caller's stays free. Each is started when there is a file
 * for it.
 */
export function hashThreads(source: HashThreadSource, threads: number = defaultHashThreads()): FileHashers {
  const started: HashThread[] = []
  const free = (): HashThread => {
    const least = started.filter(({ isOver }) => !isOver).sort((a, b) => a.files - b.files)[0]
    if (least !== undefined && (least.files === 0 || started.length >= threads)) return least
    const thread = new HashThread(source)
    started.push(thread)
    return thread
  }
  return {
    atATime: Math.max(threads, LEAST_AT_A_TIME),
    hash: (real, request) => free().hash(real, request),
    close: async () => {
      await Promise.all(started.map((thread) => thread.close()))
    },
  }
}

interface Job {
  readonly request: HashRequest
  readonly settle: (outcome: HashOutcome) => void
}

class HashThread {
  readonly #worker: Worker
  readonly #jobs = new Map<number, Job>()
  #next = 0
  #fault: string | null = null

  constructor(source: HashThreadSource) {
    // The thread is whole by itself: what the process was started with is no business of it.
    const options = { execArgv: [], eval: source.kind === 'script' }
    this.#worker = new Worker(source.kind === 'file' ? source.path : source.text, options)
    this.#worker.on('message', (message: FromHashThread) => this.#take(message))
    this.#worker.on('error', (error: unknown) => this.#end(String(error)))
    this.#worker.on('exit', () => this.#end('it ended'))
  }

  /** How many files it works on. */
  get files(): number {
    return this.#jobs.size
  }

  get isOver(): boolean {
    return this.#fault !== null
  }

  hash(real: string, request: HashRequest): Promise<HashOutcome> {
    if (request.signal.aborted) return Promise.resolve({ kind: 'cancelled' })
    return new Promise((resolve) => {
      const id = this.#next++
      const stop = (): void => this.#tell({ kind: 'stop', id })
      const settle = (outcome: HashOutcome): void => {
        request.signal.removeEventListener('abort', stop)
        resolve(outcome)
      }
      this.#jobs.set(id, { request, settle })
      request.signal.addEventListener('abort', stop, { once: true })
      this.#tell({ kind: 'hash', id, real, expected: request.expected })
    })
  }

  async close(): Promise<void> {
    await this.#worker.terminate()
  }

  #tell(message: ToHashThread): void {
    this.#worker.postMessage(message)
  }

  #take(message: FromHashThread): void {
    const job = this.#jobs.get(message.id)
    if (job === undefined) return
    if (message.kind === 'bytes') {
      job.request.onBytes(message.bytes)
      return
    }
    this.#jobs.delete(message.id)
    job.settle(message.outcome)
  }

  #end(fault: string): void {
    this.#fault ??= fault
    const reason = `the thread that read it failed: ${this.#fault}`
    for (const { settle, request } of this.#jobs.values()) {
      settle(request.signal.aborted ? { kind: 'cancelled' } : { kind: 'unreadable', reason })
    }
    this.#jobs.clear()
  }
}
