import { describe, expect, test } from 'vitest'
import { mapBounded } from '../../../../electron/host/map-bounded.ts'

describe('mapBounded', () => {
  test('keeps the order of the items and never has more than the limit under way', async () => {
    let underWay = 0
    let most = 0
    const items = Array.from({ length: 100 }, (_, i) => i)
    const results = await mapBounded(items, 7, async (item) => {
      most = Math.max(most, ++underWay)
      // Items finish out of order: each takes another number of turns.
      for (let turn = 0; turn < (item * 37) % 11; turn++) await Promise.resolve()
      underWay--
      return item * 2
    })
    expect(results).toEqual(items.map((item) => item * 2))
    expect(most).toBe(7)
  })

  test('fails when one of the items fails', async () => {
    const failing = mapBounded([1, 2, 3], 2, (item) =>
      item === 2 ? Promise.reject(new Error('two')) : Promise.resolve(item),
    )
    await expect(failing).rejects.toThrow('two')
  })
})
