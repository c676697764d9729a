import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { exceedsUtf8, utf8Length } from '../../../shared/utf8.ts'

describe('utf8Length', () => {
  test('counts the bytes an encoder makes, for any text, lone surrogates included', () => {
    fc.assert(
      fc.property(
        fc.string({ unit: 'binary' }),
        fc.constantFrom('', '\uD83D', '\uDE00', '\uDE00\uD83D'),
        (text, odd) => {
          expect(utf8Length(text + odd + text)).toBe(Buffer.byteLength(text + odd + text))
        },
      ),
    )
  })
})

describe('exceedsUtf8', () => {
  test('draws the line exactly at the limit', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), fc.nat(12), (text, around) => {
        const bytes = Buffer.byteLength(text)
        const limit = Math.max(0, bytes - 6 + around)
        expect(exceedsUtf8(text, limit)).toBe(bytes > limit)
      }),
    )
  })
})
