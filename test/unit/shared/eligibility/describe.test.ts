import { expect, test } from 'vitest'
import { GB } from '../../../../shared/bytes.ts'
import { describeShortfall, formatDuration } from '../../../../shared/eligibility/describe.ts'

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

test('two byte counts are told apart: rounded where that does it, else exactly', () => {
  expect(describeShortfall(2n * GB, GB)).toEqual(['2.0 GB', '1.0 GB'])
  expect(describeShortfall(GB + 1n, GB)).toEqual(['1,000,000,001 bytes', '1,000,000,000 bytes'])
})
