import { describe, expect, test } from 'vitest'
import { nodeColumns, nodesInUse } from '../../../../../renderer/matrix/lab/node-columns.ts'
import { hashOf, labOf, modelOf, planOf } from '../../../shared/plan/matrix-labs.ts'

const lab = labOf(
  [
    ['big', 'four', 8],
    ['small', 'one', 4],
    ['lost', 'nowhere', 4],
  ],
  [modelOf('four', [0, 1].map(hashOf)), modelOf('one', [hashOf(9)])],
  [
    { id: 'holder', whole: ['one'] },
    { id: 'idle', memory: 1n },
    { id: 'Source', whole: ['four'], runs: false },
    { id: 'target', held: [hashOf(0)] },
  ],
)
const ids = lab.nodes.map(({ nodeId }) => nodeId)

describe('nodesInUse', () => {
  test('names where roles run, what is fetched to and what is fetched from', () => {
    expect([...nodesInUse(planOf(lab, true))].toSorted()).toEqual(['Source', 'holder', 'target'])
    expect([...nodesInUse(planOf(lab, false))]).toEqual(['holder'])
  })
})

describe('nodeColumns', () => {
  const used = nodesInUse(planOf(lab, true))
  const shown = (filter: 'all' | 'in_use', text: string): (string | undefined)[] =>
    nodeColumns(ids, used, { filter, text }).map((node) => ids[node])

  test('keeps the nodes’ order and shows what is asked for', () => {
    expect(shown('all', '')).toEqual(ids)
    expect(shown('in_use', '')).toEqual(ids.filter((id) => id !== 'idle'))
    expect(shown('all', ' SOUR')).toEqual(['Source'])
    expect(shown('in_use', 'idle')).toEqual([])
  })
})
