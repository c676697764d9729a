import { describe, expect, test } from 'vitest'
import { nextTarget, type Box, type Direction } from '../../../../renderer/drag-board/next-target.ts'

function box(left: number, top: number, width: number, height: number): Box {
  return { left, top, right: left + width, bottom: top + height }
}

/** The board as it is laid out: two columns over one well, and cards in a third column over another. */
const BOARD = {
  interactive: box(0, 0, 200, 200),
  batch: box(206, 0, 200, 200),
  back: box(0, 206, 406, 36),
  pair: box(412, 206, 240, 36),
  planner: box(418, 30, 228, 30),
  hermes: box(418, 64, 228, 60),
}

function from(name: keyof typeof BOARD, ...presses: Direction[]): string {
  return presses.reduce<string>((at, direction) => {
    const here = BOARD[at as keyof typeof BOARD]
    const others = Object.entries(BOARD).flatMap(([id, found]) => (id === at ? [] : [{ id, box: found }]))
    return nextTarget(direction, here, others)?.id ?? 'none'
  }, name)
}

describe('nextTarget', () => {
  test('goes one column with one press', () => {
    expect(from('interactive', 'right')).toBe('batch')
    expect(from('batch', 'left')).toBe('interactive')
  })

  test('enters the column of cards at its first card, though the well below is as near', () => {
    expect(from('batch', 'right')).toBe('planner')
  })

  test('goes card by card and on to the well below them', () => {
    expect(from('planner', 'down')).toBe('hermes')
    expect(from('planner', 'down', 'down')).toBe('pair')
    expect(from('pair', 'up')).toBe('hermes')
  })

  test('goes back from a card to the column beside it, and from a well to the well beside it', () => {
    expect(from('hermes', 'left')).toBe('batch')
    expect(from('pair', 'left')).toBe('back')
    expect(from('back', 'right')).toBe('pair')
  })

  test('goes up from the wide well to the first column', () => {
    expect(from('batch', 'down')).toBe('back')
    expect(from('back', 'up')).toBe('interactive')
  })

  test('stays at the edges', () => {
    expect(from('interactive', 'left')).toBe('none')
    expect(from('interactive', 'up')).toBe('none')
    expect(from('back', 'down')).toBe('none')
  })
})
