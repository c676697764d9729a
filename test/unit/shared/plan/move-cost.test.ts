import { describe, expect, test } from 'vitest'
import { valueOf, briefs } from '../../../support/problems.ts'
import { GB } from '../../../../shared/bytes.ts'
import { mergeNodes } from '../../../../shared/node/merge-nodes.ts'
import { readFleet } from '../../../../shared/node/read-fleet.ts'
import type { LabNode } from '../../../../shared/node/types.ts'
import { moveCost, moveCostLines, roleMoveText, transferSeconds } from '../../../../shared/plan/move-cost.ts'
import { able, entry, lab, model, node, planned, whole } from './make-lab.ts'

/** The node with a link of that rate. */
function linked(of: LabNode, linkMbps: number): LabNode {
  const declared = {
    nodeId: of.nodeId,
    models: new Map<string, never>(),
    freeBytes: null,
    eligible: null,
    linkMbps,
  }
  return { ...of, declared }
}

const A = model('model-a')
const B = model('model-b')
const NAS = node('nas', [whole('model-a'), whole('model-b')])
const PC = node('pc', able())
const TWO = [
  entry('one', { ram_gb: '8', port: '1' }),
  entry('two', { ram_gb: '8', name: 'model-b', port: '2' }),
]

function costOf(nodes: readonly LabNode[], entries = TWO, linkMbps: number | null = null) {
  return moveCost(planned(lab({ entries, manifests: [A, B], nodes }), { transfer: true, linkMbps }), nodes)
}

test('bytes over a link take eight bits each, in megabits of 1e6', () => {
  expect(transferSeconds(125_000_000n, 1000)).toBe(1)
})

describe('the time', () => {
  test('is that of the slower end', () => {
    const { moves, seconds, busiest, bytes } = costOf([linked(NAS, 1000), linked(PC, 2500)])
    expect(moves).toMatchObject([
      { role: 'one', target: 'pc', source: 'nas', bytes: 10n * GB, seconds: 80 },
      { role: 'two', target: 'pc', source: 'nas', seconds: 80 },
    ])
    expect([bytes, seconds, busiest]).toEqual([20n * GB, 160, { nodeId: 'nas', seconds: 160 }])
  })

  test('is from the fastest complete holder', () => {
    const other = node('vault', [whole('model-a')])
    const { moves } = costOf([linked(NAS, 100), linked(PC, 1000), linked(other, 1000)])
    expect(moves.map(({ source }) => source)).toEqual(['vault', 'nas'])
  })

  test('falls back to the default rate, and is not known without any', () => {
    expect(costOf([NAS, PC], TWO, 1000).seconds).toBe(160)
    const unknown = costOf([NAS, linked(PC, 1000)])
    expect(unknown).toMatchObject({ seconds: null, busiest: null, bytes: 20n * GB })
    expect(moveCostLines(unknown)[0]).toBe('20.0 GB would move; link rates are not known.')
  })
})

test('a model that two roles need on one node moves once', () => {
  const entries = [entry('one', { port: '1' }), entry('also', { port: '2' })]
  const { moves, bytes } = costOf([NAS, PC], entries, 1000)
  expect(bytes).toBe(10n * GB)
  expect(moves.map(roleMoveText)).toEqual([
    '10.0 GB to pc, about 1 min 20 s from nas',
    'moves with one to pc',
  ])
})

test('a role in place moves nothing and stays warm', () => {
  const cost = costOf([node('pc', [...able(), whole('model-a'), whole('model-b')])])
  expect(cost).toEqual({ moves: [], bytes: 0n, seconds: 0, busiest: null, coldRoles: [] })
  expect(moveCostLines(cost)).toEqual(['Nothing moves.'])
})

describe('a sticky role is cold', () => {
  test('where its model has to come to', () => {
    const of = lab({ entries: TWO, manifests: [A, B], nodes: [NAS, PC] })
    const plan = planned(of, { transfer: true, overlay: 'sticky: {one: false}\n' })
    expect(moveCost(plan, of.nodes).coldRoles).toEqual(['two'])
    expect(moveCostLines(moveCost(plan, of.nodes)).at(-1)).toBe('Sticky, and cold where it starts: two.')
  })

  test('on another node than before, though nothing moves', () => {
    const nodes = ['a', 'b'].map((id) => node(id, [...able(), whole('model-a')]))
    const of = lab({ entries: [entry('one')], manifests: [A], nodes })
    const before = planned(of)
    const after = planned(of, { awayNodes: new Set(['a']) })
    expect(moveCost(after, nodes, before).coldRoles).toEqual(['one'])
    expect(moveCost(after, nodes).coldRoles).toEqual([])
  })
})

describe('link_mbps in fleet notes', () => {
  test('is read, and kept beside what the command line declares', () => {
    const fleet = valueOf(readFleet('nodes:\n- {id: pc, link_mbps: 2500}\n- {id: nas}\n', 'fleet.yaml'))
    expect(fleet.map(({ linkMbps }) => linkMbps)).toEqual([2500, undefined])
    const declared = { nodeId: 'pc', models: new Map<string, never>(), freeBytes: 5n, eligible: null }
    const { nodes } = mergeNodes([], [{ file: 'fleet.yaml', value: fleet }], [declared])
    expect(nodes.find(({ nodeId }) => nodeId === 'pc')?.declared).toMatchObject({
      linkMbps: 2500,
      freeBytes: 5n,
    })
  })

  test.each(['0', '-1', 'fast', '"1000"', '.inf'])('refuses %s', (value) => {
    expect(briefs(readFleet(`nodes:\n- {id: pc, link_mbps: ${value}}\n`, 'fleet.yaml'))[0]).toMatch(
      /^2:23 fleet-bad-value `link_mbps` must be a number of megabits a second above 0/,
    )
  })
})
