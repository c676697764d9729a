import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { TextLines } from '../../../shared/text-lines.ts'

const text = fc
  .array(fc.constantFrom('a', 'bc', '\n', '\r\n', '\r', 'é', '\u{1F600}', '\uFEFF', '\t'), { maxLength: 12 })
  .map((pieces) => pieces.join(''))

describe('TextLines', () => {
  test('gives the same place whatever was asked for before', () => {
    fc.assert(
      fc.property(text, fc.array(fc.nat(30), { minLength: 1, maxLength: 10 }), (someText, offsets) => {
        const lines = new TextLines(someText)
        for (const offset of offsets) {
          expect(lines.placeAt(offset)).toEqual(new TextLines(someText).placeAt(offset))
        }
      }),
      { numRuns: 500 },
    )
  })

  test('counts lines at LF, CRLF and CR, and columns in code points', () => {
    const lines = new TextLines('ab\ncd\r\ne\r\u{1F600}x')
    const places = [0, 1, 3, 6, 7, 9, 11].map((offset) => {
      const { line, column } = lines.placeAt(offset)
      return `${line}:${column}`
    })
    expect(places).toEqual(['1:1', '1:2', '2:1', '2:4', '3:1', '4:1', '4:2'])
    expect([1, 2, 3, 4, 5].map((line) => lines.line(line))).toEqual(['ab', 'cd', 'e', '\u{1F600}x', ''])
  })

  test('gives a leading byte order mark no column', () => {
    const lines = new TextLines('\uFEFFab\n\uFEFFc')
    expect([1, 2].map((offset) => lines.placeAt(offset).column)).toEqual([1, 2])
    expect(lines.placeAt(5)).toEqual({ offset: 5, line: 2, column: 2 })
  })

  test('clamps offsets to the text', () => {
    const lines = new TextLines('ab')
    expect(lines.placeAt(-1).column).toBe(1)
    expect(lines.placeAt(99)).toEqual({ offset: 2, line: 1, column: 3 })
  })

  test('places many things in one line of megabytes quickly enough to be asked for each', () => {
    const lines = new TextLines('x'.repeat(8_000_000))
    for (let offset = 0; offset < 8_000_000; offset += 1000)
      expect(lines.placeAt(offset).column).toBe(offset + 1)
  })
})
