import { describe, expect, test } from 'vitest'
import { spokenLabCell } from '../../../../../renderer/matrix/lab/lab-words.ts'
import { LabMatrix } from '../../../../../shared/plan/matrix.ts'
import { GB, hashOf, labOf, modelOf, planOf } from '../../../shared/plan/matrix-labs.ts'

const lab = labOf(
  [
    ['big', 'four', 8],
    ['small', 'one', 4],
  ],
  [modelOf('four', [0, 1].map(hashOf)), modelOf('one', [hashOf(9)])],
  [
    { id: 'away', away: ['four'], runs: false },
    { id: 'holder', whole: ['one'] },
    { id: 'second', whole: ['one'] },
    { id: 'source', whole: ['four'], runs: false },
    { id: 'target', held: [hashOf(0)] },
  ],
)
const ids = lab.nodes.map(({ nodeId }) => nodeId)
const matrix = new LabMatrix(planOf(lab, true), ids)

function spoken(role: number, id: string): string {
  const node = ids.indexOf(id)
  const plan = matrix.roles[role]
  const verdict = plan?.verdictAt(node)
  return plan && verdict ? spokenLabCell(plan, verdict, matrix.cell(role, node)) : ''
}

describe('spokenLabCell', () => {
  test('says what the node is to the role, and why it is not eligible', () => {
    expect(spoken(1, 'holder')).toBe('small, holder, runs here, from the bytes it holds')
    expect(spoken(0, 'target')).toBe('big, target, would be fetched here, 1.0 GB to move, then run')
    expect(spoken(0, 'source')).toMatch(
      /^big, source, would be fetched from here; runtime\.infer\.llamacpp is not/,
    )
    expect(spoken(1, 'second')).toBe('small, second, holds the whole model; eligible, not chosen')
    expect(spoken(0, 'away')).toMatch(/^big, away, has the model on storage that is away; runtime/)
    expect(spoken(0, 'holder')).toBe('big, holder, eligible')
    expect(spoken(1, 'away')).toMatch(
      /^small, away, runtime\.infer\.llamacpp is not installed on, or not reported by, this node/,
    )
  })

  test('reports what an unchosen node holds in part', () => {
    const off = new LabMatrix(planOf(lab, false), ids)
    const node = ids.indexOf('target')
    const verdict = off.roles[0]?.verdictAt(node)
    expect(off.roles[0] && verdict && spokenLabCell(off.roles[0], verdict, off.cell(0, node))).toBe(
      'big, target, eligible; holds 1 of 2 shards',
    )
  })

  test('says where a role runs that the others keep from its own node', () => {
    const crowded = labOf(
      [
        ['first', 'one', 8],
        ['second', 'one', 8],
      ],
      [modelOf('one', [hashOf(9)])],
      [
        { id: 'a', whole: ['one'], memory: 9n * GB },
        { id: 'b', whole: ['one'] },
      ],
    )
    const plan = planOf(crowded, false)
    const [, second] = plan.roles
    const cells = new LabMatrix(plan, ['a', 'b'])
    const words = [0, 1].map((node) => {
      const verdict = second?.verdictAt(node)
      return second && verdict ? spokenLabCell(second, verdict, cells.cell(1, node)) : ''
    })
    expect(words[0]).toMatch(/^second, a, would run here by itself: 'second' needs 8\.0 GB but only/)
    expect(words[1]).toMatch(/^second, b, runs here instead\. Run on b instead of a: it also holds/)
  })
})
