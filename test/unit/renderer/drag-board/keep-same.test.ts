import fc from 'fast-check'
import { expect, test } from 'vitest'
import { buildBoard, keepSame, type Board } from '../../../../renderer/drag-board/board-model.ts'
import { planOf } from '../../../support/plan-of.ts'

const ROLES = ['coder', 'planner', 'voice', 'tagger'].map((id) => ({ id }))

const overlays = fc
  .record({
    excludes: fc.dictionary(fc.constantFrom('coder', 'planner'), fc.subarray(['voice', 'tagger', 'ghost'])),
    latency: fc.dictionary(fc.constantFrom('coder', 'voice'), fc.constantFrom('interactive', 'batch')),
    sticky: fc.dictionary(fc.constantFrom('coder', 'tagger'), fc.boolean()),
  })
  .map(({ excludes, latency, sticky }) => JSON.stringify({ excludes, latency_class: latency, sticky }))

function boardOf(text: string): Board {
  const { plan, document } = planOf(ROLES, text)
  return buildBoard(plan.roles, document.overlay)
}

test('says what the new board says, whatever the one before said', () => {
  fc.assert(
    fc.property(overlays, overlays, (before, now) => {
      expect(keepSame(boardOf(before), boardOf(now))).toEqual(boardOf(now))
    }),
  )
})

test('keeps what shows the same as the object it was, and makes only the rest again', () => {
  const before = boardOf('excludes: {coder: [voice], planner: [voice]}\nsticky: {tagger: false}\n')
  const same = keepSame(
    before,
    boardOf('excludes: {coder: [voice], planner: [voice]}\nsticky: {tagger: false}\n'),
  )
  expect(
    [same.columns.interactive, same.columns.batch, same.cards].map(
      (list, i) => list === [before.columns.interactive, before.columns.batch, before.cards][i],
    ),
  ).toEqual([true, true, true])
  const now = keepSame(
    before,
    boardOf('excludes: {coder: [voice], planner: [tagger]}\nsticky: {tagger: true}\n'),
  )
  expect(now.cards.map((card, i) => card === before.cards[i])).toEqual([true, false])
  expect(now.columns.interactive).toBe(before.columns.interactive)
  expect(
    now.columns.batch.filter((chip) => !before.columns.batch.includes(chip)).map(({ role }) => role),
  ).toEqual(['tagger'])
})
