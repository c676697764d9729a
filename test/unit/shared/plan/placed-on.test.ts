import { describe, expect, it } from 'vitest'
import { placedOn } from '../../../../shared/plan/placed-on.ts'
import { specMemoryBytes } from '../../../../shared/inference-spec.ts'
import { hashOf, labOf, modelOf, planOf } from './matrix-labs.ts'

describe('placedOn', () => {
  it('gathers the roles each decision puts on a node, in roster order, with their memory together', () => {
    const models = [modelOf('m', [hashOf(0)]), modelOf('n', [hashOf(1)])]
    const lab = labOf(
      [
        ['first', 'm', 8],
        ['lost', 'nowhere', 8],
        ['second', 'm', 12],
        ['third', 'n', 4],
      ],
      models,
      [
        { id: 'a', whole: ['m'] },
        { id: 'b', held: [] },
        { id: 'c', whole: ['n'], runs: false },
      ],
    )
    const plan = planOf(lab, true)
    const placed = placedOn(plan)
    const [first, , second, third] = plan.roles.map(({ imported }) => specMemoryBytes(imported.spec))
    expect([...placed].map(([node, { roles }]) => [node, roles.map(({ role }) => role)])).toEqual([
      ['a', ['first', 'second', 'third']],
    ])
    expect(placed.get('a')?.memoryBytes).toBe((first ?? 0n) + (second ?? 0n) + (third ?? 0n))
  })

  it('places nobody in a lab where nothing can run', () => {
    expect(placedOn(planOf(labOf([['r', 'm', 8]], [], []), true)).size).toBe(0)
  })
})
