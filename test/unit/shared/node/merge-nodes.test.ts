import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { mergeNodes } from '../../../../shared/node/merge-nodes.ts'
import type { DeclaredNode, NodeFacts } from '../../../../shared/node/types.ts'

const facts = (nodeId: string, seq: number): NodeFacts => ({
  nodeId,
  issuedAt: 0,
  ttlSecs: 0,
  seq,
  capabilities: [],
  notes: [],
})
const file = (name: string, value: NodeFacts): { file: string; value: NodeFacts } => ({ file: name, value })
const declaration = (nodeId: string, changes: Partial<DeclaredNode> = {}): DeclaredNode => ({
  nodeId,
  models: new Map(),
  freeBytes: null,
  eligible: null,
  ...changes,
})
const fleet = (...nodes: DeclaredNode[]): { file: string; value: readonly DeclaredNode[] }[] => [
  { file: 'fleet.yaml', value: nodes },
]

describe('mergeNodes', () => {
  test('sorts nodes by id in code point order, probed or declared', () => {
    const merged = mergeNodes(
      [file('b.json', facts('b', 1)), file('Z.json', facts('Z', 1))],
      fleet(declaration('a')),
      [declaration(':')],
    )
    expect(merged.nodes.map(({ nodeId }) => nodeId)).toEqual([':', 'Z', 'a', 'b'])
    expect(merged.problems).toEqual([])
  })

  test('lets the higher seq of two files for one node count, in whatever order they come, with a warning', () => {
    const [older, newer] = [file('old.json', facts('n', 1)), file('new.json', facts('n', 2))]
    for (const files of [
      [older, newer],
      [newer, older],
    ]) {
      const merged = mergeNodes(files, [], [])
      expect(merged.nodes).toEqual([{ nodeId: 'n', facts: newer.value, declared: null, file: 'new.json' }])
      expect(merged.problems).toEqual([
        {
          severity: 'warning',
          code: 'node-repeated',
          message:
            'these facts of node n (seq 1) are not used: new.json describes the same node with seq 2; remove the older file',
          file: 'old.json',
          range: null,
        },
      ])
    }
  })

  test('lets the first of two files with the same seq count, and warns of every one that does not', () => {
    const files = ['a', 'b', 'c'].map((name) => file(name, facts('n', 3)))
    const merged = mergeNodes(files, [], [])
    expect(merged.nodes.map((node) => node.file)).toEqual(['a'])
    expect(merged.problems.map((problem) => problem.file)).toEqual(['b', 'c'])
  })

  test('names to each file that does not count the one that does, not one that was before it', () => {
    const files = ['n (1).json', 'a.json', 'n.json'].map((name) => file(name, facts('n', 3)))
    const { problems } = mergeNodes(files, [], [])
    expect(problems.map((problem) => problem.file)).toEqual(['n (1).json', 'a.json'])
    for (const { message } of problems) expect(message).toContain('n.json describes the same node')
  })

  test('keeps the facts of a node that is also declared, and their file', () => {
    const probed = file('n.json', facts('n', 1))
    const declared = declaration('n', { freeBytes: 5n })
    expect(mergeNodes([probed], fleet(declared), []).nodes).toEqual([
      { nodeId: 'n', facts: probed.value, declared, file: 'n.json' },
    ])
  })

  test('names the fleet file for nodes only declared there, and no file for the command line', () => {
    const merged = mergeNodes([], fleet(declaration('a')), [declaration('b')])
    expect(merged.nodes.map((node) => [node.nodeId, node.file])).toEqual([
      ['a', 'fleet.yaml'],
      ['b', null],
    ])
  })

  test("lets the command line's word override the fleet file's where it says something", () => {
    const inFleet = declaration('n', {
      models: new Map([
        ['a', 'complete'],
        ['b', 'none'],
      ]),
      freeBytes: 5n,
      eligible: false,
    })
    const some = declaration('n', { models: new Map([['b', 'complete']]), eligible: true })
    expect(mergeNodes([], fleet(inFleet), [some]).nodes[0]?.declared).toEqual({
      nodeId: 'n',
      models: new Map([
        ['a', 'complete'],
        ['b', 'complete'],
      ]),
      freeBytes: 5n,
      eligible: true,
    })
  })

  test('lets "every model" leave nothing of what was said of single ones', () => {
    const inFleet = declaration('n', { models: new Map([['a', 'complete']]) })
    const everyModel = declaration('n', { models: new Map([['*', 'none']]), freeBytes: 0n })
    expect(mergeNodes([], fleet(inFleet), [everyModel]).nodes[0]?.declared).toEqual(everyModel)
  })

  test('has every node of its input once', () => {
    const ids = fc.array(fc.constantFrom('a', 'b', 'c', 'd', 'e'), { maxLength: 6 })
    fc.assert(
      fc.property(ids, ids, ids, (probed, inFleet, declared) => {
        const { nodes, problems } = mergeNodes(
          probed.map((id, i) => file(`${i}`, facts(id, i % 3))),
          fleet(...inFleet.map((id) => declaration(id))),
          declared.map((id) => declaration(id)),
        )
        expect(nodes.map(({ nodeId }) => nodeId)).toEqual(
          [...new Set([...probed, ...inFleet, ...declared])].sort(),
        )
        expect(problems).toHaveLength(probed.length - new Set(probed).size)
        for (const node of nodes) {
          const best = Math.max(...probed.flatMap((id, i) => (id === node.nodeId ? [i % 3] : [])))
          expect(node.facts?.seq ?? -Infinity).toBe(best)
        }
      }),
    )
  })
})

describe('two files of one node with one seq', () => {
  const facts = (issuedAt: number) => ({
    nodeId: 'w1',
    issuedAt,
    ttlSecs: 60,
    seq: 5,
    capabilities: [],
    notes: [],
  })
  const merged = (...files: readonly (readonly [string, number])[]) =>
    mergeNodes(
      files.map(([file, issuedAt]) => ({ file, value: facts(issuedAt) })),
      [],
      [],
    )

  test('the one that was issued later counts, whatever the names', () => {
    for (const files of [
      [
        ['w1.json', 1],
        ['w1.sync-conflict-20260101-ABC.json', 2],
      ],
      [
        ['w1.sync-conflict-20260101-ABC.json', 2],
        ['w1.json', 1],
      ],
    ] as const) {
      const { nodes, problems } = merged(...files)
      expect(nodes[0]?.file).toBe('w1.sync-conflict-20260101-ABC.json')
      expect(problems[0]).toMatchObject({ file: 'w1.json' })
      expect(problems[0]?.message).toContain('was issued later; remove this file')
    }
  })

  test.each([
    'w1.sync-conflict-20260101-120000-ABCDEFG.json',
    'w1 (conflicted copy 2026-01-01).json',
    'w1 (1).json',
    'w1 2.json',
    'a.json',
  ])('else the file that is named after its node, not %s', (copy) => {
    for (const files of [
      [
        [`nodes/${copy}`, 1],
        ['nodes/w1.json', 1],
      ],
      [
        ['nodes/w1.json', 1],
        [`nodes/${copy}`, 1],
      ],
    ] as const) {
      const { nodes, problems } = merged(...files)
      expect(nodes[0]?.file).toBe('nodes/w1.json')
      expect(problems[0]?.message).toContain('remove this file')
      expect(problems[0]?.file).toBe(`nodes/${copy}`)
    }
  })

  test('and never the copy, where no file is named after the node', () => {
    expect(merged(['box (1).json', 1], ['box.json', 1]).nodes[0]?.file).toBe('box.json')
  })
})
