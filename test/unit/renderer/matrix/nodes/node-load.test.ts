import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { loadBar, nodeLoad, type NodeLoad } from '../../../../../renderer/matrix/nodes/node-load.ts'
import { U64_MAX } from '../../../../../shared/bytes.ts'
import { emptyLedger, type Budget } from '../../../../../shared/placement/ledger.ts'
import type { NodeResidency } from '../../../../../shared/plan/types.ts'

function residency(budget: Budget | null, usedBytes: bigint): NodeResidency {
  const ledger = { ...emptyLedger(budget), usedBytes }
  return { nodeId: 'n', ledger, portClashes: [], incomingBytes: 0n, freeBytes: null }
}

function load(figures: Partial<NodeLoad>): NodeLoad {
  return { total: 100n, taken: 40n, budget: 60n, used: 0n, refused: 0n, ...figures }
}

describe('nodeLoad', () => {
  const budget: Budget = { pool: 'unified-memory', bytes: 60n }

  test('reports what is taken by others and what the roles hold', () => {
    expect(nodeLoad(residency(budget, 50n), [], 100n)).toEqual(load({ used: 50n }))
  })

  test('takes a budget beyond the pool at its word', () => {
    expect(nodeLoad(residency(budget, 0n), [], 50n)).toMatchObject({ total: 60n, taken: 0n })
    expect(nodeLoad(residency(budget, 0n), [], null)).toMatchObject({ total: 60n, taken: 0n })
  })

  test('is null without a budget', () => {
    expect(nodeLoad(residency(null, 0n), [], 50n)).toBeNull()
  })
})

describe('loadBar', () => {
  test('draws what was turned away past what is used, and past the pool’s end when it would not fit', () => {
    expect(loadBar(load({ used: 50n, refused: 35n }))).toEqual({
      parts: [
        { kind: 'taken', start: 0, length: 32 },
        { kind: 'used', start: 32, length: 40 },
        { kind: 'refused', start: 72, length: 28 },
      ],
      end: 80,
    })
    expect(loadBar(load({ used: 10n, refused: 20n })).end).toBe(100)
  })

  test('draws nothing of an empty pool', () => {
    expect(loadBar({ total: 0n, taken: 0n, budget: 0n, used: 0n, refused: 0n })).toEqual({
      parts: [],
      end: 100,
    })
  })

  test('never overlaps and never leaves the bar, whatever the figures', () => {
    const bytes = fc.oneof(fc.bigInt(0n, 100n), fc.bigInt(0n, U64_MAX))
    fc.assert(
      fc.property(bytes, bytes, bytes, bytes, (taken, budget, used, refused) => {
        const { parts, end } = loadBar({ total: taken + budget, taken, budget, used, refused })
        let at = 0
        for (const { start, length } of parts) {
          // Rounded to thousandths of a percent, stretches may miss each other by as much.
          expect(start).toBeGreaterThanOrEqual(at - 0.003)
          at = start + length
        }
        expect(at).toBeLessThanOrEqual(100.003)
        expect(end).toBeLessThanOrEqual(100)
      }),
    )
  })
})
