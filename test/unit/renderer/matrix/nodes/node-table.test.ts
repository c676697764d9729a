import { describe, expect, test } from 'vitest'
import {
  countNodeRows,
  nodeRows,
  START_NODE_ROW_OPTIONS,
  type NodeRowOptions,
} from '../../../../../renderer/matrix/nodes/node-rows.ts'
import { NodeTable } from '../../../../../renderer/matrix/nodes/node-table.ts'
import {
  factsAge,
  incomingWords,
  loadWords,
  nodeTroubles,
  residentWords,
} from '../../../../../renderer/matrix/nodes/node-words.ts'
import { specMemoryBytes } from '../../../../../shared/inference-spec.ts'
import { GB, hashOf, labOf, modelOf, planOf } from '../../../shared/plan/matrix-labs.ts'

const lab = labOf(
  [
    ['a', 'm', 4],
    ['b', 'm', 4],
    ['c', 'm', 4],
    ['d', 'm', 4],
    ['e', 'm', 8],
    ['f', 'n', 4],
  ],
  [modelOf('m', [hashOf(0)]), modelOf('n', [hashOf(1), hashOf(2)])],
  [
    { id: 'node-10', held: [hashOf(1)], memory: 17n * GB },
    { id: 'node-9', whole: ['m'], memory: 20n * GB },
    { id: 'small', memory: 1n * GB },
    { id: 'unable', whole: ['n'], runs: false },
  ],
)
const table = new NodeTable(planOf(lab, true), lab)

function entryOf(id: string): NonNullable<ReturnType<NodeTable['entry']>> {
  const entry = table.entry(lab.nodes.findIndex(({ nodeId }) => nodeId === id))
  if (entry === null) throw new Error(`no node ${id}`)
  return entry
}

function rows(options: Partial<NodeRowOptions>): (string | undefined)[] {
  return nodeRows(table, { ...START_NODE_ROW_OPTIONS, ...options }).map((row) => table.nodes[row]?.nodeId)
}

describe('NodeTable', () => {
  test('counts the roles each node is eligible for', () => {
    expect(lab.nodes.map((_, node) => table.eligibleFor(node))).toEqual([6, 6, 0, 0])
  })

  test('adds up what its roles hold and what those it turned away would have held', () => {
    const { load, residency, away } = entryOf('node-9')
    const needs = table.plan.roles.map(({ imported }) => specMemoryBytes(imported.spec))
    const together = (from: number, to: number): bigint =>
      needs.slice(from, to).reduce((sum, need) => sum + need, 0n)
    expect(residency.ledger.instances.map(({ name }) => name)).toEqual(['a', 'b', 'c', 'd'])
    expect(away.map(({ role }) => role.role)).toEqual(['e'])
    expect(load).toMatchObject({ budget: 20n * GB, used: together(0, 4), refused: together(4, 5) })
    expect(table.entry(99)).toBeNull()
  })

  test('counts memory as the scenario assumes it', () => {
    const memory = new Map([['small', 3n * GB]])
    const assumed = new NodeTable(planOf(lab, true, { memory }), lab)
    expect(assumed.entry(2)?.load).toMatchObject({ budget: 3n * GB, total: 3n * GB })
  })
})

describe('nodeRows', () => {
  test('sorts as a person counts, by free memory and by memory in use', () => {
    expect(rows({})).toEqual(['node-9', 'node-10', 'small', 'unable'])
    expect(rows({ sort: 'free_memory' })).toEqual(['unable', 'node-9', 'node-10', 'small'])
    expect(rows({ sort: 'used' }).slice(0, 2)).toEqual(['node-9', 'node-10'])
  })

  test('shows nodes in use, nodes without room, and names that hold a text', () => {
    expect(rows({ filter: 'in_use' })).toEqual(['node-9', 'node-10'])
    expect(rows({ filter: 'turns_away' })).toEqual(['node-9'])
    expect(rows({ text: 'SM' })).toEqual(['small'])
    expect(countNodeRows(table)).toEqual({ all: 4, in_use: 2, turns_away: 1 })
  })
})

describe('words of a node', () => {
  test('names who runs there, each with its memory', () => {
    expect(residentWords(entryOf('node-9'))).toBe('a 4.0 GB · b 4.0 GB · c 4.0 GB · d 4.0 GB')
    expect(residentWords(entryOf('node-10'))).toBe('e 8.0 GB · f 4.0 GB')
    expect(residentWords(entryOf('small'))).toBe('no roles here')
  })

  test('reports memory, and who found no room in the reference’s words', () => {
    expect(loadWords(entryOf('node-9'))).toBe('16.0 GB used of 20.0 GB')
    expect(loadWords(entryOf('small'))).toBe('1.0 GB free of 1.0 GB')
    expect(nodeTroubles(entryOf('node-10'))).toEqual([])
    expect(nodeTroubles(entryOf('node-9'))).toEqual([
      {
        kind: 'turned_away',
        short: 'no room for e 8.0 GB',
        full: expect.stringMatching(
          /^unplaceable: 'e' needs 8\.0 GB but only 4\.0 GB of the 20\.0 GB/,
        ) as string,
      },
    ])
  })

  test('reports two roles on one port', () => {
    const entry = entryOf('node-9')
    const portClashes = [{ port: 8081, roles: ['a', 'b'] }]
    expect(nodeTroubles({ ...entry, away: [], residency: { ...entry.residency, portClashes } })).toEqual([
      {
        kind: 'port_clash',
        short: 'port 8081 twice',
        full: 'a and b serve on port 8081; give all but one of them another',
      },
    ])
  })

  test('reports what would be fetched to the node, beside its free space', () => {
    expect(incomingWords(entryOf('node-10'))).toBe(
      '2,000,000,000 bytes would be fetched here, 1,000,000,000,000 bytes free',
    )
    expect(incomingWords(entryOf('node-9'))).toBeNull()
  })

  test('reports the age of facts and whether they still hold', () => {
    expect(factsAge(entryOf('small'), 60)).toEqual({
      text: 'fresh',
      stale: false,
      full: 'facts of 1 min ago; they hold for another 0 s',
    })
    expect(factsAge(entryOf('small'), 3660)).toEqual({
      text: 'stale',
      stale: true,
      full: 'facts of 1 h 1 min ago; they held until 1 h ago',
    })
  })
})
