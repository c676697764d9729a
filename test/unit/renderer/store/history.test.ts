import { describe, expect, test } from 'vitest'
import fc from 'fast-check'
import {
  canRedo,
  canUndo,
  pushStep,
  redoStep,
  startHistory,
  undoStep,
  type History,
} from '../../../../renderer/store/history.ts'

const typed = (history: History, text: string, at: number): History =>
  pushStep(history, { text, by: 'typing', at })

describe('the undo stack shared by dragging and typing', () => {
  test('takes a run of letters back as one step', () => {
    const history = ['a', 'ab', 'abc'].reduce(
      (h, text, i) => typed(h, text, 1000 + i * 100),
      startHistory(''),
    )
    expect(undoStep(history).present.text).toBe('')
  })

  test('ends a run of typing at a pause', () => {
    const history = typed(typed(startHistory(''), 'a', 1_000), 'ab', 9_000)
    expect(undoStep(history).present.text).toBe('a')
  })

  test('ends a run of typing at a new line', () => {
    const history = typed(typed(startHistory(''), 'a', 1_000), 'a\n', 1_100)
    expect(undoStep(history).present.text).toBe('a')
  })

  test('keeps a drag between two letters a step of its own', () => {
    let history = typed(startHistory(''), 'a', 1_000)
    history = pushStep(history, { text: 'a dragged', by: 'edit', at: 1_050 })
    history = typed(history, 'a draggedb', 1_100)
    expect(undoStep(history).present.text).toBe('a dragged')
    expect(undoStep(undoStep(history)).present.text).toBe('a')
  })

  test('does not run typing on after an undo', () => {
    const history = undoStep(typed(typed(startHistory(''), 'a', 1_000), 'ab', 9_000))
    const typedAgain = typed(history, 'ac', 1_100)
    expect(undoStep(typedAgain).present.text).toBe('a')
    expect(canRedo(typedAgain)).toBe(false)
  })

  test('changes nothing when the text is the same', () => {
    const history = typed(startHistory('x'), 'xy', 1)
    expect(typed(history, 'xy', 2)).toBe(history)
  })

  test('comes back to every text: undoing all and redoing all gives what was there', () => {
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.string({ maxLength: 4 }), fc.constantFrom('typing', 'edit'), fc.nat(5_000))),
        (steps) => {
          let at = 0
          let history = startHistory('start')
          for (const [text, by, pause] of steps) {
            at += pause
            history = pushStep(history, { text, by, at })
          }
          const last = history.present.text
          while (canUndo(history)) history = undoStep(history)
          expect(history.present.text).toBe('start')
          while (canRedo(history)) history = redoStep(history)
          expect(history.present.text).toBe(last)
        },
      ),
    )
  })
})
