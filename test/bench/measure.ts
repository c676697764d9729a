/** Something measured against something that does the same in a plain way, in the same run. */
export interface BenchCase {
  readonly name: string
  readonly run: () => void
  readonly baseline: () => void
  /** What the baseline is, for a person. */
  readonly against: string
}

export interface BenchResult {
  readonly name: string
  /** Median of one run, in milliseconds. */
  readonly ms: number
  readonly baseline_ms: number
  /** `ms / baseline_ms`: what is compared, since it holds where the machine's speed does not. */
  readonly ratio: number
}

const ROUNDS = 9
const WARM_UP_ROUNDS = 3
/** Each side is repeated until a round takes about this long, so that the clock's grain does not matter. */
const ROUND_MS = 60

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[sorted.length >> 1] ?? 0
}

function timed(work: () => void, times: number): number {
  const start = performance.now()
  for (let i = 0; i < times; i++) work()
  return (performance.now() - start) / times
}

function repetitions(work: () => void): number {
  work()
  const once = timed(work, 1)
  return Math.max(1, Math.min(10_000, Math.round(ROUND_MS / Math.max(once, 0.001))))
}

export function resultOf(name: string, ms: number, baselineMs: number): BenchResult {
  return { name, ms, baseline_ms: baselineMs, ratio: ms / baselineMs }
}

/** Runs both sides in turn, A B A B, and takes the medians: drift of the machine hits both alike. */
export function measure({ name, run, baseline }: BenchCase): BenchResult {
  const times = repetitions(run)
  const baselineTimes = repetitions(baseline)
  const own: number[] = []
  const plain: number[] = []
  for (let round = -WARM_UP_ROUNDS; round < ROUNDS; round++) {
    const a = timed(run, times)
    const b = timed(baseline, baselineTimes)
    if (round < 0) continue
    own.push(a)
    plain.push(b)
  }
  return resultOf(name, median(own), median(plain))
}
