import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { clampPlace, placeAfterKey } from '../../../../../renderer/matrix/grid/grid-keys.ts'

const EXTENT = { rows: 50, cols: 15, page: 8 }
const HERE = { row: 20, col: 7 }

function after(key: string, command = false, place = HERE): { row: number; col: number } | null {
  return placeAfterKey({ key, command }, place, EXTENT)
}

describe('placeAfterKey', () => {
  test('moves one cell by an arrow and stops at the edges', () => {
    expect(after('ArrowUp')).toEqual({ row: 19, col: 7 })
    expect(after('ArrowDown')).toEqual({ row: 21, col: 7 })
    expect(after('ArrowLeft')).toEqual({ row: 20, col: 6 })
    expect(after('ArrowRight')).toEqual({ row: 20, col: 8 })
    expect(after('ArrowUp', false, { row: 0, col: 0 })).toEqual({ row: 0, col: 0 })
    expect(after('ArrowRight', false, { row: 49, col: 14 })).toEqual({ row: 49, col: 14 })
  })

  test('moves in the row by Home and End, in the whole grid with Ctrl', () => {
    expect(after('Home')).toEqual({ row: 20, col: 0 })
    expect(after('End')).toEqual({ row: 20, col: 14 })
    expect(after('Home', true)).toEqual({ row: 0, col: 0 })
    expect(after('End', true)).toEqual({ row: 49, col: 14 })
  })

  test('moves a page of rows by the Page keys', () => {
    expect(after('PageUp')).toEqual({ row: 12, col: 7 })
    expect(after('PageDown')).toEqual({ row: 28, col: 7 })
  })

  test('leaves every other key alone', () => {
    expect(['a', 'Enter', ' ', 'Tab', 'Escape', 'F6'].map((key) => after(key))).toEqual(Array(6).fill(null))
  })

  test('never leaves the grid', () => {
    const keys = ['ArrowUp', 'ArrowDown', 'ArrowLeft', 'ArrowRight', 'Home', 'End', 'PageUp', 'PageDown']
    const presses = fc.array(fc.record({ key: fc.constantFrom(...keys), command: fc.boolean() }))
    const size = fc.integer({ min: 1, max: 60 })
    fc.assert(
      fc.property(presses, size, size, size, (pressed, rows, cols, page) => {
        let place = { row: 0, col: 0 }
        for (const press of pressed) place = placeAfterKey(press, place, { rows, cols, page }) ?? place
        expect(place).toEqual(clampPlace(place, { rows, cols }))
      }),
    )
  })
})

describe('clampPlace', () => {
  test('keeps a place that is inside as it is, and has one for an empty grid', () => {
    expect(clampPlace(HERE, EXTENT)).toBe(HERE)
    expect(clampPlace({ row: 90, col: 90 }, EXTENT)).toEqual({ row: 49, col: 14 })
    expect(clampPlace(HERE, { rows: 0, cols: 0 })).toEqual({ row: 0, col: 0 })
  })
})
