import fc from 'fast-check'
import { expect, test } from 'vitest'
import { contextSteps } from '../../../../shared/memory/context-steps.ts'

test('offers powers of two and what lies between, up to what the model was trained for', () => {
  expect(contextSteps(40_960, 32_768)).toEqual([
    512, 1024, 2048, 4096, 6144, 8192, 12_288, 16_384, 24_576, 32_768, 40_960,
  ])
  expect(contextSteps(256, 256)).toEqual([256])
  expect(contextSteps(null, 4096).at(-1)).toBe(1_048_576)
})

test('always rises, has the present context, and ends at what is larger of that and the trained one', () => {
  const count = fc.integer({ min: 1, max: 2 ** 31 })
  fc.assert(
    fc.property(fc.option(count), count, (trained, current) => {
      const steps = contextSteps(trained, current)
      expect(steps).toContain(current)
      expect(steps.every((step, i) => i === 0 || step > (steps[i - 1] ?? 0))).toBe(true)
      expect(steps.at(-1)).toBe(Math.max(trained ?? 1_048_576, current))
    }),
  )
})
