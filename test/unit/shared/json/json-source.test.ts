import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { MAX_JSON_NESTING, readJsonSource } from '../../../../shared/json/json-source.ts'
import { briefs, valueOf } from '../../../support/problems.ts'

const read = (text: string, maxBytes = 1000): ReturnType<typeof readJsonSource> =>
  readJsonSource(text, 'f.json', maxBytes)

describe('readJsonSource', () => {
  test('gives the value JSON.parse gives, for any JSON', () => {
    fc.assert(
      fc.property(fc.json(), (text) => {
        expect(valueOf(read(text, 1e6)).value).toEqual(JSON.parse(text))
      }),
    )
  })

  test('refuses exactly the texts JSON.parse refuses, with a place, whatever the text', () => {
    const piece = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"a"',
      '"',
      '\\',
      '\\u12',
      '1',
      '-',
      '01',
      '1.',
      '.5',
      'e5',
    )
    const rest = fc.constantFrom(
      'true',
      'nul',
      ' ',
      '\n',
      '\t',
      '\u0001',
      '//',
      '/* x */',
      "'a'",
      'NaN',
      '\u00A0',
      '\u2028',
      'é',
    )
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, rest), { maxLength: 8 }), (pieces) => {
        const text = pieces.join('')
        const outcome = read(text)
        expect(outcome.ok).toBe(parses(text))
        if (!outcome.ok) expect(outcome.problems[0]?.range).not.toBeNull()
      }),
      { numRuns: 3000 },
    )
  })

  test.each([
    [
      '{"a": 1,}',
      '1:9 json-syntax a key in double quotes is expected here (JSON allows no comma after the last member)',
    ],
    ['[1, 2,]', '1:7 json-syntax a value is expected here (JSON allows no comma after the last item)'],
    ['{"a" 1}', '1:6 json-syntax a colon is expected here, between the key and its value'],
    ['{\n  "a": 1\n  "b": 2\n}', '3:3 json-syntax a comma is expected here, between two members or items'],
    [
      '{} {}',
      '1:4 json-syntax the value ended before this: a JSON file holds one value and nothing after it',
    ],
    ['[1, // one\n2]', '1:5 json-syntax comments are not JSON: remove this one'],
    ['  \n', '1:1 json-syntax the file is empty: a JSON value is expected'],
    [
      '["\u{1F600}", tru]',
      '1:7 json-syntax this is not JSON: only quoted text, numbers, true, false, null, lists and objects are',
    ],
  ])('reports where %j stops being JSON and what is expected', (text, problem) => {
    expect(briefs(read(text))[0]).toBe(problem)
  })

  test('reports only the first of several syntax errors', () => {
    expect(read('{"a": , "b": ]}').problems).toHaveLength(1)
  })

  test('reads a text behind a byte order mark and places its parts in the whole text', () => {
    const source = valueOf(read('\uFEFF{"a": 5}'))
    expect(source.spanOf(['a'])).toEqual({ start: 7, end: 8 })
    expect(briefs(read('\uFEFF{"a"}'))[0]).toMatch(/^1:5 /)
  })

  test('counts its limit in bytes of UTF-8', () => {
    expect(read('"ééé"', 8).ok).toBe(true)
    expect(briefs(read('"ééé"', 7))).toEqual([
      '- json-too-large the file is larger than 7 bytes, the most that is read',
    ])
  })

  test('reads the deepest nesting allowed and refuses one level more, at the bracket, without overflowing', () => {
    const nested = (levels: number): string => '['.repeat(levels) + ']'.repeat(levels)
    expect(read(nested(MAX_JSON_NESTING)).ok).toBe(true)
    expect(briefs(read(nested(MAX_JSON_NESTING + 1)))).toEqual([
      '1:129 json-too-deep values are nested more than 128 levels deep',
    ])
    expect(read(JSON.stringify('[{"\\'.repeat(500)), 1e6).ok).toBe(true)
  })

  test.each([
    '[',
    '{',
    '{"a":',
    '[},',
    '{],',
    '[:{},',
    '{"a":[},',
    '[{],[},',
    '{"a"[}',
    '[,]{',
    '"\n[',
    '/*"*/[',
    '"\\[',
    "'\"'[",
  ])('is not overflowed by any number of %j, whole or in pieces', (piece) => {
    for (const before of ['', '"', '[', '}'.repeat(200), ']'.repeat(200)]) {
      expect(read(before + piece.repeat(300_000), 1e8).ok).toBe(false)
    }
  })

  test('lists repeated keys with their path, the later one marked', () => {
    const text = '{"a": [{"b": 1, "c": {"b": 2}, "b": 3}], "a": 0}'
    const { repeatedKeys } = valueOf(read(text))
    expect(repeatedKeys.map(({ path, span }) => [path, text.slice(0, span.start).length])).toEqual([
      [['a', 0, 'b'], 31],
      [['a'], 41],
    ])
  })

  test('takes keys that are equal only once unescaped for repeated', () => {
    expect(valueOf(read('{"a": 1, "\\u0061": 2}')).repeatedKeys).toHaveLength(1)
    expect(valueOf(read('{"__proto__": 1, "constructor": 2}')).repeatedKeys).toEqual([])
  })

  test('places values, keys, and for what is missing the start of what is around it', () => {
    const text = '{"a": {"b": [1, {"c": "x"}]}}'
    const source = valueOf(read(text))
    const marked = ({ start, end }: { start: number; end: number }): string => text.slice(start, end)
    expect(marked(source.spanOf(['a', 'b', 1, 'c']))).toBe('"x"')
    expect(marked(source.keySpanOf(['a', 'b', 1, 'c']))).toBe('"c"')
    expect(marked(source.keySpanOf(['a', 'b', 0]))).toBe('1')
    expect(source.spanOf(['a', 'b', 1, 'd'])).toEqual({ start: 16, end: 17 })
    expect(source.spanOf(['a', 'x', 'y'])).toEqual({ start: 6, end: 7 })
    expect(marked(source.spanOf([]))).toBe(text)
  })

  test('knows which integers are written as integers', () => {
    const source = valueOf(read('[1, 1.0, 1e3, -0, 0, -5, 10E0, 1.5]'))
    const written = [0, 1, 2, 3, 4, 5, 6, 7].map((i) => source.isWrittenAsInteger([i]))
    expect(written).toEqual([true, false, false, false, true, true, false, false])
  })
})

function parses(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
