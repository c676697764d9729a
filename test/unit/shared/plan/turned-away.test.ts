import { describe, expect, test } from 'vitest'
import { turnedAway } from '../../../../shared/plan/turned-away.ts'
import { GB, hashOf, labOf, modelOf, planOf } from './matrix-labs.ts'

const lab = labOf(
  [
    ['first', 'm', 8],
    ['second', 'm', 8],
    ['third', 'm', 4],
    ['lost', 'nowhere', 4],
  ],
  [modelOf('m', [hashOf(0)])],
  [
    { id: 'a', whole: ['m'], memory: 13n * GB },
    { id: 'b', whole: ['m'], memory: 64n * GB },
  ],
)

function told(offRoles: readonly string[]): unknown {
  const away = turnedAway(planOf(lab, true, { offRoles: new Set(offRoles) }))
  return [...away].map(([node, roles]) => [
    node,
    roles.map(({ role, obstacle }) => [role.role, obstacle.kind]),
  ])
}

describe('turnedAway', () => {
  test('names the roles that were decided for a node and had no room there', () => {
    expect(told([])).toEqual([['a', [['second', 'co_residency']]]])
  })

  test('counts no one who does not run', () => {
    expect(told(['second'])).toEqual([])
  })
})
