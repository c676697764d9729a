import { describe, expect, test } from 'vitest'
import {
  countHolders,
  holdsOf,
  nodeStanding,
  spokenCell,
} from '../../../../../renderer/matrix/shards/shard-words.ts'
import { shardMatrix, type ShardMatrix } from '../../../../../shared/plan/matrix.ts'
import type { Scenario } from '../../../../../shared/scenario/scenario.ts'
import { GB, hashOf, labOf, modelOf, planOf, type NodeSketch } from '../../../shared/plan/matrix-labs.ts'

const NODES: NodeSketch[] = [
  { id: 'away', away: ['m'], runs: false, memory: GB },
  { id: 'loose', held: [0, 1, 2].map(hashOf), runs: false },
  { id: 'none', runs: false },
  { id: 'partly-away', away: ['m'], held: [hashOf(2)], runs: false },
  { id: 'target', held: [0, 1].map(hashOf) },
  { id: 'whole', whole: ['m'], runs: false },
]

function matrixOf(patch: Partial<Scenario> = {}): ShardMatrix {
  const model = modelOf('m', [0, 1, 2].map(hashOf))
  const [role] = planOf(labOf([['r', 'm', 8]], [model], NODES), true, patch).roles
  const matrix = role === undefined ? null : shardMatrix(role.manifest, role.nodes, role.outcome)
  if (matrix === null) throw new Error('the role has no manifest')
  return matrix
}

function at(matrix: ShardMatrix, id: string): number {
  return matrix.nodes.findIndex(({ nodeId }) => nodeId === id)
}

describe('spokenCell', () => {
  test('names node, shard, path, size and state', () => {
    const matrix = matrixOf()
    expect(spokenCell(matrix, at(matrix, 'target'), 2)).toBe(
      'target, shard 3 of 3, m-3.gguf, 1.0 GB, would be fetched',
    )
    expect(spokenCell(matrix, at(matrix, 'whole'), 2)).toBe(
      'whole, shard 3 of 3, m-3.gguf, 1.0 GB, held, would be fetched from here',
    )
    expect(spokenCell(matrix, at(matrix, 'whole'), 0)).toBe('whole, shard 1 of 3, m-1.gguf, 1.0 GB, held')
    expect(spokenCell(matrix, at(matrix, 'away'), 0)).toBe(
      'away, shard 1 of 3, m-1.gguf, 1.0 GB, on storage that is away',
    )
    expect(spokenCell(matrix, at(matrix, 'none'), 0)).toBe('none, shard 1 of 3, m-1.gguf, 1.0 GB, missing')
  })
})

describe('holdsOf', () => {
  test('reports held shards and what is missing, whole, away or not vouched for', () => {
    const matrix = matrixOf()
    const words = (id: string): string[] => {
      const { main, second } = holdsOf(matrix, at(matrix, id))
      return [main, second]
    }
    expect(words('target')).toEqual(['2 of 3', '1.0 GB missing'])
    expect(words('whole')).toEqual(['3 of 3', 'complete'])
    expect(words('away')).toEqual(['detached', 'drive away'])
    expect(words('partly-away')).toEqual(['1 of 3', 'drive away'])
    expect(words('loose')).toEqual(['3 of 3', 'not attested'])
    expect(holdsOf(matrix, at(matrix, 'target')).exact).toContain('1,000,000,000 bytes missing')
  })
})

describe('nodeStanding', () => {
  test('is eligible, or the first failed constraint and how many more', () => {
    const matrix = matrixOf()
    const standing = (id: string): unknown => {
      const verdict = matrix.nodes[at(matrix, id)]
      return verdict === undefined ? null : nodeStanding(verdict)
    }
    expect(standing('target')).toEqual({ tone: 'yes', text: 'eligible', more: 0, full: 'eligible' })
    expect(standing('away')).toMatchObject({
      tone: 'no',
      text: 'runtime.infer.llamacpp is not installed on, or not reported by, this node',
      more: 2,
    })
  })

  test('stays eligible when treated as such, and says what it fails', () => {
    const matrix = matrixOf({ forcedNodes: new Map([['none', 'in']]) })
    const verdict = matrix.nodes[at(matrix, 'none')]
    expect(verdict && nodeStanding(verdict)).toMatchObject({ tone: 'yes', text: 'eligible', more: 0 })
    expect(verdict && nodeStanding(verdict).full).toContain('treated as eligible, although')
  })
})

describe('countHolders', () => {
  test('counts nodes that hold a shard, and those that have it away', () => {
    const matrix = matrixOf()
    expect(countHolders(matrix, 0)).toEqual({ held: 3, away: 2 })
    expect(countHolders(matrix, 2)).toEqual({ held: 3, away: 1 })
  })
})
