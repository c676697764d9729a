import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { GB, GIB } from '../../../../shared/bytes.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import {
  able,
  declaredNode,
  entry,
  firstRole,
  lab,
  model,
  node,
  planned,
  shardHash,
  whole,
} from './make-lab.ts'

const A = model('model-a')

describe('a role’s decision', () => {
  test('runs where the whole model is, when that node can run it', () => {
    const of = lab({
      manifests: [A],
      nodes: [node('big', able()), node('own', [...able(), whole('model-a')])],
    })
    expect(firstRole(planned(of)).decision).toEqual({ kind: 'place_at_holder', nodeId: 'own' })
  })

  test('fetches what the best target lacks from a holder that cannot run it', () => {
    const some = capability('model.present', { shards: [shardHash('model-a', 0)] })
    const of = lab({
      manifests: [A],
      nodes: [node('nas', [whole('model-a')]), node('a', able()), node('b', [...able(), some])],
    })
    expect(firstRole(planned(of)).decision).toMatchObject({ unplaceable: { reason: 'transfer_disabled' } })
    expect(firstRole(planned(of, { transfer: true })).decision).toEqual({
      kind: 'fetch_then_place',
      target: 'b',
      sources: ['nas'],
      bytes: 5n * GB,
      missingShards: 1,
    })
  })

  test('is no_manifest without a manifest of the model’s name, or without a usable name', () => {
    const of = lab({ entries: [entry('one'), entry('two', { name: '"two words"', port: '1' })] })
    expect(planned(of).roles.map(({ decision }) => decision)).toEqual([
      { kind: 'no_manifest', model: 'model-a' },
      { kind: 'no_manifest', model: null },
    ])
    expect(firstRole(planned(of)).locality).toBeNull()
  })

  test('the operator can veto sharing but not grant it', () => {
    const nodes = [node('nas', [whole('model-a')]), node('a', able())]
    const refusing = { ...A, body: { ...A.body, redistributable: false } }
    const reasonOf = (manifest: typeof A, sharingVeto: boolean) =>
      firstRole(planned(lab({ manifests: [manifest], nodes }), { transfer: true, sharingVeto })).decision.kind
    expect(reasonOf(A, false)).toBe('fetch_then_place')
    expect(reasonOf(A, true)).toBe('unplaceable')
    expect(reasonOf(refusing, false)).toBe('unplaceable')
  })

  test('a forced node takes part as forced', () => {
    const nodes = [node('able', [...able(), whole('model-a')]), node('bare', [whole('model-a')])]
    const forcedNodes = new Map([
      ['able', 'out'],
      ['bare', 'in'],
    ] as const)
    expect(firstRole(planned(lab({ manifests: [A], nodes }), { forcedNodes })).decision).toEqual({
      kind: 'place_at_holder',
      nodeId: 'bare',
    })
  })

  test('of two manifests of one name the first package id counts, whatever their order', () => {
    const first = { ...A, packageId: 'aaa' }
    const second = { ...A, packageId: 'bbb' }
    for (const manifests of [
      [first, second],
      [second, first],
    ]) {
      expect(firstRole(planned(lab({ manifests }))).manifest).toBe(first)
    }
  })
})

describe('what declarations say', () => {
  test('complete holds every shard, none holds nothing, both whatever the facts say', () => {
    const facts = node('n', [...able(), whole('model-a')])
    const declare = (presence: 'complete' | 'none', name = 'model-a') => {
      const declared = { nodeId: 'n', models: new Map([[name, presence]]), freeBytes: null, eligible: null }
      const verdict = firstRole(planned(lab({ manifests: [A], nodes: [{ ...facts, declared }] }))).nodes[0]
      return [verdict?.complete, verdict?.heldShards, verdict?.missingBytes]
    }
    expect(declare('complete')).toEqual([true, 2, 0n])
    expect(declare('none')).toEqual([false, 0, 10n * GB])
    expect(declare('none', '*')).toEqual([false, 0, 10n * GB])
    expect(declare('none', 'another-model')).toEqual([true, 2, 0n])
  })

  test('a model’s own word counts before that of every model', () => {
    const models = new Map([
      ['*', 'complete'],
      ['model-a', 'none'],
    ] as const)
    const of = lab({ manifests: [A], nodes: [declaredNode('n', { models, eligible: true })] })
    expect(firstRole(planned(of)).nodes[0]?.complete).toBe(false)
  })

  test('declared room counts before probed room', () => {
    const declared = { nodeId: 'n', models: new Map(), freeBytes: GIB, eligible: null }
    const of = lab({ manifests: [A], nodes: [{ ...node('n', able()), declared }] })
    expect(firstRole(planned(of)).nodes[0]?.freeBytes).toBe(GIB)
  })

  test('a fleet without a single probe is planned', () => {
    const of = lab({
      manifests: [A],
      nodes: [
        declaredNode('nas', { models: new Map([['model-a', 'complete']]), eligible: false }),
        declaredNode('pc', { freeBytes: 200n * GIB, eligible: true }),
      ],
    })
    expect(firstRole(planned(of, { transfer: true })).decision).toMatchObject({
      kind: 'fetch_then_place',
      target: 'pc',
      bytes: 10n * GB,
    })
  })
})

describe('what is reported of the nodes', () => {
  test('nodes come by id in code point order, with holding, lack, room and detachment', () => {
    const away = capability('model.present', { shards: ['model:model-a-id'] }, { state: 'degraded' })
    const of = lab({
      manifests: [A],
      nodes: [node('\u{10000}', []), node('\uE000', [away]), node('b', [...able(), whole('model-a')])],
    })
    const { nodes } = firstRole(planned(of))
    expect(nodes.map(({ nodeId }) => nodeId)).toEqual(['b', '\uE000', '\u{10000}'])
    expect(nodes.map(({ complete }) => complete)).toEqual([true, false, false])
    expect(nodes.map(({ presence }) => presence?.detached)).toEqual([false, true, false])
    expect(nodes.map(({ freeBytes }) => freeBytes)).toEqual([100n * GB, null, null])
  })

  test('without a manifest nothing is held and nothing is missing', () => {
    const [verdict] = firstRole(planned(lab({ nodes: [node('n', able())] }))).nodes
    expect(verdict).toMatchObject({ eligible: true, presence: null, complete: false, missingBytes: null })
  })

  test('the notes say of the nodes what the verdicts say', () => {
    const of = lab({ manifests: [A], nodes: [node('n', able()), node('own', [whole('model-a')])] })
    const role = firstRole(planned(of))
    expect(role.locality?.notes.slice(1, -1)).toEqual(
      role.nodes.map(
        ({ nodeId, eligible, complete, heldShards }) =>
          `node ${nodeId}: eligible=${eligible} complete=${complete} holds ${heldShards}/2 shards`,
      ),
    )
  })
})

test('the overlay reaches the specs, and without one the defaults hold', () => {
  const of = lab({ manifests: [A] })
  const text = 'excludes: {role-a: [other]}\nlatency_class: {role-a: interactive}\nsticky: {role-a: false}\n'
  const spec = (changes = {}) => firstRole(planned(of, changes)).imported.spec
  expect(spec()).toMatchObject({ excludes: [], latencyClass: 'batch', sticky: true })
  expect(spec({ overlay: text })).toMatchObject({
    excludes: ['other'],
    latencyClass: 'interactive',
    sticky: false,
  })
})

test('a lab whose roster cannot be read has no roles and keeps its problems', () => {
  const problem = { severity: 'error', code: 'x', message: 'no', file: null, range: null } as const
  const of = { ...lab(), roster: null, problems: [problem] }
  expect(plan(of, null, DEFAULT_SCENARIO)).toMatchObject({ roles: [], skipped: [], problems: [problem] })
})

test('the decision does not depend on the order in which the lab lists its nodes', () => {
  const nodes = [
    node('a', [whole('model-a')]),
    node('b', able()),
    node('c', [...able(), capability('model.present', { shards: [shardHash('model-a', 1)] })]),
    declaredNode('d', { models: new Map([['*', 'complete']]), eligible: false }),
  ]
  const expected = firstRole(planned(lab({ manifests: [A], nodes }), { transfer: true }))
  fc.assert(
    fc.property(fc.shuffledSubarray(nodes, { minLength: nodes.length }), (shuffled) => {
      const role = firstRole(planned(lab({ manifests: [A], nodes: shuffled }), { transfer: true }))
      expect(role.decision).toEqual(expected.decision)
      expect(role.locality?.notes).toEqual(expected.locality?.notes)
    }),
  )
})
