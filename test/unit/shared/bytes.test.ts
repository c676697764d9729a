import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatBytes, formatBytesApart, GB } from '../../../shared/bytes.ts'

test.each([
  [0n, '0 B'],
  [999n, '999 B'],
  [1_000n, '1.0 kB'],
  [999_960_000n, '1.0 GB'],
  [55n * GB, '55.0 GB'],
  [2n ** 64n - 1n, '18.4 EB'],
])('%d bytes are %j', (bytes, text) => {
  expect(formatBytes(bytes)).toBe(text)
})

test.each([
  ['as rounded as may be', 2n * GB, GB, ['2.0 GB', '1.0 GB']],
  ['with the decimals it takes to differ', 4_300_009_904n, 4_294_967_296n, ['4.30 GB', '4.29 GB']],
  ['in one unit', 1_200n * GB, 900n * GB, ['1.2 TB', '0.9 TB']],
  ['each in its own unit where one would be lost', 55n * GB, 12_000n, ['55.0 GB', '12.0 kB']],
  ['to the byte', GB + 1n, GB, ['1,000,000,001 bytes', '1,000,000,000 bytes']],
] as const)('two byte counts are distinguished: %s', (_name, a, b, texts) => {
  expect(formatBytesApart(a, b)).toEqual(texts)
})

test('two different byte counts never look the same', () => {
  const bytes = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n })
  fc.assert(
    fc.property(bytes, bytes, fc.bigInt({ min: 0n, max: 9n }), (a, b, apart) => {
      for (const [x, y] of [
        [a, b],
        [a, a + apart],
      ] as const) {
        const [one, other] = formatBytesApart(x, y)
        expect(one === other).toBe(x === y)
      }
    }),
  )
})
