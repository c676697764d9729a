import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  admit,
  emptyLedger,
  type Budget,
  type Instance,
  type Ledger,
} from '../../../../shared/placement/ledger.ts'
import { MAX_SETS, residentSets } from '../../../../shared/runbook/resident-sets.ts'

const budgetOf = (bytes: number): Budget => ({ pool: 'unified-memory', bytes: BigInt(bytes) })
const instance = (name: string, bytes: number, excludes: string[] = []): Instance => ({
  name,
  role: name,
  bytes: BigInt(bytes),
  excludes,
})

function ledgerOf(budget: Budget | null, instances: readonly Instance[]): Ledger | null {
  let ledger: Ledger = emptyLedger(budget)
  for (const each of instances) {
    const admission = admit(ledger, each)
    if (!admission.ok) return null
    ledger = admission.ledger
  }
  return ledger
}

const labs = fc
  .record({
    budget: fc.integer({ min: 0, max: 40 }),
    sizes: fc.array(fc.integer({ min: 1, max: 20 }), { maxLength: 14 }),
    excludes: fc.array(fc.tuple(fc.nat(13), fc.nat(13)), { maxLength: 8 }),
  })
  .map(({ budget, sizes, excludes }) => ({
    budget: budgetOf(budget),
    instances: sizes.map((bytes, i) =>
      instance(
        `r${i}`,
        bytes,
        excludes.flatMap(([a, b]) => (a === i && b !== i ? [`r${b}`] : [])),
      ),
    ),
  }))

describe('residentSets', () => {
  test('puts all in one set when they fit together', () => {
    const roles = [instance('a', 4), instance('b', 4)]
    expect(residentSets(budgetOf(8), roles)).toEqual({ sets: [['a', 'b']], complete: true, tooLarge: [] })
  })

  test('keeps apart what excludes each other and what is too large together', () => {
    const roles = [instance('a', 4, ['b']), instance('b', 4), instance('c', 5), instance('huge', 99)]
    expect(residentSets(budgetOf(9), roles)).toEqual({
      sets: [
        ['a', 'c'],
        ['b', 'c'],
      ],
      complete: true,
      tooLarge: ['huge'],
    })
  })

  test('every set fits the ledger, nothing can be added to it, and every pair that fits is in one', () => {
    fc.assert(
      fc.property(labs, ({ budget, instances }) => {
        const { sets, tooLarge, complete } = residentSets(budget, instances)
        const byName = new Map(instances.map((each) => [each.name, each]))
        const membersOf = (names: readonly string[]): Instance[] =>
          names.flatMap((name) => byName.get(name) ?? [])
        for (const set of sets) {
          const ledger = ledgerOf(budget, membersOf(set))
          expect(ledger).not.toBeNull()
          if (ledger === null) continue
          for (const other of instances)
            expect(set.includes(other.name) || !admit(ledger, other).ok).toBe(true)
        }
        for (const a of instances) {
          expect(tooLarge.includes(a.name)).toBe(ledgerOf(budget, [a]) === null)
          for (const b of instances) {
            if (a === b || ledgerOf(budget, [a, b]) === null) continue
            expect(sets.some((set) => set.includes(a.name) && set.includes(b.name))).toBe(true)
          }
        }
        expect(new Set(sets.map((set) => set.join(' '))).size).toBe(sets.length)
        if (complete) expect(sets.length).toBeLessThanOrEqual(MAX_SETS)
      }),
      { numRuns: 300 },
    )
  })

  test('lists every largest set there is, where it says that it does', () => {
    fc.assert(
      fc.property(labs, ({ budget, instances }) => {
        const few = instances.slice(0, 8)
        const { sets, complete } = residentSets(budget, few)
        if (!complete) return
        const all: string[] = []
        for (let bits = 1; bits < 2 ** few.length; bits++) {
          const set = few.filter((_, i) => bits & (1 << i))
          const ledger = ledgerOf(budget, set)
          if (ledger === null || few.some((each) => !set.includes(each) && admit(ledger, each).ok)) continue
          all.push(ledger.instances.map(({ name }) => name).join(' '))
        }
        expect(sets.map((set) => set.join(' ')).toSorted()).toEqual(all.toSorted())
      }),
      { numRuns: 200 },
    )
  })

  test('says so when there are more sets than it lists, and still has every pair', () => {
    const roles = Array.from({ length: 30 }, (_, i) => instance(`r${i}`, 1))
    const { sets, complete } = residentSets(budgetOf(5), roles)
    expect(complete).toBe(false)
    expect(sets.some((set) => set.includes('r3') && set.includes('r29'))).toBe(true)
  })
})
