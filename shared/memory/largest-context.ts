import { CELL_STEP } from './cells.ts'
import { memoryNeed } from './memory-need.ts'
import type { MemorySetting } from './setting.ts'
import { MAX_COUNT, type ModelShape } from './shape.ts'

/** The largest context for which a model fits. */
export type LargestContext =
  | {
      readonly kind: 'fits'
      /** Tokens: whole steps of cells, or what the model was trained for. */
      readonly context: number
      /** What it then takes where it runs, in bytes. */
      readonly bytes: bigint
      /** What ends it: there is no more room, or the model was not trained for more. */
      readonly limit: 'memory' | 'trained'
    }
  /** Not even the smallest context fits; `bytes` is what that would take. */
  | { readonly kind: 'none'; readonly bytes: bigint }
  | { readonly kind: 'unknown' }

/**
 * The largest context for which `shape` takes at most `room` bytes under `setting` (whose own context does not count),
 * never more than the model was trained for.
 */
export function largestContext(shape: ModelShape, setting: MemorySetting, room: bigint): LargestContext {
  const bytesAt = (context: number): bigint => memoryNeed(shape, { ...setting, context }).runBytes
  if (memoryNeed(shape, setting).missing.length > 0) return { kind: 'unknown' }
  const trained = shape.trainedContext ?? MAX_COUNT
  const whole = bytesAt(trained)
  if (whole <= room) return { kind: 'fits', context: trained, bytes: whole, limit: 'trained' }
  const least = Math.min(CELL_STEP, trained)
  if (bytesAt(least) > room) return { kind: 'none', bytes: bytesAt(least) }
  // Memory never shrinks with the context, so that halving finds the last step that fits.
  let fits = 1
  let tooMany = Math.ceil(trained / CELL_STEP)
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    if (bytesAt(middle * CELL_STEP) <= room) fits = middle
    else tooMany = middle
  }
  const context = Math.min(fits * CELL_STEP, trained)
  return { kind: 'fits', context, bytes: bytesAt(context), limit: 'memory' }
}
