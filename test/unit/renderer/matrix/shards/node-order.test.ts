import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countNodes,
  NODE_SORTS,
  orderNodes,
  START_NODE_OPTIONS,
  type NodeOptions,
} from '../../../../../renderer/matrix/shards/node-order.ts'
import { shardMatrix, type ShardMatrix } from '../../../../../shared/plan/matrix.ts'
import { GB, hashOf, labOf, modelOf, planOf, type NodeSketch } from '../../../shared/plan/matrix-labs.ts'

const MODEL = modelOf('m', [0, 1, 2, 3].map(hashOf))

function matrixOf(nodes: readonly NodeSketch[], transfer = true): ShardMatrix {
  const [role] = planOf(labOf([['r', 'm', 8]], [MODEL], nodes), transfer).roles
  const matrix = role === undefined ? null : shardMatrix(role.manifest, role.nodes, role.outcome)
  if (matrix === null) throw new Error('the role has no manifest')
  return matrix
}

function namesIn(matrix: ShardMatrix, options: Partial<NodeOptions>): (string | undefined)[] {
  return orderNodes(matrix, { ...START_NODE_OPTIONS, ...options }).map((node) => matrix.nodes[node]?.nodeId)
}

const NODES: NodeSketch[] = [
  { id: 'a-out', runs: false },
  { id: 'b-one', held: [hashOf(0)] },
  { id: 'c-away', away: ['m'], runs: false },
  { id: 'node-10', held: [0, 1, 2].map(hashOf) },
  { id: 'node-9', held: [0, 1].map(hashOf) },
  { id: 'y-whole', whole: ['m'], runs: false },
  { id: 'Z-none' },
]

describe('orderNodes', () => {
  test('starts with target and sources, then candidates by fewest missing bytes, then others by id', () => {
    expect(namesIn(matrixOf(NODES), {})).toEqual([
      'node-10',
      'y-whole',
      'node-9',
      'b-one',
      'Z-none',
      'a-out',
      'c-away',
    ])
  })

  test('puts the node a role runs on first', () => {
    expect(namesIn(matrixOf([{ id: 'a' }, { id: 'b', whole: ['m'] }]), {})).toEqual(['b', 'a'])
  })

  test('sorts names as a person counts', () => {
    const names = namesIn(matrixOf(NODES), { sort: 'name' })
    expect(names.indexOf('node-9')).toBeLessThan(names.indexOf('node-10'))
    expect(names.at(-1)).toBe('Z-none')
  })

  test('sorts by missing bytes, fewest first', () => {
    expect(namesIn(matrixOf(NODES), { sort: 'missing' }).slice(0, 4)).toEqual([
      'y-whole',
      'node-10',
      'node-9',
      'b-one',
    ])
  })

  test('sorts by free space, most first', () => {
    const nodes: NodeSketch[] = [
      { id: 'a', free: null },
      { id: 'b', free: 5n * GB },
      { id: 'c', free: 9n * GB },
      { id: 'd', free: 0n },
    ]
    expect(namesIn(matrixOf(nodes), { sort: 'free' })).toEqual(['c', 'b', 'd', 'a'])
  })

  test('shows eligible nodes, holders, and names that hold a text', () => {
    const matrix = matrixOf(NODES)
    expect(namesIn(matrix, { filter: 'eligible' }).toSorted()).toEqual([
      'Z-none',
      'b-one',
      'node-10',
      'node-9',
    ])
    expect(namesIn(matrix, { filter: 'holders' }).toSorted()).toEqual([
      'b-one',
      'c-away',
      'node-10',
      'node-9',
      'y-whole',
    ])
    expect(namesIn(matrix, { text: ' NODE ' })).toEqual(['node-10', 'node-9'])
    expect(namesIn(matrix, { text: 'nothing' })).toEqual([])
  })

  test('counts what each filter shows', () => {
    const matrix = matrixOf(NODES)
    expect(countNodes(matrix.nodes)).toEqual({ all: 7, eligible: 4, holders: 5 })
  })

  test('only reorders: every order shows the same nodes once', () => {
    const sketches = fc.array(
      fc.record({
        held: fc.uniqueArray(fc.integer({ min: 0, max: 3 }).map(hashOf)),
        runs: fc.boolean(),
        memory: fc.constantFrom(4n * GB, 64n * GB),
      }),
      { maxLength: 8 },
    )
    fc.assert(
      fc.property(sketches, fc.boolean(), fc.constantFrom(...NODE_SORTS), (nodes, transfer, { id }) => {
        const matrix = matrixOf(
          nodes.map((node, i) => ({ ...node, id: `n${i}` })),
          transfer,
        )
        const order = orderNodes(matrix, { ...START_NODE_OPTIONS, sort: id })
        expect(order.toSorted((a, b) => a - b)).toEqual(matrix.nodes.map((_, node) => node))
      }),
      { numRuns: 60 },
    )
  })
})
