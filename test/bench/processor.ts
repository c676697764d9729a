import type { BrowserContext, Page } from '@playwright/test'
import { median } from './measure.ts'

const TURNS = 2_000_000
const ROUNDS = 5

/**
 * Milliseconds that a fixed loop takes this processor now, the median of five: what tells a slower machine, or one with
 * other work, from a slower program.
 */
export function processorMs(): number {
  const rounds = Array.from({ length: ROUNDS }, () => {
    const start = performance.now()
    let mixed = 1
    for (let i = 0; i < TURNS; i++) mixed = Math.imul(mixed ^ i, 0x01000193)
    // The result is used, so that the loop is not left out.
    return mixed === 0 ? Infinity : performance.now() - start
  })
  return median(rounds)
}

/** A new page whose processor Chromium makes `throttle` times slower. */
export async function throttledPage(context: BrowserContext, throttle: number): Promise<Page> {
  const page = await context.newPage()
  if (throttle > 1) {
    const session = await context.newCDPSession(page)
    await session.send('Emulation.setCPUThrottlingRate', { rate: throttle })
  }
  return page
}
