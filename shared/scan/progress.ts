import { formatBytes } from '../bytes.ts'

/**
 * How far reading has come, in bytes; `rate` is bytes a second over the last seconds, null before it is
 * known.
 */
export interface ScanProgress {
  readonly doneBytes: bigint
  readonly totalBytes: bigint
  readonly rate: number | null
  /** Seconds that are left at this rate; null when that cannot be said. */
  readonly secondsLeft: number | null
}

/**
 * The stretch of time that a rate is taken over, in milliseconds: long enough to be steady, short enough to
 * be true.
 */
const WINDOW_MS = 10_000

interface Sample {
  readonly atMs: number
  readonly doneBytes: bigint
}

/** What has been read of what is to be read, sampled over time. A value: each step gives a new one. */
export interface ProgressMeter {
  readonly totalBytes: bigint
  readonly doneBytes: bigint
  /** Oldest first; the oldest one is the last from before the window, so that the window is always full. */
  readonly samples: readonly Sample[]
}

/** A meter at the start, at `atMs` of any steady clock. */
export function startMeter(totalBytes: bigint, atMs: number): ProgressMeter {
  return { totalBytes, doneBytes: 0n, samples: [{ atMs, doneBytes: 0n }] }
}

/**
 * `meter` after it was found at `atMs` that `doneBytes` are done; the total may turn out otherwise meanwhile.
 */
export function stepMeter(
  meter: ProgressMeter,
  atMs: number,
  doneBytes: bigint,
  totalBytes = meter.totalBytes,
): ProgressMeter {
  const samples = [...meter.samples, { atMs, doneBytes }]
  const firstInside = samples.findIndex((sample) => atMs - sample.atMs <= WINDOW_MS)
  return { totalBytes, doneBytes, samples: samples.slice(Math.max(0, firstInside - 1)) }
}

/** What `meter` says now. */
export function readMeter({ totalBytes, doneBytes, samples }: ProgressMeter): ScanProgress {
  const first = samples[0]
  const last = samples.at(-1)
  const rate = first && last && last.atMs > first.atMs ? rateOf(first, last) : null
  return { doneBytes, totalBytes, rate, secondsLeft: secondsLeft(totalBytes - doneBytes, rate) }
}

function rateOf(first: Sample, last: Sample): number {
  return (Number(last.doneBytes - first.doneBytes) * 1000) / (last.atMs - first.atMs)
}

function secondsLeft(leftBytes: bigint, rate: number | null): number | null {
  if (leftBytes <= 0n) return 0
  return rate === null || rate <= 0 ? null : Math.ceil(Number(leftBytes) / rate)
}

/** `12.3 GB of 55.0 GB, 2.1 GB/s, 21 s left`. */
export function progressText({ doneBytes, totalBytes, rate, secondsLeft: left }: ScanProgress): string {
  return [
    `${formatBytes(doneBytes)} of ${formatBytes(totalBytes)}`,
    ...(rate === null ? [] : [`${formatBytes(BigInt(Math.round(rate)))}/s`]),
    ...(left === null ? [] : [`${durationText(left)} left`]),
  ].join(', ')
}

/** Seconds for a person: `45 s`, `3 min 20 s`, `2 h 5 min`. */
export function durationText(seconds: number): string {
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return seconds % 60 === 0 ? `${minutes} min` : `${minutes} min ${seconds % 60} s`
  return minutes % 60 === 0 ? `${minutes / 60} h` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
