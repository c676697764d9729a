import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { GB } from '../../../../shared/bytes.ts'
import { excludesRole } from '../../../../shared/placement/ledger.ts'
import { instanceName, instanceNames } from '../../../../shared/placement/place.ts'
import { decidedNode } from '../../../../shared/locality/decided.ts'
import { cannotRunReason, outcomeSentence } from '../../../../shared/report/outcome-words.ts'
import { isDisplaced } from '../../../../shared/plan/outcome.ts'
import type { LabPlan, RolePlan } from '../../../../shared/plan/types.ts'
import {
  able,
  declaredNode,
  entry,
  lab,
  model,
  node,
  planned,
  whole,
  type LabSketch,
} from '../plan/make-lab.ts'

const A = model('model-a')
const B = model('model-b')

/** A node that runs llama.cpp roles of up to `gb` GB together and holds the models named. */
function box(id: string, gb: number, ...models: readonly string[]) {
  return node(id, [
    ...able().filter(({ id: own }) => own !== 'mem.unified'),
    capability('mem.unified', { free: gb * 1e9, total: gb * 2e9 }),
    ...models.map(whole),
  ])
}

function roleOf(plan: LabPlan, id: string): RolePlan {
  const role = plan.roles.find((each) => each.role === id)
  if (!role) throw new Error(`no role ${id}`)
  return role
}

function placements(plan: LabPlan): Record<string, string | null> {
  return Object.fromEntries(plan.roles.map((role) => [role.role, role.outcome.nodeId]))
}

const THREE: LabSketch = {
  entries: [
    entry('first', { ram_gb: '20', port: '1' }),
    entry('second', { ram_gb: '20', port: '2' }),
    entry('third', { ram_gb: '20', port: '3' }),
  ],
  manifests: [A],
}

describe('placing in roster order', () => {
  test('roles that fit together run on their decided node', () => {
    const plan = planned(lab({ ...THREE, nodes: [box('pc', 60, 'model-a')] }))
    expect(plan.roles.map(({ placement }) => placement)).toEqual(
      ['first', 'second', 'third'].map(() => ({
        kind: 'placed',
        nodeId: 'pc',
        at: 'decided',
        bytes: 0n,
        tried: [],
      })),
    )
    expect(plan.residency[0]?.ledger.usedBytes).toBe(60n * GB)
  })

  test('the one that does not fit is reported by the ledger’s sentence and goes to the next holder', () => {
    const plan = planned(lab({ ...THREE, nodes: [box('a', 40, 'model-a'), box('b', 40, 'model-a')] }))
    const third = roleOf(plan, 'third')
    expect(decidedNode(third.decision)).toBe('a')
    expect(placements(plan)).toEqual({ first: 'a', second: 'a', third: 'b' })
    expect(isDisplaced(third.outcome)).toBe(true)
    expect(outcomeSentence(third)).toBe(
      'Run on b instead of a: it also holds the whole model, nothing is copied. ' +
        "On a: 'third' needs 20.0 GB but only 0.0 GB of the 40.0 GB unified-memory budget is free " +
        '(held by first 20.0 GB, second 20.0 GB).',
    )
  })

  test('one with no other node stays unplaced, each node with its reason', () => {
    const nodes = [box('a', 40, 'model-a'), box('b', 30), box('small', 10)]
    const plan = planned(lab({ ...THREE, nodes }))
    const third = roleOf(plan, 'third')
    expect(third.placement.kind).toBe('none')
    expect(third.outcome.kind).toBe('cannot_run')
    expect(cannotRunReason(third)).toContain("'third' needs 20.0 GB but only 0.0 GB of the 40.0 GB")
    expect(outcomeSentence(third)).toContain(
      '; on b: weights are held elsewhere and allow_weight_transfer is off.',
    )
    expect(outcomeSentence(third)).not.toContain('small')
  })

  test('other nodes are tried in the decision’s order: holders by id, then the fetches that may be, fewest bytes first', () => {
    const half = capability('model.present', { shards: ['model-a/0'] })
    const partly = box('d-half', 30)
    const nodes = [
      box('a', 20, 'model-a'),
      box('e-empty', 30),
      {
        ...partly,
        facts: partly.facts && { ...partly.facts, capabilities: [...partly.facts.capabilities, half] },
      },
      box('c-holder', 20, 'model-a'),
    ]
    const plan = planned(lab({ ...THREE, nodes }), { transfer: true })
    expect(placements(plan)).toEqual({ first: 'a', second: 'c-holder', third: 'd-half' })
    expect(roleOf(plan, 'third').placement).toMatchObject({
      at: 'alternative',
      bytes: 5n * GB,
      tried: [{ nodeId: 'a' }, { nodeId: 'c-holder' }],
    })
  })

  test('an alternative over the ceiling or without space is passed by with the reference’s reason', () => {
    const nodes = [box('a', 20, 'model-a'), declaredNode('cellar', { eligible: true, freeBytes: 1n })]
    const of = lab({ entries: (THREE.entries ?? []).slice(0, 2), manifests: [A], nodes })
    const second = (changes: object) =>
      roleOf(planned(of, { transfer: true, ...changes }), 'second').placement
    expect(second({})).toMatchObject({
      kind: 'none',
      tried: [
        { nodeId: 'a' },
        { nodeId: 'cellar', obstacle: { kind: 'transfer', unplaceable: { reason: 'no_space' } } },
      ],
    })
    const policy = { allowWeightTransfer: true, maxBytes: 1n, freeHeadroomBytes: 0n }
    expect(second({ policy })).toMatchObject({
      tried: [{}, { obstacle: { unplaceable: { reason: 'over_ceiling' } } }],
    })
  })

  test('the decision stays the reference’s whatever co-residency makes of it', () => {
    const alone = planned(
      lab({ ...THREE, entries: [entry('third', { ram_gb: '20' })], nodes: [box('a', 40, 'model-a')] }),
    )
    const crowded = planned(lab({ ...THREE, nodes: [box('a', 40, 'model-a')] }))
    expect(roleOf(crowded, 'third').decision).toEqual(roleOf(alone, 'third').decision)
  })

  test('excludes part roles in both directions', () => {
    const of = lab({ ...THREE, nodes: [box('a', 100, 'model-a'), box('b', 100, 'model-a')] })
    const plan = planned(of, { overlay: 'excludes: {first: [role:second], third: [second]}\n' })
    expect(placements(plan)).toEqual({ first: 'a', second: 'b', third: 'a' })
    expect(outcomeSentence(roleOf(plan, 'second'))).toContain(
      "'second' cannot be resident beside 'first' ('first' excludes it)",
    )
  })

  test('a node forced in is still held to the memory it reports', () => {
    const of = lab({ ...THREE, nodes: [box('a', 10, 'model-a')] })
    const plan = planned(of, { forcedNodes: new Map([['a', 'in']]) })
    expect(decidedNode(roleOf(plan, 'first').decision)).toBe('a')
    expect(cannotRunReason(roleOf(plan, 'first'))).toContain('only 10.0 GB of the 10.0 GB')
  })

  test('a node of unknown memory has no budget', () => {
    const nodes = [declaredNode('cellar', { eligible: true, models: new Map([['model-a', 'complete']]) })]
    const plan = planned(lab({ ...THREE, nodes }))
    expect(placements(plan)).toEqual({ first: 'cellar', second: 'cellar', third: 'cellar' })
    expect(plan.residency).toMatchObject([
      { nodeId: 'cellar', ledger: { budget: null, usedBytes: 60n * GB } },
    ])
  })

  test('a role without a decision is placed nowhere, with the decision’s reason', () => {
    const plan = planned(lab({ ...THREE, manifests: [] }))
    expect(plan.roles.map(({ outcome }) => outcome.kind)).toEqual(Array(3).fill('cannot_run'))
    expect(plan.roles.map(cannotRunReason)[0]).toBe('no manifest is named model-a')
    expect(plan.roles.map(({ outcome }) => isDisplaced(outcome))).toEqual([false, false, false])
  })

  test('entries of one id are instances of their own', () => {
    const entries = [entry('twin', { ram_gb: '20', port: '1' }), entry('twin', { ram_gb: '20', port: '2' })]
    const plan = planned(lab({ entries, manifests: [A], nodes: [box('a', 30, 'model-a')] }))
    expect(plan.roles.map(({ outcome }) => outcome.nodeId)).toEqual(['a', null])
  })
})

describe('a node once all are placed', () => {
  test('two roles on one port are reported as a warning, and both stay', () => {
    const entries = [entry('one', { repo: 'r/1' }), entry('two', { repo: 'r/2' })]
    const plan = planned(lab({ entries, manifests: [A], nodes: [box('a', 60, 'model-a')] }))
    expect(placements(plan)).toEqual({ one: 'a', two: 'a' })
    expect(plan.residency[0]?.portClashes).toEqual([{ port: 8090, roles: ['one', 'two'] }])
    expect(plan.problems.find(({ code }) => code === 'port-clash')).toMatchObject({
      severity: 'warning',
      message: 'one and two are both placed on a and serve on port 8090; give one of them another port',
      file: 'queue.yaml',
      range: { start: { line: 3 } },
      role: 'two',
    })
  })

  test('one port on two nodes is no clash', () => {
    const entries = [entry('one', { repo: 'r/1', ram_gb: '20' }), entry('two', { repo: 'r/2', ram_gb: '20' })]
    const of = lab({ entries, manifests: [A], nodes: [box('a', 20, 'model-a'), box('b', 20, 'model-a')] })
    expect(planned(of).problems.filter(({ code }) => code === 'port-clash')).toEqual([])
  })

  test('fetches that fit singly but not together are reported, a shared model counted once', () => {
    const of = lab({
      entries: [
        entry('a1', { port: '1' }),
        entry('a2', { port: '2' }),
        entry('b1', { port: '3', name: 'model-b' }),
      ],
      manifests: [A, B],
      nodes: [node('nas', [whole('model-a'), whole('model-b')]), box('pc', 60)],
    })
    const room = (free: bigint) => planned(of, { transfer: true, freeSpace: new Map([['pc', free]]) })
    const headroom = 2n ** 30n
    const pc = room(20n * GB + headroom).residency.find(({ nodeId }) => nodeId === 'pc')
    expect(pc?.incomingBytes).toBe(20n * GB)
    expect(room(20n * GB + headroom).problems.map(({ code }) => code)).not.toContain('storage-overfull')
    expect(room(20n * GB + headroom - 1n).problems.map(({ code }) => code)).toContain('storage-overfull')
  })
})

describe('what the scenario assumes', () => {
  const nodes = [box('a', 40, 'model-a'), box('b', 40, 'model-a')]

  test('a role that is off holds nothing, and is not missed', () => {
    const plan = planned(lab({ ...THREE, nodes }), { offRoles: new Set(['first']) })
    expect(placements(plan)).toEqual({ first: null, second: 'a', third: 'a' })
    expect(roleOf(plan, 'first').placement).toEqual({ kind: 'off' })
    expect(roleOf(plan, 'first').outcome.kind).toBe('switched_off')
    expect(decidedNode(roleOf(plan, 'first').decision)).toBe('a')
  })

  test('a node that is away runs nothing and serves nothing', () => {
    const plan = planned(lab({ ...THREE, nodes }), { awayNodes: new Set(['a']) })
    expect(placements(plan)).toEqual({ first: 'b', second: 'b', third: null })
    expect(roleOf(plan, 'first').nodes[0]).toMatchObject({
      nodeId: 'a',
      eligible: false,
      forced: 'out',
      complete: false,
    })
    const nas = lab({ ...THREE, nodes: [box('pc', 60), node('nas', [whole('model-a')])] })
    expect(roleOf(planned(nas, { transfer: true, awayNodes: new Set(['nas']) }), 'first').decision).toEqual({
      kind: 'unplaceable',
      unplaceable: { reason: 'no_holder' },
    })
  })

  test('a node away is out also when it is forced in', () => {
    const changes = { awayNodes: new Set(['a']), forcedNodes: new Map([['a', 'in' as const]]) }
    expect(placements(planned(lab({ ...THREE, nodes }), changes))['first']).toBe('b')
  })

  test('assumed memory is what roles are held to', () => {
    const plan = planned(lab({ ...THREE, nodes }), { memory: new Map([['a', 60n * GB]]) })
    expect(placements(plan)).toEqual({ first: 'a', second: 'a', third: 'a' })
    expect(plan.residency[0]?.ledger.budget).toEqual({ pool: 'unified-memory', bytes: 60n * GB })
  })

  test('memory can be assumed of a node that reports none', () => {
    const bare = node('bare', [
      capability('runtime.infer.llamacpp'),
      capability('format.gguf'),
      whole('model-a'),
    ])
    const plan = planned(lab({ ...THREE, nodes: [bare] }), { memory: new Map([['bare', 40n * GB]]) })
    expect(placements(plan)).toEqual({ first: 'bare', second: 'bare', third: null })
    expect(plan.residency[0]?.ledger.budget?.pool).toBe('accelerator-memory')
  })

  test('assumed free space decides whether a fetch fits', () => {
    const of = lab({ ...THREE, nodes: [node('nas', [whole('model-a')]), box('pc', 60)] })
    const decision = (free: bigint) =>
      roleOf(planned(of, { transfer: true, freeSpace: new Map([['pc', free]]) }), 'first').decision
    expect(decision(11n * GB).kind).toBe('unplaceable')
    expect(decision(12n * GB).kind).toBe('fetch_then_place')
  })

  test('a pinned role runs on its node only, and gets its memory before the others', () => {
    const plan = planned(lab({ ...THREE, nodes }), { pinned: new Map([['third', 'a']]) })
    expect(placements(plan)).toEqual({ first: 'a', second: 'b', third: 'a' })
    const third = roleOf(plan, 'third')
    expect(third.nodes.find(({ nodeId }) => nodeId === 'b')?.failures).toEqual([
      { constraint: 'override', by: 'pin', pinnedTo: 'a' },
    ])
  })

  test('a pin is no way around a constraint', () => {
    const plan = planned(lab({ ...THREE, nodes: [box('a', 40, 'model-a'), box('small', 10, 'model-a')] }), {
      pinned: new Map([['first', 'small']]),
    })
    expect(roleOf(plan, 'first').outcome.nodeId).toBeNull()
  })

  test('names that the lab does not have are reported', () => {
    const plan = planned(lab({ ...THREE, nodes }), {
      freeSpace: new Map([['ghost', 1n]]),
      memory: new Map([['ghost', 1n]]),
      awayNodes: new Set(['ghost']),
      offRoles: new Set(['nobody']),
      pinned: new Map([
        ['nobody', 'a'],
        ['first', 'ghost'],
      ]),
    })
    const codes = plan.problems.map(({ code }) => code).filter((code) => code.startsWith('scenario-'))
    expect(codes.filter((code) => code === 'scenario-unknown-node')).toHaveLength(4)
    expect(codes.filter((code) => code === 'scenario-unknown-role')).toHaveLength(2)
  })
})

const arbitraryLab = fc.record({
  gbs: fc.array(fc.integer({ min: 1, max: 40 }), { minLength: 1, maxLength: 7 }),
  models: fc.array(fc.constantFrom('model-a', 'model-b'), { minLength: 7, maxLength: 7 }),
  excludes: fc.array(fc.tuple(fc.integer({ min: 0, max: 6 }), fc.integer({ min: 0, max: 6 })), {
    maxLength: 4,
  }),
  nodes: fc.array(
    fc.record({
      gb: fc.integer({ min: 1, max: 80 }),
      holds: fc.subarray(['model-a', 'model-b']),
      forced: fc.option(fc.constantFrom('in' as const, 'out' as const), { nil: null }),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  transfer: fc.boolean(),
})

test('no plan is over a budget or against an exclude, and every role is somewhere or reported why not', () => {
  fc.assert(
    fc.property(arbitraryLab, ({ gbs, models, excludes, nodes, transfer }) => {
      const of = lab({
        entries: gbs.map((gb, i) =>
          entry(`r${i}`, { ram_gb: `${gb}`, name: models[i] ?? 'model-a', port: `${i + 1}` }),
        ),
        manifests: [A, B],
        nodes: nodes.map(({ gb, holds }, i) => box(`n${i}`, gb, ...holds)),
      })
      const overlay = `excludes: {${[...new Map(excludes)].map(([a, b]) => `r${a}: [role:r${b}]`).join(', ')}}\n`
      const forcedNodes = new Map(
        nodes.flatMap(({ forced }, i) => (forced === null ? [] : [[`n${i}`, forced] as const])),
      )
      const plan = planned(of, { transfer, overlay, forcedNodes })
      for (const { ledger, nodeId } of plan.residency) {
        const there = plan.roles.filter((role) => role.outcome.nodeId === nodeId)
        expect(ledger.instances.map(({ role }) => role).sort()).toEqual(there.map(({ role }) => role).sort())
        expect(ledger.usedBytes <= (ledger.budget?.bytes ?? 0n)).toBe(true)
        for (const a of there) {
          for (const b of there) {
            if (a !== b) expect(excludesRole(a.imported.spec.excludes, b.role)).toBe(false)
          }
        }
      }
      for (const role of plan.roles) {
        expect(role.outcome.nodeId === null).toBe(cannotRunReason(role) !== null)
        const chosen = role.nodes.find(({ nodeId }) => nodeId === role.outcome.nodeId)
        if (role.outcome.nodeId !== null) expect(chosen?.eligible).toBe(true)
      }
    }),
    { numRuns: 150 },
  )
})

test('the name of one instance is the one that naming them all gives it', () => {
  fc.assert(
    fc.property(fc.array(fc.constantFrom('a', 'b', 'a#2'), { maxLength: 12 }), (ids) => {
      const roles = ids.map((role) => ({ role }))
      expect(roles.map((_, i) => instanceName(roles, i))).toEqual(instanceNames(roles))
    }),
  )
})
