import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  durationText,
  progressText,
  readMeter,
  startMeter,
  stepMeter,
} from '../../../../shared/scan/progress.ts'

describe('the progress of a scan', () => {
  test('reports bytes, rate and time left', () => {
    const meter = stepMeter(startMeter(10_000_000_000n, 0), 2000, 4_000_000_000n)
    expect(readMeter(meter)).toEqual({
      doneBytes: 4_000_000_000n,
      totalBytes: 10_000_000_000n,
      rate: 2_000_000_000,
      secondsLeft: 3,
    })
    expect(progressText(readMeter(meter))).toBe('4.0 GB of 10.0 GB, 2.0 GB/s, 3 s left')
  })

  test('knows no rate at the start and none while nothing moves', () => {
    expect(readMeter(startMeter(10n, 0))).toMatchObject({ rate: null, secondsLeft: null })
    expect(readMeter(stepMeter(startMeter(10n, 0), 1000, 0n))).toMatchObject({ rate: 0, secondsLeft: null })
  })

  test('takes the rate over the last ten seconds, not over all', () => {
    let meter = startMeter(1_000_000n, 0)
    for (let second = 1; second <= 60; second++) {
      meter = stepMeter(meter, second * 1000, BigInt(second <= 40 ? second * 10 : 400 + (second - 40) * 1000))
    }
    expect(readMeter(meter).rate).toBe(1000)
  })

  test('never keeps more samples than its window holds', () => {
    fc.assert(
      fc.property(fc.array(fc.integer({ min: 100, max: 30_000 }), { maxLength: 200 }), (waits) => {
        let meter = startMeter(1_000_000n, 0)
        let at = 0
        for (const wait of waits) {
          at += wait
          meter = stepMeter(meter, at, BigInt(at))
        }
        return meter.samples.length <= 103 && (readMeter(meter).rate ?? 1000) === 1000
      }),
    )
  })

  test('has nothing left when all is done', () => {
    expect(readMeter(stepMeter(startMeter(10n, 0), 5, 10n)).secondsLeft).toBe(0)
  })
})

test.each([
  [0, '0 s'],
  [59, '59 s'],
  [60, '1 min'],
  [200, '3 min 20 s'],
  [3600, '1 h'],
  [7500, '2 h 5 min'],
])('%i seconds are reported as %s', (seconds, text) => {
  expect(durationText(seconds)).toBe(text)
})
