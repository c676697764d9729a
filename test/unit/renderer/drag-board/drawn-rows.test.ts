import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { drawnRows, FEW_ROWS } from '../../../../renderer/drag-board/drawn-rows.ts'

/** A list scrolled to somewhere, and rows that are held, of which some are not in it. */
const scrolled = fc.integer({ min: 1, max: 300 }).chain((count) =>
  fc.record({
    count: fc.constant(count),
    edges: fc.tuple(fc.nat(count - 1), fc.nat(count - 1)),
    overscan: fc.nat(8),
    held: fc.array(fc.integer({ min: -1, max: count + 5 }), { maxLength: 3 }),
  }),
)

function draw(
  count: number,
  first: number,
  last: number,
  held: readonly number[] = [],
  overscan = 2,
): number[] {
  return drawnRows({ startIndex: first, endIndex: last, overscan, count }, held)
}

describe('drawnRows', () => {
  test('draws a short list whole, wherever it is scrolled to', () => {
    expect(draw(FEW_ROWS, 0, 4)).toHaveLength(FEW_ROWS)
    expect(draw(FEW_ROWS + 1, 0, 4)).toEqual([0, 1, 2, 3, 4, 5, 6])
  })

  test('draws what is held out of view with what is before and after it, so that Tab goes on to that', () => {
    expect(draw(100, 50, 52, [10])).toEqual([9, 10, 11, 48, 49, 50, 51, 52, 53, 54])
    expect(draw(100, 50, 52, [99])).toEqual([48, 49, 50, 51, 52, 53, 54, 98, 99])
  })

  test('holds nothing for what is not in the list', () => {
    expect(draw(100, 0, 1, [-1, 100])).toEqual([0, 1, 2, 3])
  })

  test('draws rows of the list in their order, each once, and all that are in view or held', () => {
    fc.assert(
      fc.property(scrolled, ({ count, edges, overscan, held }) => {
        const [first, last] = [Math.min(...edges), Math.max(...edges)]
        const drawn = draw(count, first, last, held, overscan)
        expect(drawn).toEqual([...new Set(drawn)].toSorted((a, b) => a - b))
        expect(drawn.every((index) => index >= 0 && index < count)).toBe(true)
        for (let index = first; index <= last; index++) expect(drawn).toContain(index)
        for (const index of held) if (index >= 0 && index < count) expect(drawn).toContain(index)
      }),
    )
  })

  test('draws no more of a long list than what is in view needs', () => {
    fc.assert(
      fc.property(scrolled, ({ count, edges, overscan, held }) => {
        const [first, last] = [Math.min(...edges), Math.max(...edges)]
        const drawn = draw(count, first, last, held, overscan)
        const room = last - first + 1 + 2 * overscan + 3 * held.length
        expect(drawn.length).toBeLessThanOrEqual(Math.max(FEW_ROWS, room))
      }),
    )
  })
})
