import { describe, expect, test } from 'vitest'
import { buildBoard, type Board } from '../../../../renderer/drag-board/board-model.ts'
import {
  accepts,
  dropOutcome,
  homeOf,
  type DragItem,
  type DropTarget,
} from '../../../../renderer/drag-board/drop.ts'
import { planOf } from '../../../support/plan-of.ts'

const ROLES = [{ id: 'coder' }, { id: 'voice', about: 'realtime voice' }, { id: 'planner' }]

function boardOf(overlay: string): Board {
  const { plan, document } = planOf(ROLES, overlay)
  return buildBoard(plan.roles, document.overlay)
}

const role = (name: string): DragItem => ({ kind: 'role', role: name })
const exclude = (card: string, name: string): DragItem => ({ kind: 'exclude', card, role: name })
const column = (latencyClass: 'interactive' | 'batch'): DropTarget => ({ kind: 'latency', latencyClass })
const card = (name: string): DropTarget => ({ kind: 'card', role: name })
const WELL: DropTarget = { kind: 'well' }

describe('dropping a role', () => {
  test('sets the latency class of the column', () => {
    expect(dropOutcome(role('coder'), column('interactive'), boardOf(''))).toMatchObject({
      kind: 'edit',
      edits: [{ kind: 'set_latency_class', role: 'coder', latencyClass: 'interactive' }],
      caption: 'make interactive',
    })
  })

  test('changes nothing in its own column, whichever file put it there', () => {
    expect(dropOutcome(role('voice'), column('interactive'), boardOf(''))).toMatchObject({ kind: 'nothing' })
    const said = boardOf('latency_class: {coder: batch}')
    expect(dropOutcome(role('coder'), column('batch'), said)).toMatchObject({ kind: 'nothing' })
  })

  test('unsets the latency class on the well, if the overlay says one', () => {
    const said = boardOf('latency_class: {voice: batch}')
    expect(dropOutcome(role('voice'), WELL, said)).toMatchObject({
      kind: 'edit',
      edits: [{ kind: 'unset_latency_class', role: 'voice' }],
    })
    expect(dropOutcome(role('coder'), WELL, said)).toMatchObject({
      kind: 'nothing',
      caption: 'default already',
    })
  })

  test('forbids the pair on the part of any role’s card that is about that, whatever column it is in', () => {
    const pair = (name: string): DropTarget => ({ kind: 'pair', role: name })
    const board = boardOf('excludes: {planner: [voice]}')
    for (const name of ['coder', 'voice']) {
      const outcome = dropOutcome(role('planner'), pair(name), board)
      expect(outcome).toMatchObject({
        kind: 'edit',
        edits: [{ kind: 'add_exclude', role: name, exclude: 'planner' }],
      })
    }
    expect(dropOutcome(role('voice'), pair('planner'), board)).toMatchObject({ kind: 'nothing' })
    expect(accepts(role('voice'), pair('planner'))).toBe(true)
    expect(accepts(exclude('planner', 'voice'), pair('coder'))).toBe(false)
  })

  test('adds it to the excludes of the role whose card it is dropped on', () => {
    const board = boardOf('excludes: {planner: [voice]}')
    expect(dropOutcome(role('coder'), card('planner'), board)).toMatchObject({
      kind: 'edit',
      edits: [{ kind: 'add_exclude', role: 'planner', exclude: 'coder' }],
      caption: 'cannot be beside planner',
    })
  })

  test('adds nothing that is listed already, however it is spelled, and never itself', () => {
    const board = boardOf('excludes: {planner: [role:voice]}')
    expect(dropOutcome(role('voice'), card('planner'), board)).toMatchObject({ kind: 'nothing' })
    expect(dropOutcome(role('planner'), card('planner'), board)).toMatchObject({ kind: 'nothing' })
  })

  test('starts a pair on the well for pairs, with no edit yet', () => {
    expect(dropOutcome(role('coder'), { kind: 'start_pair' }, boardOf(''))).toMatchObject({
      kind: 'start_pair',
      role: 'coder',
    })
  })

  test('changes nothing outside every place', () => {
    expect(dropOutcome(role('coder'), null, boardOf(''))).toMatchObject({ kind: 'nothing' })
  })
})

describe('dropping an exclude', () => {
  const board = boardOf('excludes: {planner: [voice, coder], coder: [voice]}')

  test('removes it on the well and anywhere off the cards', () => {
    for (const target of [WELL, null]) {
      expect(dropOutcome(exclude('planner', 'voice'), target, board)).toMatchObject({
        kind: 'edit',
        edits: [{ kind: 'remove_exclude', role: 'planner', exclude: 'voice' }],
        caption: 'remove',
      })
    }
  })

  test('keeps it on its own card', () => {
    expect(dropOutcome(exclude('planner', 'voice'), card('planner'), board)).toMatchObject({
      kind: 'nothing',
    })
  })

  test('moves it to another card in one step', () => {
    const pair = boardOf('excludes: {planner: [voice], coder: [planner]}')
    expect(dropOutcome(exclude('planner', 'voice'), card('coder'), pair)).toMatchObject({
      kind: 'edit',
      edits: [
        { kind: 'remove_exclude', role: 'planner', exclude: 'voice' },
        { kind: 'add_exclude', role: 'coder', exclude: 'voice' },
      ],
      caption: 'move to coder',
    })
  })

  test('stays where the other card lists it already or is its own', () => {
    expect(dropOutcome(exclude('planner', 'voice'), card('coder'), board)).toMatchObject({ kind: 'nothing' })
    expect(dropOutcome(exclude('planner', 'coder'), card('coder'), board)).toMatchObject({ kind: 'nothing' })
  })
})

describe('places of a drag', () => {
  test('begins at the column of a role and at the card of an exclude', () => {
    expect(homeOf(role('voice'), boardOf(''))).toEqual(column('interactive'))
    expect(homeOf(exclude('planner', 'voice'), boardOf(''))).toEqual(card('planner'))
  })

  test('lights only wells and cards for an exclude', () => {
    const lit = [column('batch'), WELL, card('a'), { kind: 'start_pair' } as const]
    expect(lit.map((target) => accepts(exclude('planner', 'voice'), target))).toEqual([
      false,
      true,
      true,
      false,
    ])
    expect(lit.every((target) => accepts(role('coder'), target))).toBe(true)
  })
})
