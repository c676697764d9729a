import { describe, expect, test } from 'vitest'
import {
  densityAfter,
  densityStep,
  overviewColumn,
  overviewRow,
} from '../../../../../renderer/matrix/grid/density.ts'
import { labShape } from '../../../../../renderer/matrix/lab/lab-shape.ts'
import { shardShape } from '../../../../../renderer/matrix/shards/shard-shape.ts'

describe('density', () => {
  test('goes from one step to the next, and stays at the ends', () => {
    expect(densityAfter('comfortable', -1)).toBe('compact')
    expect(densityAfter('compact', -1)).toBe('overview')
    expect(densityAfter('overview', -1)).toBe('overview')
    expect(densityAfter('overview', 1)).toBe('compact')
    expect(densityAfter('comfortable', 1)).toBe('comfortable')
  })

  test('is changed by + and −, with Shift or without, and by no other key', () => {
    expect(['+', '=', '-', '_', '0', 'a'].map(densityStep)).toEqual([1, 1, -1, -1, null, null])
  })

  test('in the overview, all shards fit the width and hundreds of nodes the height', () => {
    const shape = shardShape(300, 255, 'overview', { width: 540, height: 320 })
    expect(shape.headWidth + shape.cols * shape.colWidth).toBeLessThanOrEqual(540)
    expect(shape.rows * shape.rowHeight).toBeLessThanOrEqual(320)
    const lab = labShape(256, 200, 12, 'overview', { width: 640, height: 320 })
    expect(lab.headWidth + lab.cols * lab.colWidth).toBeLessThanOrEqual(640)
    expect(lab.rows * lab.rowHeight).toBeLessThanOrEqual(320)
  })

  test('in the overview, few cells do not become huge, and thousands stay large enough to be told apart', () => {
    expect(overviewColumn(3, 800)).toBe(14)
    expect(overviewRow(5, 400)).toBe(12)
    expect(overviewRow(10_000, 400)).toBe(2)
    expect(overviewColumn(0, 400)).toBe(14)
  })

  test('the compact table has more rows and columns in the same room', () => {
    const room = { width: 640, height: 320 }
    const [wide, narrow] = [shardShape(10, 9, 'comfortable', room), shardShape(10, 9, 'compact', room)]
    expect(narrow.rowHeight).toBeLessThan(wide.rowHeight * 0.6)
    expect(narrow.colWidth).toBeLessThan(wide.colWidth * 0.7)
  })
})
