import { readMeter, startMeter, stepMeter, type ScanProgress } from '../../../shared/scan/progress.ts'
import { mapBounded } from '../map-bounded.ts'
import type { FileStamp } from './found-model.ts'
import type { FileHashers } from './file-hashers.ts'
import type { HashOutcome } from './hash-file.ts'
import type { ScanRecord } from './scan-record.ts'

/** One file to be hashed. */
export interface HashJob {
  /** Absolute, links resolved. */
  readonly real: string
  /** Bytes to be expected, for the progress. */
  readonly size: bigint
  /** What the file was when it was found; null takes whatever is there. */
  readonly expected: FileStamp | null
}

/** How far each model and the whole have come. */
export interface HashProgress {
  readonly whole: ScanProgress
  readonly models: readonly {
    readonly doneBytes: bigint
    readonly totalBytes: bigint
    readonly finished: boolean
  }[]
}

export type FileOutcome =
  | HashOutcome
  /** Another file of its model could not be hashed, so that this one was not read for nothing. */
  | { readonly kind: 'skipped' }

export interface HashRunOptions {
  readonly record: ScanRecord
  /** Whether a file with the stamp of its last reading keeps the hash of it. */
  readonly reuse: boolean
  /** Whether a model with a file that cannot be hashed is given up. */
  readonly stopAtFault: boolean
  readonly hashers: FileHashers
  readonly signal: AbortSignal
  /** Milliseconds of a clock that only goes forward. */
  readonly nowMs: () => number
  readonly onProgress: (progress: HashProgress) => void
  /** Called when all files of a model are done, with what came of each by its real path. */
  readonly onModel: (model: number, outcomes: ReadonlyMap<string, FileOutcome>) => Promise<void>
}

const PROGRESS_EVERY_MS = 200
/** What was read since is lost when the machine stops. */
const SAVE_EVERY_MS = 2000

/**
 * Hashes the files of `models`, some at a time whatever model they are of, each file once. What was hashed is
 * remembered as it comes, so that a run that was stopped goes on with the next file; one half read starts again. Resolves when all is done or
 * cancelled.
 */
export async function hashModels(
  models: readonly (readonly HashJob[])[],
  options: HashRunOptions,
): Promise<void> {
  const run = new HashRun(models, options)
  await run.all()
}

class HashRun {
  readonly #models: readonly (readonly HashJob[])[]
  readonly #options: HashRunOptions
  /** Each file once, in the order of the models. */
  readonly #jobs: ReadonlyMap<string, HashJob>
  readonly #users = new Map<string, number[]>()
  readonly #outcomes = new Map<string, FileOutcome>()
  /** Bytes done of each file. */
  readonly #done = new Map<string, bigint>()
  readonly #left: number[]
  readonly #faulty = new Set<number>()
  #meter: ReturnType<typeof startMeter>
  #toldAt = -Infinity
  #savedAt: number
  /** Bytes that were read, and not known from before. */
  #read = 0n

  constructor(models: readonly (readonly HashJob[])[], options: HashRunOptions) {
    this.#models = models
    this.#options = options
    const jobs = new Map<string, HashJob>()
    models.forEach((files, model) => {
      for (const job of files) {
        if (!jobs.has(job.real)) jobs.set(job.real, job)
        const users = this.#users.get(job.real) ?? []
        if (!users.includes(model)) this.#users.set(job.real, [...users, model])
      }
    })
    this.#jobs = jobs
    this.#left = models.map((files) => new Set(files.map(({ real }) => real)).size)
    this.#savedAt = options.nowMs()
    this.#meter = startMeter(this.#toRead(), options.nowMs())
  }

  async all(): Promise<void> {
    this.#tell(true)
    await mapBounded([...this.#jobs.values()], this.#options.hashers.atATime, (job) => this.#one(job))
    this.#tell(true)
  }

  async #one(job: HashJob): Promise<void> {
    const { record, nowMs } = this.#options
    const users = this.#users.get(job.real) ?? []
    const outcome = await this.#outcomeOf(job, users)
    this.#outcomes.set(job.real, outcome)
    if (outcome.kind === 'hashed') {
      record.rememberHash(job.real, outcome.stamp, outcome.blake3)
      if (nowMs() - this.#savedAt > SAVE_EVERY_MS) {
        this.#savedAt = nowMs()
        await record.save()
      }
    } else if (this.#options.stopAtFault) {
      for (const model of users) this.#faulty.add(model)
    }
    for (const model of users) {
      const left = (this.#left[model] ?? 0) - 1
      this.#left[model] = left
      if (left === 0) await this.#options.onModel(model, this.#outcomes)
    }
    this.#tell(false)
  }

  async #outcomeOf(job: HashJob, users: readonly number[]): Promise<FileOutcome> {
    const { signal, hashers } = this.#options
    if (signal.aborted) return { kind: 'cancelled' }
    if (users.every((model) => this.#faulty.has(model))) return { kind: 'skipped' }
    const known = this.#knownHash(job)
    if (known !== null && job.expected !== null) {
      this.#done.set(job.real, job.size)
      return { kind: 'hashed', blake3: known, stamp: job.expected }
    }
    const onBytes = (bytes: number): void => {
      this.#done.set(job.real, (this.#done.get(job.real) ?? 0n) + BigInt(bytes))
      this.#read += BigInt(bytes)
      this.#tell(false)
    }
    return hashers.hash(job.real, { signal, onBytes, expected: job.expected })
  }

  #knownHash({ real, expected }: HashJob): string | null {
    return this.#options.reuse && expected !== null ? this.#options.record.hashOf(real, expected) : null
  }

  /** The bytes that must be read in all, less those of files that turned out not to be. */
  #toRead(): bigint {
    let bytes = this.#read
    for (const job of this.#jobs.values()) {
      if (this.#outcomes.has(job.real) || this.#knownHash(job) !== null) continue
      const left = job.size - (this.#done.get(job.real) ?? 0n)
      if (left > 0n) bytes += left
    }
    return bytes
  }

  #tell(always: boolean): void {
    const now = this.#options.nowMs()
    if (!always && now - this.#toldAt < PROGRESS_EVERY_MS) return
    this.#toldAt = now
    this.#meter = stepMeter(this.#meter, now, this.#read, this.#toRead())
    this.#options.onProgress({
      whole: readMeter(this.#meter),
      models: this.#models.map((files, model) => ({
        doneBytes: files.reduce((sum, { real }) => sum + (this.#done.get(real) ?? 0n), 0n),
        totalBytes: files.reduce((sum, { size }) => sum + size, 0n),
        finished: this.#left[model] === 0,
      })),
    })
  }
}
