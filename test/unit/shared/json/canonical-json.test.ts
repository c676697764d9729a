import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { canonicalJson, MAX_CANONICAL_NESTING } from '../../../../shared/json/canonical-json.ts'

const text = fc.string({ unit: 'binary' })
const { value: json } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.constant(null),
    fc.boolean(),
    fc.maxSafeInteger().map((n) => n + 0),
    text,
    fc.array(tie('value'), { maxLength: 5 }),
    fc.dictionary(text, tie('value'), { maxKeys: 5 }),
  ),
}))

function canonical(value: unknown): string {
  const outcome = canonicalJson(value)
  if (!outcome.ok) throw new Error(outcome.reason)
  return outcome.text
}

/** `value` with the members of every object in the opposite order. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([key, inner]) => [key, reversed(inner)]),
  )
}

describe('canonicalJson', () => {
  test('reads back as the value it was made of', () => {
    fc.assert(
      fc.property(json, (value) => {
        expect(JSON.parse(canonical(value))).toEqual(value)
      }),
    )
  })

  test('is one text whatever the order of keys, and is its own canonical form', () => {
    fc.assert(
      fc.property(json, (value) => {
        const once = canonical(value)
        expect(canonical(reversed(value))).toBe(once)
        expect(canonical(JSON.parse(once))).toBe(once)
      }),
    )
  })

  test('sorts keys by code point, which is the order of their UTF-8 bytes', () => {
    fc.assert(
      fc.property(fc.uniqueArray(text, { maxLength: 8 }), (keys) => {
        const object = Object.fromEntries(keys.map((key) => [key, 0]))
        const bytes = [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        expect(canonical(object)).toBe(`{${bytes.map((key) => `${JSON.stringify(key)}:0`).join(',')}}`)
      }),
    )
    expect(canonical({ '\u{1F600}': 1, '\uFB01': 2, a: 3, A: 4 })).toBe(
      '{"A":4,"a":3,"\uFB01":2,"\u{1F600}":1}',
    )
  })

  test('puts keys that look like numbers in text order too', () => {
    expect(canonical({ 10: 'a', 9: 'b', 1: 'c' })).toBe('{"1":"c","10":"a","9":"b"}')
  })

  test('writes no spaces, leaves non-ASCII as it is and escapes what JSON must', () => {
    expect(canonical({ b: ['ä', '\u2028', '\u001f\n"\\'], a: null })).toBe(
      '{"a":null,"b":["ä","\u2028","\\u001f\\n\\"\\\\"]}',
    )
  })

  test('keeps a key named __proto__', () => {
    expect(canonical(JSON.parse('{"b": 1, "__proto__": {"x": 2}}'))).toBe('{"__proto__":{"x":2},"b":1}')
  })

  test.each([
    [2 ** 53 - 1, '9007199254740991'],
    [-(2 ** 53 - 1), '-9007199254740991'],
    [0, '0'],
  ])('writes the integer %d', (value, expected) => {
    expect(canonical(value)).toBe(expected)
  })

  test.each([2 ** 53, -(2 ** 53), 0.5, -0, NaN, Infinity, 1e300])(
    'refuses the number %d and says where it is',
    (value) => {
      expect(canonicalJson({ a: [1, { b: value }] })).toEqual({
        ok: false,
        path: ['a', 1, 'b'],
        reason: 'must be an integer between -(2^53-1) and 2^53-1',
      })
    },
  )

  test.each([['\uD83D'], ['a\uDE00']])('refuses half a character (%j) in a text and in a key', (half) => {
    expect(canonicalJson([half])).toMatchObject({ ok: false, path: [0] })
    expect(canonicalJson({ x: { [half]: 1 } })).toMatchObject({ ok: false, path: ['x', half] })
  })

  test('refuses what JSON has no value for', () => {
    for (const value of [undefined, 5n, () => 0, Symbol('s')]) {
      expect(canonicalJson({ a: value })).toEqual({ ok: false, path: ['a'], reason: 'is not a JSON value' })
    }
  })

  test('takes 32 levels and refuses the 33rd', () => {
    const nested = (levels: number): unknown =>
      Array.from({ length: levels }).reduce<unknown>(
        (inner, _, i) => (i % 2 === 0 ? [inner] : { a: inner }),
        5,
      )
    expect(canonicalJson(nested(MAX_CANONICAL_NESTING)).ok).toBe(true)
    expect(canonicalJson(nested(MAX_CANONICAL_NESTING + 1))).toMatchObject({
      ok: false,
      reason: 'is nested more than 32 levels deep',
    })
  })
})
