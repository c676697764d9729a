import { describe, expect, test } from 'vitest'
import type { Mark } from '../../../../../renderer/matrix/marks/mark.ts'
import { PALETTE } from './named-palette.ts'
import {
  gatherSpots,
  paintMarks,
  type MarkContext,
} from '../../../../../renderer/matrix/marks/paint-marks.ts'
import { LAB_CELLS } from '../../../../../shared/plan/matrix.ts'

const MARKS: readonly Mark[] = ['held', 'fetch', 'mismatch', 'missing', ...LAB_CELLS]

/** A context that writes down what is drawn: each path's steps, then how it was inked. */
function recorder(): { readonly context: MarkContext; readonly log: string[] } {
  const log: string[] = []
  const step =
    (name: string) =>
    (...args: unknown[]): void => {
      log.push([name, ...args].join(' '))
    }
  const context = {
    fillStyle: '',
    strokeStyle: '',
    lineWidth: 0,
    beginPath: () => undefined,
    rect: step('rect'),
    roundRect: step('roundRect'),
    moveTo: step('moveTo'),
    lineTo: step('lineTo'),
    arc: step('arc'),
    fill: () => log.push(`fill ${context.fillStyle}`),
    stroke: () => log.push(`stroke ${context.strokeStyle}`),
  }
  return { context, log }
}

function drawn(marks: readonly Mark[]): string[] {
  const { context, log } = recorder()
  const area = { rowFrom: 0, rowTo: 1, colFrom: 0, colTo: marks.length, rowHeight: 40, colWidth: 20 }
  paintMarks(
    context,
    PALETTE,
    gatherSpots(area, (_, col) => marks[col] ?? 'missing'),
    16,
  )
  return log
}

describe('gatherSpots', () => {
  test('places each cell of the area by its distance from the first', () => {
    const area = { rowFrom: 7, rowTo: 9, colFrom: 3, colTo: 5, rowHeight: 40, colWidth: 20 }
    const spots = gatherSpots(area, (row, col) => ((row + col) % 2 === 0 ? 'held' : 'missing'))
    expect(spots.get('held')).toEqual([
      { x: 10, y: 20 },
      { x: 30, y: 60 },
    ])
    expect(spots.get('missing')).toEqual([
      { x: 30, y: 20 },
      { x: 10, y: 60 },
    ])
  })

  test('asks for no cell outside the area', () => {
    const asked: string[] = []
    gatherSpots({ rowFrom: 2, rowTo: 2, colFrom: 0, colTo: 9, rowHeight: 1, colWidth: 1 }, (row, col) => {
      asked.push(`${row},${col}`)
      return 'held'
    })
    expect(asked).toEqual([])
  })
})

describe('paintMarks', () => {
  test('draws nothing where there is nothing', () => {
    expect(drawn([])).toEqual([])
  })

  test('gives each mark a shape of its own, whatever the colours', () => {
    const shapes = MARKS.filter((mark) => mark !== 'target' && mark !== 'holds').map((mark) =>
      drawn([mark])
        .map((line) => line.replace(/^(fill|stroke) .*/, '$1'))
        .join('\n'),
    )
    expect(new Set(shapes).size).toBe(shapes.length)
    expect(drawn(['target'])).toEqual(drawn(['fetch']))
    expect(drawn(['holds'])).toEqual(drawn(['held']))
  })

  test('keeps to the colours’ meaning: amber only for what moves, red only for no', () => {
    const withColour = (colour: string): Mark[] =>
      MARKS.filter((mark) => drawn([mark]).join().includes(colour))
    expect(withColour('moves')).toEqual(['fetch', 'target', 'source'])
    expect(withColour('stroke no').toSorted()).toEqual(['mismatch', 'no', 'turned_away'])
    expect(withColour('eligible')).toEqual(['eligible'])
  })

  test('inks each colour once for a row of one mark, and in few paths for thousands', () => {
    const row = Array<Mark>(30).fill('held')
    expect(drawn(row).filter((line) => line.startsWith('fill'))).toEqual(['fill held', 'fill onHeld'])
    const many = drawn(Array<Mark>(3000).fill('held'))
    expect(many.filter((line) => line.startsWith('roundRect'))).toHaveLength(3000)
    expect(many.filter((line) => line.startsWith('fill')).length).toBeLessThan(200)
  })
})
