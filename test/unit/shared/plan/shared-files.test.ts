import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { GB } from '../../../../shared/bytes.ts'
import type { ModelManifest } from '../../../../shared/model-manifest/types.ts'
import { moveCost } from '../../../../shared/plan/move-cost.ts'
import { planJsonText } from '../../../../shared/report/plan-json.ts'
import { planMarkdown } from '../../../../shared/report/plan-markdown.ts'
import { modelFetches } from '../../../../shared/runbook/model-fetches.ts'
import { problemOf } from '../../../../shared/suggest/assignment-problem.ts'
import { planLines } from '../../../../electron/terminal/plan-text.ts'
import { plainStyle } from '../../../../electron/terminal/style.ts'
import { able, entry, lab, model, node, planned, shardHash, whole } from './make-lab.ts'

/** `name` with the files of the models in `files`, 5 GB each, such as `a/0`. */
function of(name: string, files: readonly string[]): ModelManifest {
  const made = model(name, files.length)
  const shards = made.body.shards.map((shard, i) => ({ ...shard, blake3: files[i] ?? '' }))
  return { ...made, body: { ...made.body, shards } }
}

const A0 = shardHash('a', 0)
const A1 = shardHash('a', 1)
const B0 = shardHash('b', 0)
const ROOM = [
  capability('runtime.infer.llamacpp'),
  capability('format.gguf'),
  capability('mem.unified', { free: 32e9, total: 64e9 }),
  capability('store.tier.internal', { free: 12.5e9 }),
]

/** Roles `one`, `two`, … of models `m1`, `m2`, … that have these files, fetched from a NAS to a PC with 12.5 GB free. */
function labOf(...files: readonly (readonly string[])[]) {
  const manifests = files.map((each, i) => of(`m${i + 1}`, each))
  const names = ['one', 'two', 'three']
  return lab({
    entries: files.map((_, i) => entry(names[i] ?? '', { name: `m${i + 1}`, port: `${i + 1}`, ram_gb: '8' })),
    manifests,
    nodes: [
      node('pc', ROOM),
      node(
        'nas',
        manifests.map(({ body }) => whole(body.name)),
      ),
    ],
  })
}

const TWO_TAGS = labOf([A0, A1], [A0, A1])

describe('two models of the same files', () => {
  const plan = planned(TWO_TAGS, { transfer: true })
  const pc = plan.residency.find(({ nodeId }) => nodeId === 'pc')

  test('come to a node once, in space and in totals', () => {
    expect(pc?.incomingBytes).toBe(10n * GB)
    expect(plan.problems.filter(({ code }) => code === 'storage-overfull')).toEqual([])
    expect(moveCost(plan, TWO_TAGS.nodes)).toMatchObject({
      bytes: 10n * GB,
      moves: [
        { role: 'one', bytes: 10n * GB, movedFor: null },
        { role: 'two', bytes: 0n, movedFor: 'one' },
      ],
    })
    expect(modelFetches(plan, TWO_TAGS.nodes).map(({ bytes }) => bytes)).toEqual([10n * GB])
  })

  test('are one fetch in the terminal, in Markdown and in JSON', () => {
    const text = planLines('lab', plan, [], 100, plainStyle()).join('\n')
    expect(text).toContain('1 to fetch (10.0 GB, 10,000,000,000 bytes)')
    expect(text).toContain('to pc: the same 10000000000 bytes that come for one')
    expect(planMarkdown(plan, { lab: 'lab', scenario: null })).toContain(
      '10.0 GB (10,000,000,000 bytes) would move',
    )
    expect(planJsonText(plan)).toContain('"incoming_bytes": 10000000000')
  })

  test('are one model to fetch for the best assignment', () => {
    expect(new Set(problemOf(plan).roles.map(({ model: files }) => files)).size).toBe(1)
  })
})

test('models that share some of their files bring those once', () => {
  const shared = labOf([A0, A1], [A0, B0], [A1])
  const plan = planned(shared, { transfer: true, freeSpace: new Map([['pc', 17n * GB]]) })
  expect(plan.residency.find(({ nodeId }) => nodeId === 'pc')?.incomingBytes).toBe(15n * GB)
  expect(plan.problems.filter(({ code }) => code === 'storage-overfull')).toEqual([])
  expect(moveCost(plan, shared.nodes).moves.map(({ bytes, movedFor }) => [bytes, movedFor])).toEqual([
    [10n * GB, null],
    [5n * GB, null],
    [0n, 'one'],
  ])
})

test('a file that a model names twice comes once', () => {
  const twice = labOf([A0, A0])
  const plan = planned(twice, { transfer: true })
  expect(plan.residency.find(({ nodeId }) => nodeId === 'pc')?.incomingBytes).toBe(5n * GB)
  expect(moveCost(plan, twice.nodes).bytes).toBe(5n * GB)
})

test('the same files on two nodes are two fetches', () => {
  const manifests = [of('m1', [A0, A1]), of('m2', [A0, A1])]
  const two = lab({
    entries: [entry('one', { name: 'm1', port: '1' }), entry('two', { name: 'm2', port: '2' })],
    manifests,
    nodes: [node('p', able()), node('q', able()), node('nas', [whole('m1'), whole('m2')])],
  })
  const pinned = new Map([
    ['one', 'p'],
    ['two', 'q'],
  ])
  const plan = planned(two, { transfer: true, pinned })
  expect(plan.residency.map(({ incomingBytes }) => incomingBytes)).toEqual([0n, 10n * GB, 10n * GB])
  expect(moveCost(plan, two.nodes).bytes).toBe(20n * GB)
})
