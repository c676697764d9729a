import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  fromModelText,
  minimalEdit,
  toModelOffset,
  toModelText,
  withoutBreaks,
} from '../../../../renderer/overlay-editor/model-text.ts'

const modelText = fc.string({ unit: fc.constantFrom('a', 'b', ':', ' ', '\n', 'é', '😀', '😁') })
const fileText = fc
  .array(fc.constantFrom('a', 'b', ':', ' ', '\n', '\r\n', '\r', 'é', '😀', '😁'))
  .map((parts) => parts.join(''))
const maybeMarked = fc.tuple(fc.boolean(), fileText).map(([marked, text]) => (marked ? '\uFEFF' : '') + text)

describe('toModelText', () => {
  test('drops the byte order mark and makes every line end LF', () => {
    expect(toModelText('\uFEFFa\r\nb\rc\nd')).toBe('a\nb\nc\nd')
  })

  test('maps an offset behind CRLF line ends to the shorter text', () => {
    const text = '\uFEFFa\r\nb\r\ncd'
    expect(toModelText(text).slice(toModelOffset(text, text.indexOf('d')))).toBe('d')
  })
})

describe('minimalEdit', () => {
  test('finds one inserted line', () => {
    expect(minimalEdit('a: 1\nc: 3\n', 'a: 1\nb: 2\nc: 3\n')).toEqual({ start: 5, end: 5, text: 'b: 2\n' })
  })

  test('finds nothing between equal texts', () => {
    expect(minimalEdit('a', 'a')).toBeNull()
  })

  test('leads from any text to any other', () => {
    fc.assert(
      fc.property(modelText, modelText, (before, after) => {
        const edit = minimalEdit(before, after)
        const made = edit === null ? before : before.slice(0, edit.start) + edit.text + before.slice(edit.end)
        expect(made).toBe(after)
      }),
    )
  })

  test('never cuts a surrogate pair in two', () => {
    fc.assert(
      fc.property(modelText, modelText, (before, after) => {
        const edit = minimalEdit(before, after)
        if (edit === null) return
        for (const part of [before.slice(0, edit.start), before.slice(edit.end), edit.text]) {
          expect(part).not.toMatch(/\p{Surrogate}/u)
        }
      }),
    )
  })
})

describe('fromModelText', () => {
  test('writes a new line with the line end of the file and leaves the others', () => {
    expect(fromModelText('\uFEFFa: 1\r\nb: 2\r\n', 'a: 1\nx: 9\nb: 2\n')).toBe(
      '\uFEFFa: 1\r\nx: 9\r\nb: 2\r\n',
    )
  })

  test('keeps mixed line ends where nothing was typed', () => {
    expect(fromModelText('a\r\nb\nc\r\n', 'a\nb!\nc\n')).toBe('a\r\nb!\nc\r\n')
  })

  test('gives back the very text when nothing was typed', () => {
    fc.assert(
      fc.property(maybeMarked, (text) => {
        expect(fromModelText(text, toModelText(text))).toBe(text)
      }),
    )
  })

  test('reads back as what was typed, whatever line ends the file has', () => {
    fc.assert(
      fc.property(maybeMarked, modelText, (text, typed) => {
        const edited = fromModelText(text, typed)
        expect(toModelText(edited)).toBe(typed)
        expect(edited.startsWith('\uFEFF')).toBe(text.startsWith('\uFEFF'))
      }),
    )
  })
})

describe('withoutBreaks', () => {
  test('takes line ends off both ends of a span', () => {
    const text = 'a\r\n  b: 1\r\n\r\nc'
    const { start, end } = withoutBreaks(text, { start: 1, end: text.indexOf('c') })
    expect(text.slice(start, end)).toBe('  b: 1')
  })

  test('leaves an empty span where nothing else is in it', () => {
    expect(withoutBreaks('a\n\nb', { start: 1, end: 3 })).toEqual({ start: 1, end: 1 })
  })
})
