import { expect, test } from 'vitest'
import type { Mark } from '../../../../../renderer/matrix/marks/mark.ts'
import { PALETTE } from './named-palette.ts'
import { paintOverview } from '../../../../../renderer/matrix/marks/paint-overview.ts'

function painted(rows: readonly (readonly Mark[])[], rowHeight: number, colWidth: number): string[] {
  const blocks: string[] = []
  const context = {
    fillStyle: '',
    globalAlpha: 1,
    fillRect(x: number, y: number, width: number, height: number) {
      blocks.push(`${this.fillStyle} ${x},${y} ${width}x${height}`)
    },
  }
  const area = {
    rowFrom: 0,
    rowTo: rows.length,
    colFrom: 0,
    colTo: rows[0]?.length ?? 0,
    rowHeight,
    colWidth,
  }
  paintOverview(context, PALETTE, area, (row, col) => rows[row]?.[col] ?? 'missing')
  return blocks
}

test('neighbours of one mark are one block where cells touch, and missing ones leave the background', () => {
  const rows = [
    ['held', 'held', 'missing', 'fetch'],
    ['missing', 'detached', 'detached', 'detached'],
  ] as const
  expect(painted(rows, 2, 2)).toEqual(['held 0,0 4x2', 'moves 6,0 2x2', 'detached 2,2 6x2'])
})

test('larger cells keep a gap, and what shares a colour differs in height', () => {
  expect(painted([['held', 'held', 'source']], 8, 6)).toEqual([
    'held 0,0 5x7',
    'held 6,0 5x7',
    'held 12,3 5x4',
  ])
})
