import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { adoptWhatRuns, rolesRunning } from '../../../../shared/live/adopt.ts'
import { changeLine, readChanges, spansOf, type LiveChange } from '../../../../shared/live/history.ts'
import { LIVE_STATES } from '../../../../shared/live/states.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'

const changes = fc.array(
  fc.record({
    atSecs: fc.integer({ min: 0, max: 1000 }),
    role: fc.constantFrom('a', 'b'),
    state: fc.constantFrom(...LIVE_STATES, null),
  }),
)

describe('the history of states', () => {
  test('is read back as it was written', () => {
    fc.assert(
      fc.property(changes, (written) => {
        expect(readChanges(written.map(changeLine).join(''))).toEqual(written)
      }),
    )
  })

  test('passes over lines that are cut off or none of its own', () => {
    const good = changeLine({ atSecs: 1, role: 'a', state: 'asleep' })
    expect(readChanges(`nope\n{"at":1}\n${good}{"at":2,"role":"a","sta`)).toEqual([
      { atSecs: 1, role: 'a', state: 'asleep' },
    ])
  })

  test('gives spans that follow each other and stay within what is asked for', () => {
    fc.assert(
      fc.property(changes, (given) => {
        const sorted: LiveChange[] = given.toSorted((a, b) => a.atSecs - b.atSecs)
        const spans = spansOf(sorted, 'a', 200, 800)
        spans.forEach((span, i) => {
          expect(span.fromSecs).toBeGreaterThanOrEqual(200)
          expect(span.toSecs).toBeLessThanOrEqual(800)
          expect(span.toSecs).toBeLessThanOrEqual(spans[i + 1]?.fromSecs ?? 800)
        })
      }),
    )
  })
})

test('a time in which nothing was asked is a gap', () => {
  const at = (atSecs: number, state: LiveChange['state']): LiveChange => ({ atSecs, role: 'a', state })
  expect(spansOf([at(100, 'as_planned'), at(200, null), at(500, 'as_planned')], 'a', 0, 600)).toEqual([
    { fromSecs: 100, toSecs: 200, state: 'as_planned' },
    { fromSecs: 500, toSecs: 600, state: 'as_planned' },
  ])
})

test('adopting what runs pins no role whose port another model has', () => {
  const model = {
    id: 'x',
    aliases: [],
    file: null,
    contextTokens: null,
    bytes: null,
    state: 'loaded' as const,
  }
  const seen = { nodeId: 'n1', url: 'http://n1:1', model }
  const comparison = {
    roles: [{ role: 'a', state: 'other_model' as const, seen, reason: null }],
    strangers: [],
  }
  expect(rolesRunning(comparison)).toEqual([])
  expect(adoptWhatRuns(DEFAULT_SCENARIO, comparison).pinned.size).toBe(0)
})

test('adopting what runs pins the roles that were seen and leaves the others', () => {
  const model = {
    id: 'a',
    aliases: [],
    file: null,
    contextTokens: null,
    bytes: null,
    state: 'loaded' as const,
  }
  const scenario = adoptWhatRuns(
    { ...DEFAULT_SCENARIO, offRoles: new Set(['a', 'b']), pinned: new Map([['b', 'n2']]) },
    {
      roles: [
        { role: 'a', state: 'elsewhere', seen: { nodeId: 'n1', url: 'http://n1:1', model }, reason: null },
        { role: 'b', state: 'not_running', seen: null, reason: null },
      ],
      strangers: [],
    },
  )
  expect([...scenario.pinned]).toEqual([
    ['b', 'n2'],
    ['a', 'n1'],
  ])
  expect([...scenario.offRoles]).toEqual(['b'])
})
