import { excludeName } from '../../../../shared/overlay/edit-step.ts'
import { describe, expect, test } from 'vitest'
import {
  buildBoard,
  excludesOf,
  filterBoard,
  findRole,
  type Board,
} from '../../../../renderer/drag-board/board-model.ts'
import { planOf } from '../../../support/plan-of.ts'

const ROLES = [{ id: 'coder' }, { id: 'voice', about: 'realtime voice' }, { id: 'planner' }]

function boardOf(overlay: string): Board {
  const { plan, document } = planOf(ROLES, overlay)
  return buildBoard(plan.roles, document.overlay)
}

function names(roles: readonly { readonly role: string }[]): string[] {
  return roles.map(({ role }) => role)
}

describe('buildBoard', () => {
  test('puts each role into its latency column in roster order and says where the class comes from', () => {
    const board = boardOf('latency_class: {planner: interactive}')
    expect(names(board.columns.interactive)).toEqual(['voice', 'planner'])
    expect(names(board.columns.batch)).toEqual(['coder'])
    expect(
      [...board.columns.interactive, ...board.columns.batch].map(({ latencySource }) => latencySource),
    ).toEqual(['roster_text', 'overlay', 'default'])
  })

  test('distinguishes stickiness that the overlay says from the default', () => {
    const board = boardOf('sticky: {coder: false}')
    expect(findRole(board, 'coder')).toMatchObject({ sticky: false, stickyFromOverlay: true })
    expect(findRole(board, 'planner')).toMatchObject({ sticky: true, stickyFromOverlay: false })
  })

  test('makes a card per role that lists excludes, in the order of the text, each name once', () => {
    const board = boardOf(
      'excludes: {planner: [role:coder, coder, voice], coder: [], gone: [planner, nobody]}',
    )
    expect(board.cards).toEqual([
      {
        role: 'planner',
        known: true,
        excludes: [
          { role: 'coder', known: true },
          { role: 'voice', known: true },
        ],
      },
      {
        role: 'gone',
        known: false,
        excludes: [
          { role: 'planner', known: true },
          { role: 'nobody', known: false },
        ],
      },
    ])
  })
})

describe('filterBoard', () => {
  test('keeps the roles whose names hold the text, and the cards in which one stands', () => {
    const board = filterBoard(boardOf('excludes: {planner: [coder], voice: [planner]}'), ' COD ')
    expect(names(board.columns.batch)).toEqual(['coder'])
    expect(names(board.columns.interactive)).toEqual([])
    expect(names(board.cards)).toEqual(['planner'])
  })

  test('is the same board for an empty text', () => {
    const board = boardOf('')
    expect(filterBoard(board, '  ')).toBe(board)
  })
})

describe('excludesOf', () => {
  test('lists the names on the card of a role, none without a card', () => {
    const board = boardOf('excludes: {planner: [role:coder]}')
    expect(excludesOf(board, 'planner')).toEqual(['coder'])
    expect(excludesOf(board, 'coder')).toEqual([])
  })
})

describe('excludeName', () => {
  test('keeps a name that itself begins with the prefix apart from the prefix', () => {
    expect(excludeName('planner')).toBe('planner')
    expect(excludeName('role:planner')).toBe('role:role:planner')
  })
})
