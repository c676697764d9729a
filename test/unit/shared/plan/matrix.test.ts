import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LabMatrix, shardMatrix, type ShardMatrix } from '../../../../shared/plan/matrix.ts'
import type { LabPlan, RolePlan } from '../../../../shared/plan/types.ts'
import { GB, hashOf, labOf, modelOf, planOf, type NodeSketch } from './matrix-labs.ts'

const FOUR = modelOf('four', [0, 1, 2, 3].map(hashOf))

function matrixFor({ manifest, nodes, outcome }: RolePlan): ShardMatrix | null {
  return shardMatrix(manifest, nodes, outcome)
}

function matrixOf(plan: LabPlan): ShardMatrix {
  const matrix = plan.roles[0] === undefined ? null : matrixFor(plan.roles[0])
  if (matrix === null) throw new Error('the role has no manifest')
  return matrix
}

function rowsOf(matrix: ShardMatrix): Record<string, string[]> {
  return Object.fromEntries(
    matrix.nodes.map(({ nodeId }, node) => [
      nodeId,
      matrix.shards.map((_, shard) => matrix.cell(node, shard)),
    ]),
  )
}

const MIXED: NodeSketch[] = [
  { id: 'away', away: ['four'], held: [hashOf(1)], runs: false },
  { id: 'empty' },
  { id: 'source', whole: ['four'], runs: false },
  { id: 'target', held: [hashOf(0), hashOf(2)] },
]

describe('shardMatrix', () => {
  test('shows what moves from where to where when the decision is a fetch', () => {
    const plan = planOf(labOf([['r', 'four', 8]], [FOUR], MIXED), true)
    const matrix = matrixOf(plan)
    expect(plan.roles[0]?.decision).toMatchObject({ kind: 'fetch_then_place', target: 'target' })
    expect(rowsOf(matrix)).toEqual({
      away: ['detached', 'held', 'detached', 'detached'],
      empty: ['missing', 'missing', 'missing', 'missing'],
      source: ['held', 'source', 'held', 'source'],
      target: ['held', 'fetch', 'held', 'fetch'],
    })
    expect(matrix.nodes.map((_, node) => matrix.part(node))).toEqual([null, null, 'source', 'target'])
  })

  test('shows nothing as moving while transfer is off', () => {
    const matrix = matrixOf(planOf(labOf([['r', 'four', 8]], [FOUR], MIXED), false))
    expect(rowsOf(matrix)['source']).toEqual(['held', 'held', 'held', 'held'])
    expect(rowsOf(matrix)['target']).toEqual(['held', 'missing', 'held', 'missing'])
    expect(matrix.nodes.map((_, node) => matrix.part(node))).toEqual([null, null, null, null])
  })

  test('distinguishes a file with other bytes from one that is missing, and does not count it as held', () => {
    const nodes: NodeSketch[] = [
      { id: 'a', held: [hashOf(0)], mismatched: { of: 'four', hashes: [hashOf(1), hashOf(3)] } },
      { id: 'b', mismatched: { of: 'another', hashes: [hashOf(1)] } },
    ]
    const matrix = matrixOf(planOf(labOf([['r', 'four', 8]], [FOUR], nodes), true))
    expect(rowsOf(matrix)).toEqual({
      a: ['held', 'mismatch', 'missing', 'mismatch'],
      b: ['missing', 'missing', 'missing', 'missing'],
    })
    expect([matrix.heldShards(0), matrix.mismatchedShards(0), matrix.mismatchedShards(1)]).toEqual([1, 2, 0])
  })

  test('marks the node it runs on when the bytes are there', () => {
    const nodes: NodeSketch[] = [{ id: 'a' }, { id: 'b', whole: ['four'] }]
    const matrix = matrixOf(planOf(labOf([['r', 'four', 8]], [FOUR], nodes), true))
    expect([matrix.part(0), matrix.part(1), matrix.part(2)]).toEqual([null, 'runs', null])
  })

  test('counts shards of one content each, as the bytes to fetch do', () => {
    const twins = modelOf('twins', [hashOf(0), hashOf(0), hashOf(1)])
    const matrix = matrixOf(
      planOf(labOf([['r', 'twins', 8]], [twins], [{ id: 'a', held: [hashOf(0)] }]), true),
    )
    expect(rowsOf(matrix)['a']).toEqual(['held', 'held', 'missing'])
    expect(matrix.heldShards(0)).toBe(2)
    expect(matrix.nodes[0]?.missingBytes).toBe(GB)
  })

  test('is null for a role without a manifest', () => {
    const [role] = planOf(labOf([['r', 'unknown', 8]], [], [{ id: 'a' }]), true).roles
    expect(role === undefined ? undefined : matrixFor(role)).toBeNull()
  })

  test('agrees with the decision: what is fetched adds up to its shards, and each source has them', () => {
    const sketch = fc.record({
      held: fc.uniqueArray(fc.integer({ min: 0, max: 5 }).map(hashOf)),
      whole: fc.boolean(),
      away: fc.boolean(),
      runs: fc.boolean(),
    })
    const model = modelOf('m', [0, 1, 2, 2, 3, 4].map(hashOf))
    fc.assert(
      fc.property(fc.array(sketch, { maxLength: 6 }), fc.boolean(), (sketches, transfer) => {
        const nodes = sketches.map(({ held, whole, away, runs }, i) => ({
          id: `n${i}`,
          held,
          runs,
          ...(whole ? { whole: ['m'] } : {}),
          ...(away ? { away: ['m'] } : {}),
        }))
        const plan = planOf(labOf([['r', 'm', 8]], [model], nodes), transfer)
        const matrix = matrixOf(plan)
        const decision = plan.roles[0]?.decision
        const count = (node: number, cell: string): number =>
          matrix.shards.filter((_, shard) => matrix.cell(node, shard) === cell).length
        matrix.nodes.forEach(({ nodeId }, node) => {
          const fetched = count(node, 'fetch')
          const read = count(node, 'source')
          const isFetch = decision?.kind === 'fetch_then_place'
          expect(fetched).toBe(isFetch && decision.target === nodeId ? decision.missingShards : 0)
          expect(read).toBe(isFetch && decision.sources.includes(nodeId) ? decision.missingShards : 0)
          expect(matrix.heldShards(node)).toBe(count(node, 'held') + read)
        })
      }),
      { numRuns: 150 },
    )
  })
})

describe('LabMatrix', () => {
  const one = modelOf('one', [hashOf(9)])
  const nodes: NodeSketch[] = [
    ...MIXED,
    { id: 'x-holder', whole: ['one'] },
    { id: 'y-holder', whole: ['one'] },
    { id: 'z-none', runs: false },
  ]
  const lab = labOf(
    [
      ['big', 'four', 8],
      ['small', 'one', 4],
      ['lost', 'nowhere', 4],
    ],
    [FOUR, one],
    nodes,
  )
  const ids = lab.nodes.map(({ nodeId }) => nodeId)

  test('reports each role’s verdict of each node', () => {
    const matrix = new LabMatrix(planOf(lab, true), ids)
    const row = (role: number): string[] => ids.map((_, node) => matrix.cell(role, node))
    expect(row(0)).toEqual(['detached', 'eligible', 'source', 'target', 'eligible', 'eligible', 'no'])
    expect(row(1)).toEqual(['no', 'eligible', 'no', 'eligible', 'runs', 'holds', 'no'])
    expect(row(2)).toEqual(['no', 'eligible', 'no', 'eligible', 'eligible', 'eligible', 'no'])
    expect(row(0)).toEqual(['detached', 'eligible', 'source', 'target', 'eligible', 'eligible', 'no'])
  })

  test('says where a role runs, and which node of its own turned it away', () => {
    const crowded = labOf(
      [
        ['first', 'one', 8],
        ['second', 'one', 8],
      ],
      [one],
      [
        { id: 'a', whole: ['one'], memory: 9n * GB },
        { id: 'b', whole: ['one'] },
      ],
    )
    const matrix = new LabMatrix(planOf(crowded, true), ['a', 'b'])
    expect([0, 1].map((node) => matrix.cell(0, node))).toEqual(['runs', 'holds'])
    expect([0, 1].map((node) => matrix.cell(1, node))).toEqual(['turned_away', 'instead'])
  })

  test('asks no role for all its nodes to tell one cell', () => {
    const plan = planOf(lab, true)
    const asked: string[] = []
    const watched: LabPlan = {
      scenario: plan.scenario,
      residency: plan.residency,
      skipped: plan.skipped,
      problems: plan.problems,
      roles: plan.roles.map((role) => ({
        role: role.role,
        imported: role.imported,
        manifest: role.manifest,
        sharing: role.sharing,
        decision: role.decision,
        placement: role.placement,
        outcome: role.outcome,
        holders: role.holders,
        locality: null,
        get nodes() {
          asked.push(role.role)
          return role.nodes
        },
        leastMemoryBytes: role.leastMemoryBytes,
        transferBar: role.transferBar,
        verdictAt: (node: number) => role.verdictAt(node),
        missingShardsAt: (node: number) => role.missingShardsAt(node),
        eligibleAt: (node: number) => role.eligibleAt(node),
        targets: () => role.targets(),
      })),
    }
    expect(new LabMatrix(watched, ids).cell(1, 4)).toBe('runs')
    expect(asked).toEqual([])
  })

  test('says no of a role or a node that is not there', () => {
    const matrix = new LabMatrix(planOf(lab, true), ids)
    expect([matrix.cell(9, 0), matrix.cell(0, 99)]).toEqual(['no', 'no'])
  })
})

describe('RolePlan.verdictAt and eligibleAt', () => {
  test('show what the list of nodes shows, before and after it is made', () => {
    const lab = labOf([['r', 'four', 8]], [FOUR], MIXED)
    const [before] = planOf(lab, true).roles
    const [after] = planOf(lab, true).roles
    const list = after?.nodes ?? []
    expect(list).toHaveLength(4)
    expect(list.map((_, node) => before?.verdictAt(node))).toEqual(list)
    expect(list.map((_, node) => after?.verdictAt(node))).toEqual(list)
    expect(list.map((_, node) => before?.eligibleAt(node))).toEqual(list.map(({ eligible }) => eligible))
    expect([before?.verdictAt(4), before?.eligibleAt(4)]).toEqual([null, false])
  })
})
