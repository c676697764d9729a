import { describe, expect, test } from 'vitest'
import { constraintGroups } from '../../../../renderer/explain/constraint-groups.ts'
import type { RolePlan } from '../../../../shared/plan/types.ts'
import { able, firstRole, lab, model, node, planned } from '../../shared/plan/make-lab.ts'

const A = model('model-a')

function roleOf(): RolePlan {
  const nodes = [
    node('a-without', []),
    node('b-able', able()),
    node('c-without', []),
    node('d-able', able()),
    node('e-without', []),
  ]
  return firstRole(planned(lab({ manifests: [A], nodes })))
}

const idsOf = (unfolded: ReadonlySet<string> | null): string[][] =>
  constraintGroups(roleOf(), unfolded).map(({ verdicts }) => verdicts.map(({ nodeId }) => nodeId))

describe('the groups of a role’s constraints', () => {
  test('hold nodes of which the same is said, those that fail first', () => {
    expect(idsOf(new Set())).toEqual([
      ['a-without', 'c-without', 'e-without'],
      ['b-able', 'd-able'],
    ])
  })

  test('are a row for each node once unfolded, and the others stay', () => {
    const [failing] = constraintGroups(roleOf(), new Set())
    expect(idsOf(new Set([failing?.key ?? '']))).toEqual([
      ['a-without'],
      ['c-without'],
      ['e-without'],
      ['b-able', 'd-able'],
    ])
  })

  test('are none in a small lab', () => {
    const groups = constraintGroups(roleOf(), null)
    expect(groups.map(({ first }) => first.nodeId)).toEqual([
      'a-without',
      'c-without',
      'e-without',
      'b-able',
      'd-able',
    ])
    expect(groups.every(({ isFolded }) => !isFolded)).toBe(true)
  })
})
