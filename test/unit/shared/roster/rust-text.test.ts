import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  asciiLowercase,
  debugQuoted,
  firstWord,
  trimWhiteSpace,
} from '../../../../shared/roster/rust-text.ts'

describe('debugQuoted', () => {
  test.each([
    ['plain é 😀', '"plain é 😀"'],
    ['a"b\\c', '"a\\"b\\\\c"'],
    ["it's", '"it\'s"'],
    ['\0\t\n\r\u001b\u007f', '"\\0\\t\\n\\r\\u{1b}\\u{7f}"'],
    ['\u00a0\u2003\u2028\u3000', '"\\u{a0}\\u{2003}\\u{2028}\\u{3000}"'],
    ['\u00ad\u200b\ufeff', '"\\u{ad}\\u{200b}\\u{feff}"'],
    ['e\u0301 \u{1f3fb}', '"e\\u{301} \u{1f3fb}"'],
    ['\ue000\uffff\u{10ffff}', '"\\u{e000}\\u{ffff}\\u{10ffff}"'],
  ])('prints %j as Rust does', (text, expected) => {
    expect(debugQuoted(text)).toBe(expected)
  })
})

describe('white space of Rust', () => {
  test('takes U+0085 for a space, and U+FEFF, U+180E and U+200B for none', () => {
    expect(trimWhiteSpace('\u0085 \u20035\u3000')).toBe('5')
    for (const text of ['\ufeff5', '5\u180e', '\u200b5']) expect(trimWhiteSpace(text)).toBe(text)
    expect(firstWord('\u0085\u2028a\ufeffb c')).toBe('a\ufeffb')
    expect(firstWord(' \u00a0')).toBeNull()
  })

  test('trims as a look-around over the same class does', () => {
    const unit = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 1 }),
      fc.constantFrom(' ', '\u0085', '\ufeff', '\u2029'),
    )
    fc.assert(
      fc.property(
        fc.array(unit).map((units) => units.join('')),
        (text) => {
          expect(trimWhiteSpace(text)).toBe(
            text.replace(/^\p{White_Space}+/u, '').replace(/\p{White_Space}+$/u, ''),
          )
        },
      ),
    )
  })

  test('trims long inner white space in a time that grows with the text', () => {
    const inner = ' '.repeat(500_000)
    expect(trimWhiteSpace(` x${inner}x `)).toBe(`x${inner}x`)
  })
})

describe('asciiLowercase', () => {
  test('changes A to Z only', () => {
    expect(asciiLowercase('OLLAMA \u0130\u212a\u00c9')).toBe('ollama \u0130\u212a\u00c9')
  })
})
