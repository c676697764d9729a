import { expect, test } from 'vitest'
import { nextIndex } from '../../../../renderer/drag-board/next-index.ts'

test('goes one on or back, or to an end', () => {
  expect(['ArrowDown', 'ArrowUp', 'Home', 'End'].map((key) => nextIndex(key, 5, 10))).toEqual([6, 4, 0, 9])
})

test('goes nowhere beyond the ends and for other keys', () => {
  expect(nextIndex('ArrowDown', 9, 10)).toBe(-1)
  expect(nextIndex('ArrowUp', 0, 10)).toBe(-1)
  expect(nextIndex('a', 5, 10)).toBe(-1)
})
