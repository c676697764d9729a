import fc from 'fast-check'
import { expect, test } from 'vitest'
import { smallestSet, type FoundSet } from '../../../../shared/compare/smallest-set.ts'
import { runSync } from '../../../../shared/task.ts'

/** What the search comes to when each trial takes a step. */
function found(
  count: number,
  holds: (members: readonly number[]) => boolean,
  mayGoOn?: () => boolean,
): FoundSet {
  function* trial(members: readonly number[]): Generator<void, boolean> {
    yield
    return holds(members)
  }
  return runSync(smallestSet(count, trial, mayGoOn))
}

/** Holds for every set that has all of `needed`. */
function needing(...needed: readonly number[]): (members: readonly number[]) => boolean {
  return (members) => needed.every((each) => members.includes(each))
}

test('one that alone does is the smallest', () => {
  expect(found(100, needing(63))).toEqual({ members: [63], proof: 'smallest' })
})

test('of a few candidates two or three that do together are the smallest', () => {
  expect(found(20, needing(3, 17))).toEqual({ members: [3, 17], proof: 'smallest' })
  expect(found(20, needing(0, 3, 17))).toEqual({ members: [0, 3, 17], proof: 'smallest' })
})

test('of many candidates what is found can do without none of its own', () => {
  expect(found(60, needing(5, 40, 41, 59))).toEqual({ members: [5, 40, 41, 59], proof: 'minimal' })
})

test('a search that is cut off gives what it knows to hold', () => {
  let left = 70
  const cut = found(60, needing(5, 40, 41, 59), () => left-- > 0)
  expect(cut.proof).toBe('bounded')
  expect(needing(5, 40, 41, 59)(cut.members)).toBe(true)
  expect(found(3, needing(1), () => false)).toEqual({ members: [0, 1, 2], proof: 'bounded' })
})

test('whatever is asked, the set holds, and no member of it can be left out', () => {
  // A set holds when it contains one of these in whole: more members never hurt.
  const arbitrary = fc.record({
    count: fc.integer({ min: 1, max: 40 }),
    seeds: fc.array(fc.array(fc.nat(1000), { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 4 }),
  })
  fc.assert(
    fc.property(arbitrary, ({ count, seeds }) => {
      const enough = seeds.map((seed) => [...new Set(seed.map((each) => each % count))])
      const holds = (members: readonly number[]): boolean =>
        enough.some((needed) => needing(...needed)(members))
      const { members } = found(count, holds)
      expect(holds(members)).toBe(true)
      for (const member of members) expect(holds(members.filter((each) => each !== member))).toBe(false)
    }),
  )
})
