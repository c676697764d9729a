import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { jsonText, type JsonInput } from '../../../../shared/json/json-text.ts'

/** Narrows what fast-check made to what jsonText takes; both are JSON values. */
function isJsonInput(value: unknown): value is JsonInput {
  return value !== undefined
}

describe('jsonText', () => {
  test('formats every JSON value as JSON.stringify does, at any indent', () => {
    fc.assert(
      fc.property(fc.jsonValue(), fc.nat({ max: 10 }), (value, indent) => {
        if (!isJsonInput(value)) return
        expect(jsonText(value, indent)).toBe(JSON.stringify(value, null, indent))
      }),
    )
  })

  test('writes bigint as a JSON integer with all its digits', () => {
    const bytes = 2n ** 64n - 1n
    expect(jsonText({ bytes, negative: -1n, list: [0n] })).toBe(
      '{"bytes":18446744073709551615,"negative":-1,"list":[0]}',
    )
  })

  test('leaves out undefined members and keeps the order of the others', () => {
    expect(jsonText({ b: 1, gone: undefined, a: null }, 2)).toBe('{\n  "b": 1,\n  "a": null\n}')
    expect(jsonText({ gone: undefined }, 2)).toBe('{}')
  })

  test('writes numbers that JSON cannot say as null, as JSON.stringify does', () => {
    expect(jsonText([Number.NaN, Number.POSITIVE_INFINITY, -0])).toBe('[null,null,0]')
  })
})
