import { expect, test } from 'vitest'
import { formatDuration } from '../../../../shared/eligibility/describe.ts'

test.each([
  [0, '0 s'],
  [-5, '0 s'],
  [59.9, '59 s'],
  [60, '1 min'],
  [61, '1 min 1 s'],
  [3600, '1 h'],
  [3605, '1 h'],
  [90_061, '1 d 1 h'],
  [86_400 * 400, '400 d'],
])('%d seconds are said as %j', (seconds, text) => {
  expect(formatDuration(seconds)).toBe(text)
})
