import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { GIB } from '../../../../shared/bytes.ts'
import { readFleet } from '../../../../shared/node/read-fleet.ts'
import { briefs, markedText, valueOf } from '../../../support/problems.ts'

const read = (text: string): ReturnType<typeof readFleet> => readFleet(text, 'fleet.yaml')

describe('readFleet', () => {
  test('reads nodes in text order, with what is left out unknown', () => {
    const text = `# my lab
nodes:
  - id: mac-studio          # complete: holds every shard
    models: {Qwen3-Coder-Next-80B-A3B: complete, Nemotron-9B-OpenCode: none}
    free_gib: 200
    eligible: true
  - id: attic
`
    expect(valueOf(read(text))).toEqual([
      {
        nodeId: 'mac-studio',
        models: new Map([
          ['Qwen3-Coder-Next-80B-A3B', 'complete'],
          ['Nemotron-9B-OpenCode', 'none'],
        ]),
        freeBytes: 200n * GIB,
        eligible: true,
      },
      { nodeId: 'attic', models: new Map(), freeBytes: null, eligible: null },
    ])
  })

  test.each(['', '# nothing yet\n', '---\n', 'nodes:\n', 'nodes: []\n', '{}'])(
    'declares no node in %j',
    (text) => {
      expect(valueOf(read(text))).toEqual([])
    },
  )

  test('takes an id as written, and nothing for unknown', () => {
    const text =
      'nodes:\n- {id: 42, models: , free_gib: ~, eligible: null}\n- {id: "42.0", models: {"*": complete}}\n'
    expect(valueOf(read(text))).toEqual([
      { nodeId: '42', models: new Map(), freeBytes: null, eligible: null },
      { nodeId: '42.0', models: new Map([['*', 'complete']]), freeBytes: null, eligible: null },
    ])
  })

  test.each([
    ['0', 0n],
    ['0.5', GIB / 2n],
    ['1.5e2', 150n * GIB],
    ['0x10', 16n * GIB],
    ['1e30', 2n ** 64n - 1n],
  ])('reads free_gib: %s', (written, freeBytes) => {
    expect(valueOf(read(`nodes: [{id: a, free_gib: ${written}}]`))[0]?.freeBytes).toBe(freeBytes)
  })

  test('follows anchors and aliases', () => {
    const text = `nodes:
  - id: a
    models: &all {M-1: complete}
    free_gib: &room 5
  - {id: b, models: *all, free_gib: *room}
`
    const [a, b] = valueOf(read(text))
    expect(b).toEqual({ ...a, nodeId: 'b' })
  })

  const FREE = '`free_gib` must be a number of GiB (2^30) from 0, such as 200 or 0.5, not'
  const ID = '`id` must be a node id: 1 to 128 letters, digits and - _ . :, not'
  const MODEL =
    "cannot be a model's name: that is letters, digits and . _ + : -, first a letter or digit, at most 64 of them"
  test.each([
    ['[]', '1:1 fleet-bad-value the fleet file must be a mapping, not a list'],
    ['node: []', '1:1 fleet-unknown-key node is no key of the fleet file: it can have nodes'],
    ['nodes: []\nroster: []', '2:1 fleet-unknown-key roster is no key of the fleet file: it can have nodes'],
    ['nodes: 5', '1:8 fleet-bad-value `nodes` must be a list of nodes, not 5'],
    ['nodes: {a: b}', '1:8 fleet-bad-value `nodes` must be a list of nodes, not a mapping'],
    ['nodes:\n  - mac', '2:5 fleet-bad-value a node must be a mapping, not mac'],
    ['nodes:\n  - models: {}', '2:5 fleet-bad-value this node has no `id`: say which node it is'],
    ['nodes:\n  - id: a b', `2:9 fleet-bad-value ${ID} a b`],
    ['nodes:\n  - id: [a]', `2:9 fleet-bad-value ${ID} a list`],
    ['nodes:\n  - id:', `2:8 fleet-bad-value ${ID} nothing`],
    [
      'nodes:\n  - id: a\n  - id: b\n  - id: a',
      '4:9 fleet-repeated-node the node a is declared twice: put both into one',
    ],
    [
      'nodes:\n  - id: a\n    free: 5',
      '3:5 fleet-unknown-key free is no key of a node: it can have id, models, free_gib, eligible, link_mbps, ssh, root, mount, start, programs, url, key_env',
    ],
    ['nodes:\n  - id: a\n    id: b', '3:5 fleet-repeated-key `id` is given twice here: keep one'],
    ['nodes:\n  - id: a\n    models: [M]', '3:13 fleet-bad-value `models` must be a mapping, not a list'],
    [
      'nodes:\n  - id: a\n    models:\n      M: some',
      '4:10 fleet-bad-value `M` must be complete or none, not some',
    ],
    [
      'nodes:\n  - id: a\n    models:\n      M: {}',
      '4:10 fleet-bad-value `M` must be complete or none, not a mapping',
    ],
    [
      'nodes:\n  - id: a\n    models:\n      M:',
      '4:9 fleet-bad-value `M` must be complete or none, not nothing',
    ],
    ['nodes:\n  - id: a\n    models:\n      M 1: none', `4:7 fleet-bad-value M 1 ${MODEL}`],
    [
      'nodes:\n  - id: a\n    models: {M: none, M: complete}',
      '3:23 fleet-repeated-key `M` is given twice here: keep one',
    ],
    ['nodes:\n  - id: a\n    models: {[M]: none}', '3:14 fleet-bad-value a model must be a text, not a list'],
    ['nodes:\n  - {id: a, free_gib: -1}', `2:23 fleet-bad-value ${FREE} -1`],
    ['nodes:\n  - {id: a, free_gib: "5"}', `2:23 fleet-bad-value ${FREE} "5"`],
    ['nodes:\n  - {id: a, free_gib: 5 GiB}', `2:23 fleet-bad-value ${FREE} 5 GiB`],
    ['nodes:\n  - {id: a, free_gib: .inf}', `2:23 fleet-bad-value ${FREE} .inf`],
    ['nodes:\n  - {id: a, free_gib: .nan}', `2:23 fleet-bad-value ${FREE} .nan`],
    ['nodes:\n  - {id: a, free_gib: [5]}', `2:23 fleet-bad-value ${FREE} a list`],
    [
      'nodes:\n  - {id: a, eligible: yes}',
      '2:23 fleet-bad-value `eligible` must be true or false without quotes, not yes',
    ],
    [
      'nodes:\n  - {id: a, eligible: "true"}',
      '2:23 fleet-bad-value `eligible` must be true or false without quotes, not "true"',
    ],
  ])('refuses %j, with the place', (text, problem) => {
    const outcome = read(text)
    expect(outcome.ok).toBe(false)
    expect(briefs(outcome)).toEqual([problem])
  })

  test('reports every problem of a file', () => {
    const text = 'nodes:\n  - {id: a, free_gib: x, eligible: 1}\n  - {id: b, models: {M: 5}}\nmore: 1\n'
    expect(read(text).problems.map(({ range }) => `${range?.start.line}:${range?.start.column}`)).toEqual([
      '2:23',
      '2:36',
      '3:25',
      '4:1',
    ])
  })

  test('marks what is wrong', () => {
    const text = 'nodes:\n  - {id: a, free_gib: lots}\n'
    expect(markedText(text, read(text))).toBe('lots')
  })

  test('reports a syntax error with its place', () => {
    const outcome = read('nodes:\n  - {id: a')
    expect(outcome.ok).toBe(false)
    expect(outcome.problems[0]).toMatchObject({
      code: 'fleet-bad-yaml',
      severity: 'error',
      file: 'fleet.yaml',
    })
    expect(outcome.problems[0]?.range).not.toBeNull()
  })

  test('draws the line at 1 MiB', () => {
    const padded = (bytes: number): string => '# '.padEnd(bytes, 'x')
    expect(read(padded(1024 * 1024)).ok).toBe(true)
    expect(briefs(read(padded(1024 * 1024 + 1)))).toEqual([
      '- fleet-too-large the fleet file is larger than 1048576 bytes (1 MiB): shorten it',
    ])
  })

  test('reads thousands of aliases to one large mapping as one mapping', () => {
    const models = Array.from({ length: 5000 }, (_, i) => `M${i}: none`).join(', ')
    const nodes = Array.from({ length: 5000 }, (_, i) => `- {id: n${i}, models: *m}\n`).join('')
    const fleet = valueOf(read(`nodes:\n- {id: a, models: &m {${models}}}\n${nodes}`))
    expect(fleet).toHaveLength(5001)
    expect(new Set(fleet.map((node) => node.models)).size).toBe(1)
  })

  test('reads or refuses any text without throwing', () => {
    const piece = fc.constantFrom(
      'nodes:',
      '\n',
      '- ',
      '  ',
      'id: a',
      'models:',
      '{',
      '}',
      '*x',
      '&x ',
      'M: none',
      ',',
      '? ',
    )
    fc.assert(
      fc.property(
        fc.oneof(
          fc.string(),
          fc.array(piece).map((pieces) => pieces.join('')),
        ),
        (text) => {
          const outcome = read(text)
          expect(outcome.ok).toBe(outcome.problems.length === 0)
        },
      ),
      { numRuns: 500 },
    )
  })
})
