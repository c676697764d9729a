import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareCodePoints, isHash, isToken } from '../../../shared/token.ts'

describe('compareCodePoints', () => {
  test('orders texts as the bytes of their UTF-8, whatever the texts', () => {
    const text = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.string({ unit: fc.constantFrom('a', '\uFB01', '\uE000', '\u{1F600}', '\u{10FFFF}') }),
    )
    fc.assert(
      fc.property(text, text, text, (start, a, b) => {
        const bytes = Buffer.compare(Buffer.from(start + a), Buffer.from(start + b))
        expect(Math.sign(compareCodePoints(start + a, start + b))).toBe(bytes)
      }),
      { numRuns: 1000 },
    )
  })
})

describe('isToken', () => {
  test.each(['a', '7', 'A.b_c+d:e-f', 'a'.repeat(64)])('takes %j', (text) => {
    expect(isToken(text, 64)).toBe(true)
  })

  test.each(['', '.a', '-a', '_a', ':a', '+a', 'a b', 'a/b', 'é', 'aé', 'a\n', '\na', 'a'.repeat(65)])(
    'refuses %j',
    (text) => {
      expect(isToken(text, 64)).toBe(false)
    },
  )
})

describe('isHash', () => {
  test('takes 64 lower-case hex digits and nothing else', () => {
    expect(isHash('0123456789abcdef'.repeat(4))).toBe(true)
    for (const text of [
      '',
      'a'.repeat(63),
      'a'.repeat(65),
      'A'.repeat(64),
      'g'.repeat(64),
      `${'a'.repeat(63)}\n`,
    ]) {
      expect(isHash(text)).toBe(false)
    }
  })
})
