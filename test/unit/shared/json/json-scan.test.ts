import fc from 'fast-check'
import { visit } from 'jsonc-parser'
import { describe, expect, test } from 'vitest'
import { countMembers, isFloatLexeme, scanJson } from '../../../../shared/json/json-scan.ts'

const NUMBERS = [
  '0',
  '-0',
  '1',
  '-7',
  '1.0',
  '1e3',
  '0.5',
  '-0.0',
  '25E-1',
  '9007199254740993',
  '1e400',
] as const

/** JSON as people and programs write it: spaces, escapes and quotes in texts, every form of number. */
const json: fc.Arbitrary<string> = fc.letrec<{ value: string }>((tie) => {
  const text = fc
    .string({ unit: fc.constantFrom('a', '"', '\\', ':', '{', ']', '1', 'é', '\u2028') })
    .map((one) => JSON.stringify(one))
  const space = fc.constantFrom('', ' ', '\n\t')
  const members = fc.array(fc.tuple(text, space, tie('value')), { maxLength: 4 })
  return {
    value: fc.oneof(
      { maxDepth: 4 },
      fc.constantFrom<string>(...NUMBERS, 'true', 'null'),
      text,
      fc.array(tie('value'), { maxLength: 4 }).map((items) => `[${items.join(' ,')}]`),
      members.map((list) => `{${list.map(([key, gap, value]) => `${key}${gap}:${gap}${value}`).join(',')}}`),
    ),
  }
}).value

describe('scanJson', () => {
  test("finds in any JSON what a parser's tokens say", () => {
    fc.assert(
      fc.property(json, (text) => {
        let depth = 0
        let deepest = 0
        let members = 0
        let hasIntegralFloats = false
        const open = (): void => {
          deepest = Math.max(deepest, ++depth)
        }
        const close = (): void => {
          depth--
        }
        visit(text, {
          onObjectBegin: open,
          onArrayBegin: open,
          onObjectEnd: close,
          onArrayEnd: close,
          onObjectProperty: () => {
            members++
          },
          onLiteralValue: (value: unknown, offset, length) => {
            const lexeme = text.slice(offset, offset + length)
            hasIntegralFloats ||= Number.isInteger(value) && isFloatLexeme(lexeme)
          },
        })
        expect(scanJson(text)).toEqual({ depth: deepest, members, hasIntegralFloats })
      }),
      { numRuns: 2000 },
    )
  })

  test('ends on any text at all', () => {
    fc.assert(
      fc.property(fc.string({ unit: fc.constantFrom('"', '\\', '-', '1', '.', '{', ']', ' ') }), (text) => {
        expect(scanJson(text).depth).toBeLessThanOrEqual(text.length)
      }),
    )
  })
})

describe('countMembers', () => {
  test('counts the members of every object, wherever it is', () => {
    expect(countMembers(JSON.parse('{"a": [{"b": 1, "__proto__": {"c": null}}], "d": "x"}'))).toBe(5)
    expect([countMembers(null), countMembers('a'), countMembers([])]).toEqual([0, 0, 0])
  })

  test('differs from the members of the text exactly when a key is repeated', () => {
    const members = (text: string): readonly number[] => [
      scanJson(text).members,
      countMembers(JSON.parse(text)),
    ]
    expect(members('{"a": 1, "b": {"a": 2}}')).toEqual([3, 3])
    expect(members('{"a": 1, "\\u0061": {"a": 2}}')).toEqual([3, 2])
  })
})
