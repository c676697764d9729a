import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { DENSITIES } from '../../../../../renderer/matrix/grid/density.ts'
import {
  contentSize,
  pageRows,
  placeAt,
  scrollToPlace,
  visibleWindow,
  type GridShape,
  type Viewport,
} from '../../../../../renderer/matrix/grid/grid-layout.ts'

const SHAPE: GridShape = {
  density: 'comfortable',
  rows: 100,
  cols: 40,
  rowHeight: 40,
  colWidth: 20,
  headHeight: 30,
  headWidth: 200,
  tailWidths: [100, 60],
  tailsStay: true,
}
const AT_START: Viewport = { left: 0, top: 0, width: 660, height: 230 }

const shapes: fc.Arbitrary<GridShape> = fc.record({
  density: fc.constantFrom(...DENSITIES),
  rows: fc.nat(10_000),
  cols: fc.nat(255),
  rowHeight: fc.integer({ min: 8, max: 60 }),
  colWidth: fc.integer({ min: 8, max: 60 }),
  headHeight: fc.nat(120),
  headWidth: fc.nat(240),
  tailWidths: fc.array(fc.integer({ min: 1, max: 120 }), { maxLength: 3 }),
  tailsStay: fc.boolean(),
})

/** A grid and a look at it from a scroll position it can have. */
const looks = fc
  .tuple(
    shapes,
    fc.integer({ min: 0, max: 4000 }),
    fc.integer({ min: 0, max: 2000 }),
    fc.nat(1000),
    fc.nat(1000),
  )
  .map(([shape, width, height, x, y]): [GridShape, Viewport] => {
    const content = contentSize(shape, width)
    const left = Math.floor((Math.max(0, content.width - width) * x) / 1000)
    const top = Math.floor((Math.max(0, content.height - height) * y) / 1000)
    return [shape, { left, top, width, height }]
  })

describe('visibleWindow', () => {
  test('holds what is in view and a few beyond', () => {
    expect(visibleWindow(SHAPE, AT_START)).toEqual({ rowFrom: 0, rowTo: 10, colFrom: 0, colTo: 20 })
    expect(visibleWindow(SHAPE, { ...AT_START, top: 400, left: 200 })).toEqual({
      rowFrom: 8,
      rowTo: 18,
      colFrom: 8,
      colTo: 28,
    })
  })

  test('is empty of rows or cells when there are none', () => {
    expect(visibleWindow({ ...SHAPE, rows: 0, cols: 0 }, AT_START)).toEqual({
      rowFrom: 0,
      rowTo: 0,
      colFrom: 0,
      colTo: 0,
    })
  })

  test('stays inside the grid and keeps its size wherever it is scrolled to', () => {
    fc.assert(
      fc.property(looks, ([shape, viewport]) => {
        const here = visibleWindow(shape, viewport)
        const there = visibleWindow(shape, { ...viewport, left: 0, top: 0 })
        expect(here.rowFrom).toBeGreaterThanOrEqual(0)
        expect(here.colFrom).toBeGreaterThanOrEqual(0)
        expect(here.rowTo).toBeLessThanOrEqual(shape.rows)
        expect(here.colTo).toBeLessThanOrEqual(shape.cols)
        expect(here.rowTo - here.rowFrom).toBe(there.rowTo - there.rowFrom)
        expect(here.colTo - here.colFrom).toBe(there.colTo - there.colFrom)
      }),
    )
  })
})

describe('placeAt', () => {
  test('finds heads, cells and tails', () => {
    expect(placeAt(SHAPE, AT_START, 5, 5)).toEqual({ row: null, col: 0 })
    expect(placeAt(SHAPE, AT_START, 5, 71)).toEqual({ row: 1, col: 0 })
    expect(placeAt(SHAPE, AT_START, 200, 30)).toEqual({ row: 0, col: 1 })
    expect(placeAt(SHAPE, { ...AT_START, left: 25, top: 45 }, 219, 69)).toEqual({ row: 2, col: 3 })
    expect(placeAt(SHAPE, AT_START, 500, 30)).toEqual({ row: 0, col: 41 })
    expect(placeAt(SHAPE, AT_START, 659, 229)).toEqual({ row: 4, col: 42 })
  })

  test('finds nothing beside few cells, below few rows and outside', () => {
    const small = { ...SHAPE, rows: 1, cols: 1 }
    expect(placeAt(small, AT_START, 300, 40)).toBeNull()
    expect(placeAt(small, AT_START, 10, 80)).toBeNull()
    expect(placeAt(SHAPE, AT_START, -1, 40)).toBeNull()
    expect(placeAt(SHAPE, AT_START, 660, 40)).toBeNull()
  })

  test('finds whatever is in view among what is drawn', () => {
    fc.assert(
      fc.property(looks, fc.nat(4000), fc.nat(2000), ([shape, viewport], x, y) => {
        const place = placeAt(shape, viewport, x, y)
        if (place === null) return
        const drawn = visibleWindow(shape, viewport)
        if (place.row !== null) {
          expect(place.row).toBeGreaterThanOrEqual(drawn.rowFrom)
          expect(place.row).toBeLessThan(drawn.rowTo)
        }
        if (place.col >= 1 && place.col <= shape.cols) {
          expect(place.col - 1).toBeGreaterThanOrEqual(drawn.colFrom)
          expect(place.col - 1).toBeLessThan(drawn.colTo)
        }
      }),
    )
  })
})

describe('scrollToPlace', () => {
  test('does not move for what is in view', () => {
    expect(scrollToPlace(SHAPE, { ...AT_START, left: 40, top: 80 }, { row: 3, col: 5 })).toEqual({
      left: 40,
      top: 80,
    })
  })

  test('moves by as little as brings a cell out from under the heads and tails', () => {
    expect(scrollToPlace(SHAPE, AT_START, { row: 5, col: 16 })).toEqual({ left: 20, top: 40 })
    expect(scrollToPlace(SHAPE, { ...AT_START, left: 100, top: 100 }, { row: 1, col: 2 })).toEqual({
      left: 20,
      top: 40,
    })
  })

  test('leaves the cells where they are for heads, and goes to their end for tails that stay', () => {
    expect(scrollToPlace(SHAPE, { ...AT_START, left: 100 }, { row: 0, col: 0 }).left).toBe(100)
    expect(scrollToPlace(SHAPE, { ...AT_START, left: 100 }, { row: 0, col: 42 }).left).toBe(500)
  })

  test('brings any place to where a pointer would find it', () => {
    fc.assert(
      fc.property(looks, fc.nat(10_000), fc.nat(258), ([shape, viewport], row, col) => {
        const columns = 1 + shape.cols + shape.tailWidths.length
        fc.pre(row < shape.rows && col < columns)
        const sum = shape.tailWidths.reduce((total, width) => total + width, 0)
        // Room for the place itself, else there is nowhere to bring it.
        fc.pre(viewport.height >= shape.headHeight + shape.rowHeight)
        fc.pre(viewport.width >= shape.headWidth + sum + shape.colWidth)
        const scrolled = { ...viewport, ...scrollToPlace(shape, viewport, { row, col }) }
        const y = shape.headHeight + row * shape.rowHeight - scrolled.top
        const content = contentSize(shape, viewport.width).width
        const tail = col - 1 - shape.cols
        const before = shape.tailWidths.slice(0, Math.max(0, tail)).reduce((total, width) => total + width, 0)
        const tailsStart = shape.tailsStay ? viewport.width - sum : content - sum - scrolled.left
        const x =
          col === 0
            ? 0
            : tail < 0
              ? shape.headWidth + (col - 1) * shape.colWidth - scrolled.left
              : tailsStart + before
        // A head of no width holds no point.
        fc.pre(col > 0 || shape.headWidth > 0)
        expect(placeAt(shape, scrolled, x, y)).toEqual({ row, col })
        expect(placeAt(shape, scrolled, x, y + shape.rowHeight - 1)).toEqual({ row, col })
      }),
    )
  })
})

describe('pageRows', () => {
  test('keeps one row of the last page and moves at least one', () => {
    expect(pageRows(SHAPE, AT_START)).toBe(4)
    expect(pageRows(SHAPE, { ...AT_START, height: 40 })).toBe(1)
  })
})
