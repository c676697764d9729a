import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { displayWidth, hang, pad, printable, truncate, wrap } from '../../../../electron/terminal/width.ts'

describe('displayWidth', () => {
  test.each([
    ['plain', 5],
    ['モデル', 6],
    ['한국', 4],
    ['ﾓﾃﾞﾙ', 4],
    ['e\u0301', 1],
    ['👩‍💻', 2],
    ['❤️', 2],
    ['→…', 2],
    ['', 0],
  ])('%j takes %i cells', (text, cells) => {
    expect(displayWidth(text)).toBe(cells)
  })
})

describe('printable', () => {
  test('writes out controls, separators and direction marks, and nothing else', () => {
    expect(printable('a\u001b[31m\n\u009b\u202e\u2028b')).toBe('a\\u{1b}[31m\\u{a}\\u{9b}\\u{202e}\\u{2028}b')
    expect(printable('Zürich モデル 👩‍💻')).toBe('Zürich モデル 👩‍💻')
  })

  test('leaves nothing that a terminal acts on, whatever the text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        expect(printable(text)).not.toMatch(/[\p{Cc}\p{Zl}\p{Zp}]/u)
      }),
    )
  })
})

describe('truncate and pad', () => {
  test('cuts to the width with an ellipsis, never through a wide character', () => {
    expect(truncate('mac-studio', 10)).toBe('mac-studio')
    expect(truncate('mac-studio', 6)).toBe('mac-s…')
    expect(truncate('モデル', 4)).toBe('モ…')
    expect(truncate('abc', 0)).toBe('')
  })

  test('the result never takes more cells than asked for', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }).map(printable), fc.nat(30), (text, width) => {
        expect(displayWidth(truncate(text, width))).toBeLessThanOrEqual(width)
      }),
    )
  })

  test('pads by cells on either side', () => {
    expect(pad('モ', 4)).toBe('モ  ')
    expect(pad('7', 3, 'right')).toBe('  7')
  })
})

describe('wrap and hang', () => {
  test('breaks at blanks and loses no word', () => {
    expect(wrap('one two three', 7)).toEqual(['one two', 'three'])
    expect(wrap('unbreakable-word', 5)).toEqual(['unbreakable-word'])
    fc.assert(
      fc.property(fc.array(fc.stringMatching(/^[a-z]{1,9}$/), { minLength: 1 }), (words) => {
        const lines = wrap(words.join(' '), 20)
        expect(lines.join(' ')).toBe(words.join(' '))
        expect(lines.every((line) => line.length <= 20)).toBe(true)
      }),
    )
  })

  test('hangs further lines below the first word', () => {
    expect(hang('  label  ', 'one two three four five six', 29)).toEqual([
      '  label  one two three four',
      '         five six',
    ])
  })
})
