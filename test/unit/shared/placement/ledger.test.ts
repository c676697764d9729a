import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  admit,
  budgetOf,
  emptyLedger,
  excludesRole,
  freeInBudget,
  refusalMessage,
  release,
  type Admission,
  type Budget,
  type Instance,
  type Ledger,
} from '../../../../shared/placement/ledger.ts'

const GB = 1_000_000_000n
const UNIFIED_96: Budget = { pool: 'unified-memory', bytes: 96n * GB }

function instance(role: string, bytes: bigint, excludes: readonly string[] = [], name = role): Instance {
  return { name, role, bytes, excludes }
}

/** The ledger after letting in what fits, in order. */
function ledgerOf(budget: Budget | null, instances: readonly Instance[]): Ledger {
  return instances.reduce((ledger, each) => {
    const admission = admit(ledger, each)
    return admission.ok ? admission.ledger : ledger
  }, emptyLedger(budget))
}

function messages(admission: Admission): string[] {
  return admission.ok ? [] : admission.refusals.map(refusalMessage)
}

describe('the budget', () => {
  test('a role that does not fit is reported with what is free and who holds the rest', () => {
    const ledger = ledgerOf(UNIFIED_96, [instance('A', 55n * GB), instance('B', 9n * GB)])
    expect(messages(admit(ledger, instance('R', 55n * GB)))).toEqual([
      "unplaceable: 'R' needs 55.0 GB but only 32.0 GB of the 96.0 GB unified-memory budget is free " +
        '(held by A 55.0 GB, B 9.0 GB)',
    ])
  })

  test('an empty pool that is too small is held by nothing', () => {
    const budget: Budget = { pool: 'accelerator-memory', bytes: 52n * GB }
    expect(messages(admit(emptyLedger(budget), instance('R', 55n * GB)))).toEqual([
      "unplaceable: 'R' needs 55.0 GB but only 52.0 GB of the 52.0 GB accelerator-memory budget is free " +
        '(held by nothing)',
    ])
  })

  test('figures are GB however small or large', () => {
    const budget: Budget = { pool: 'unified-memory', bytes: 1_500n * GB }
    const ledger = ledgerOf(budget, [instance('A', 1_499_900_000_000n), instance('tiny', 1_000_000n)])
    expect(messages(admit(ledger, instance('R', 2_000n * GB)))).toEqual([
      "unplaceable: 'R' needs 2000.0 GB but only 0.1 GB of the 1500.0 GB unified-memory budget is free " +
        '(held by A 1499.9 GB, tiny 0.0 GB)',
    ])
  })

  test('exactly the budget fits and one byte more does not', () => {
    const ledger = ledgerOf(UNIFIED_96, [instance('A', 41n * GB)])
    expect(admit(ledger, instance('R', 55n * GB)).ok).toBe(true)
    expect(admit(ledger, instance('R', 55n * GB + 1n)).ok).toBe(false)
  })

  test('without a budget only excludes are checked', () => {
    const ledger = ledgerOf(null, [instance('A', 10_000n * GB)])
    expect(freeInBudget(ledger)).toBeNull()
    expect(admit(ledger, instance('B', 10_000n * GB)).ok).toBe(true)
    expect(admit(ledger, instance('B', 1n, ['A'])).ok).toBe(false)
  })

  test('is what is free in the pool, named after it', () => {
    const pool = { freeBytes: 5n, totalBytes: 9n }
    expect(budgetOf({ name: 'unified', ...pool })).toEqual({ pool: 'unified-memory', bytes: 5n })
    expect(budgetOf({ name: 'accelerator', ...pool })).toEqual({ pool: 'accelerator-memory', bytes: 5n })
    expect(budgetOf(null)).toBeNull()
  })
})

describe('excludes', () => {
  test('the newcomer may declare it, with or without the prefix', () => {
    const ledger = ledgerOf(UNIFIED_96, [instance('W', GB)])
    for (const entry of ['W', 'role:W']) {
      expect(messages(admit(ledger, instance('R', GB, [entry])))).toEqual([
        "unplaceable: 'R' cannot be resident beside 'W' ('R' excludes it)",
      ])
    }
  })

  test('the resident may declare it', () => {
    const ledger = ledgerOf(UNIFIED_96, [instance('W', GB, ['role:R'])])
    expect(messages(admit(ledger, instance('R', GB)))).toEqual([
      "unplaceable: 'R' cannot be resident beside 'W' ('W' excludes it)",
    ])
  })

  test('when both declare it the newcomer is named', () => {
    const ledger = ledgerOf(UNIFIED_96, [instance('W', GB, ['R'])])
    expect(messages(admit(ledger, instance('R', GB, ['W'])))[0]).toContain("('R' excludes it)")
  })

  test('only whole names and the one prefix count', () => {
    expect(excludesRole(['role:W', 'x'], 'W')).toBe(true)
    expect(excludesRole(['role:role:W', 'W2', 'node:W'], 'W')).toBe(false)
    expect(excludesRole(['role:W'], 'role:W')).toBe(true)
  })

  test('are reported before the budget, in the order of the residents’ names', () => {
    const ledger = ledgerOf(UNIFIED_96, [instance('W', 50n * GB), instance('B', 40n * GB)])
    expect(messages(admit(ledger, instance('R', 55n * GB, ['W', 'B'])))).toEqual([
      "unplaceable: 'R' cannot be resident beside 'B' ('R' excludes it)",
      "unplaceable: 'R' cannot be resident beside 'W' ('R' excludes it)",
      "unplaceable: 'R' needs 55.0 GB but only 6.0 GB of the 96.0 GB unified-memory budget is free " +
        '(held by B 40.0 GB, W 50.0 GB)',
    ])
  })
})

describe('instances', () => {
  test('one that is there already is counted once', () => {
    const ledger = ledgerOf(UNIFIED_96, [instance('A', 55n * GB)])
    expect(admit(ledger, instance('A', 55n * GB))).toEqual({ ok: true, ledger })
  })

  test('are visited by code point, whatever the order they came in', () => {
    const names = ['b', 'a', 'B', '\u{1F600}', '\uFF5E']
    const ledger = ledgerOf(
      null,
      names.map((name) => instance('role', 1n, [], name)),
    )
    expect(ledger.instances.map(({ name }) => name)).toEqual(['B', 'a', 'b', '\uFF5E', '\u{1F600}'])
  })

  test('two of one role both count', () => {
    const ledger = ledgerOf(UNIFIED_96, [
      instance('A', 50n * GB, [], 'A'),
      instance('A', 40n * GB, [], 'A#2'),
    ])
    expect(ledger.usedBytes).toBe(90n * GB)
  })

  test('releasing one makes room for another', () => {
    const ledger = ledgerOf(UNIFIED_96, [instance('A', 55n * GB), instance('B', 9n * GB)])
    expect(release(ledger, 'nobody')).toBe(ledger)
    const freed = release(ledger, 'A')
    expect(freed.usedBytes).toBe(9n * GB)
    expect(admit(freed, instance('R', 87n * GB)).ok).toBe(true)
  })
})

const arbitraryInstance = fc.record({
  name: fc.constantFrom('a', 'b', 'c', 'd', 'e', 'f'),
  role: fc.constantFrom('p', 'q', 'r'),
  bytes: fc.bigInt(0n, 60n),
  excludes: fc.array(fc.constantFrom('p', 'role:q', 'r', 'role:'), { maxLength: 2 }),
})

test('whatever comes, no ledger is over its budget or against an exclude, and admitting changes no earlier one', () => {
  fc.assert(
    fc.property(fc.bigInt(0n, 100n), fc.array(arbitraryInstance, { maxLength: 12 }), (bytes, instances) => {
      let ledger = emptyLedger({ pool: 'unified-memory', bytes })
      for (const each of instances) {
        const before = structuredClone(ledger)
        const admission = admit(ledger, each)
        expect(ledger).toEqual(before)
        if (admission.ok) ledger = admission.ledger
      }
      expect(ledger.usedBytes <= bytes).toBe(true)
      expect(ledger.usedBytes).toBe(ledger.instances.reduce((sum, each) => sum + each.bytes, 0n))
      for (const a of ledger.instances) {
        for (const b of ledger.instances) {
          if (a !== b) expect(excludesRole(a.excludes, b.role)).toBe(false)
        }
      }
    }),
  )
})
