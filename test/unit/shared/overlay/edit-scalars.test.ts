import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse } from 'yaml'
import { writeScalar } from '../../../../shared/overlay/edit-scalars.ts'

describe('writeScalar', () => {
  test('writes role names as they are', () => {
    for (const name of ['planner', 'role:coder-daily', 'Qwen3_8B+v1.5', '3d-view']) {
      expect(writeScalar(name, 'plain')).toBe(name)
    }
  })

  test('puts words in quotes that YAML reads as something else than a text', () => {
    for (const word of ['null', 'true', 'Off', 'y', '1', '0x1F', '1e3', '1:30', '2026-01-31', '']) {
      expect(writeScalar(word, 'plain')).toBe(`"${word}"`)
    }
  })

  test('puts texts in quotes that would not be one scalar, or not this one', () => {
    for (const text of [
      'a: b',
      'a:',
      '#x',
      'a #b',
      '- a',
      '[a]',
      'a, b',
      '*a',
      '&a',
      '!a',
      '%a',
      '@a',
      ' a',
      '<<',
      '~',
    ]) {
      expect(writeScalar(text, 'plain')).toBe(JSON.stringify(text))
    }
  })

  test('doubles the quotes within single quotes, and takes double quotes for what those cannot hold', () => {
    expect(writeScalar("it's", 'single')).toBe("'it''s'")
    expect(writeScalar('a\nb', 'single')).toBe('"a\\nb"')
    expect(writeScalar('\u0085\uFEFF', 'double')).toBe('"\\u0085\\ufeff"')
  })

  test('writes every text so that it reads back as written, in a list and as a key', () => {
    const text = fc.oneof(fc.string({ unit: 'binary' }), fc.stringMatching(/^[\w:.+ #'"-]{0,8}$/))
    fc.assert(
      fc.property(text, fc.constantFrom('plain', 'single', 'double'), (value, quoting) => {
        const written = writeScalar(value, quoting)
        for (const version of ['1.1', '1.2'] as const) {
          expect(parse(`[${written}, ${written}]`, { version })).toEqual([value, value])
          const map: unknown = parse(`${written}: x`, { version, mapAsMap: true })
          expect(map).toEqual(new Map([[value, 'x']]))
        }
      }),
    )
  })
})
