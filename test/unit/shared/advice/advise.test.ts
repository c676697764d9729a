import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { adviceLines, changeText } from '../../../../shared/advice/advice-words.ts'
import { createAdviser, type Advice } from '../../../../shared/advice/advise.ts'
import { applyChange } from '../../../../shared/advice/apply-change.ts'
import { compareCosts, type Change } from '../../../../shared/advice/change.ts'
import { obstaclesTo } from '../../../../shared/advice/standing.ts'
import { failureDetail } from '../../../../shared/eligibility/describe.ts'
import { GB, GIB } from '../../../../shared/bytes.ts'
import type { LabNode } from '../../../../shared/node/types.ts'
import { PlanMemo } from '../../../../shared/plan/plan-memo.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import type { PlanInputs } from '../../../../shared/plan/types.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'
import {
  able,
  declaredNode,
  entry,
  ISSUED,
  lab,
  model,
  node,
  overlay,
  planOf,
  TTL,
  whole,
  withFormat,
  type LabSketch,
} from '../plan/make-lab.ts'

const A = model('model-a')
const B = model('model-b')
const LOCKED = { ...A, body: { ...A.body, redistributable: false } }
const TRANSFER = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true }

interface Sketch extends LabSketch {
  readonly overlay?: string
  readonly scenario?: Partial<Scenario>
}

function inputs({ overlay: text, scenario, ...sketch }: Sketch): PlanInputs {
  return {
    lab: lab({
      manifests: [A],
      ...sketch,
      nodes: [...(sketch.nodes ?? [])].sort((a, b) => (a.nodeId < b.nodeId ? -1 : 1)),
    }),
    overlay: text === undefined ? null : overlay(text),
    scenario: { ...DEFAULT_SCENARIO, ...scenario },
  }
}

function indexOf(of: PlanInputs, nodeId: string): number {
  return of.lab.nodes.findIndex((each) => each.nodeId === nodeId)
}

/** What is advised for the first role (or number `role`) on the node. */
function advised(of: PlanInputs, nodeId: string, role = 0): Advice {
  return createAdviser(of).advise(role, indexOf(of, nodeId))
}

function lines(of: PlanInputs, nodeId: string, role = 0): string[] {
  const { plan } = createAdviser(of)
  const own = plan.roles[role]
  if (!own) throw new Error('no such role')
  return adviceLines(advised(of, nodeId, role), own)
}

function changesOf(advice: Advice): readonly Change[] {
  return advice.kind === 'changes' ? advice.changes : []
}

/** A node that runs llama.cpp roles, with `free` of `total` GB of memory and `room` GB of storage. */
function box(id: string, { free = 32, total = 64, room = 100 } = {}, ...models: readonly string[]): LabNode {
  return node(id, [
    capability('runtime.infer.llamacpp'),
    capability('format.gguf'),
    capability('mem.unified', { free: free * 1e9, total: total * 1e9 }),
    capability('store.tier.internal', { free: room * 1e9 }),
    ...models.map(whole),
  ])
}

const NAS = node('nas', [whole('model-a')])
const AWAY = capability('model.present', { shards: ['model:model-a-id'] }, { state: 'degraded' })

describe('what would let a role run on a node', () => {
  test('nothing has to change where it could run', () => {
    expect(advised(inputs({ nodes: [box('a', {}, 'model-a'), box('b', {}, 'model-a')] }), 'b')).toEqual({
      kind: 'placeable',
    })
  })

  test('allow transfer, or bring the bytes by hand', () => {
    expect(lines(inputs({ nodes: [NAS, box('pc')] }), 'pc')).toEqual([
      'allow weight transfer',
      'copy 10.0 GB of model-a to pc, then scan that node',
    ])
  })

  test('of the policy exactly as much as is needed', () => {
    const policy = { ...TRANSFER, maxBytes: 4n * GB }
    expect(lines(inputs({ nodes: [NAS, box('pc')], scenario: { policy } }), 'pc')[0]).toBe(
      'raise the ceiling to 10.0 GB',
    )
    expect(
      lines(inputs({ nodes: [NAS, box('pc', { room: 10.5 })], scenario: { policy: TRANSFER } }), 'pc').slice(
        0,
        2,
      ),
    ).toEqual(['lower the headroom to 0.465 GiB', 'free 573.8 MB on pc'])
  })

  test('mount the drive before anything is signed or carried', () => {
    const pc = node('pc', [...able(), AWAY])
    expect(lines(inputs({ manifests: [LOCKED], nodes: [pc] }), 'pc')).toEqual([
      'mount the drive of pc that holds model-a',
      'copy 10.0 GB of model-a to pc, then scan that node',
    ])
  })

  test('a drive on another node helps where transfer is allowed', () => {
    const vault = node('vault', [AWAY])
    expect(lines(inputs({ nodes: [vault, box('pc')], scenario: { policy: TRANSFER } }), 'pc')[0]).toBe(
      'mount the drive of vault that holds model-a',
    )
  })

  test('sign as redistributable, or lift the veto', () => {
    const scenario = { policy: TRANSFER }
    expect(lines(inputs({ manifests: [LOCKED], nodes: [NAS, box('pc')], scenario }), 'pc')[0]).toMatch(
      /^sign the manifest of model-a as redistributable/,
    )
    const vetoed = { ...scenario, sharingVeto: true }
    expect(lines(inputs({ nodes: [NAS, box('pc')], scenario: vetoed }), 'pc')[0]).toBe(
      'stop forbidding the copying of weights',
    )
    // Both at once: neither alone is enough, so only carrying the bytes is left.
    expect(lines(inputs({ manifests: [LOCKED], nodes: [NAS, box('pc')], scenario: vetoed }), 'pc')).toEqual([
      'copy 10.0 GB of model-a to pc, then scan that node',
    ])
  })

  test('free memory, beside the roles that are there', () => {
    const entries = [
      entry('first', { ram_gb: '20', port: '1' }),
      entry('second', { ram_gb: '20', port: '2' }),
    ]
    const of = inputs({ entries, nodes: [box('pc', { free: 32, total: 64 }, 'model-a')] })
    expect(lines(of, 'pc', 1)).toEqual([
      'stop first, which holds 20.0 GB on pc',
      'free 8.0 GB of memory on pc',
    ])
    expect(lines(of, 'pc', 0)).toEqual(['could run here as things are'])
  })

  test('a role that later comes to the freed memory is reckoned with', () => {
    const entries = [entry('one', { ram_gb: '20', port: '1' }), entry('big', { ram_gb: '40', port: '2' })]
    const of = inputs({
      entries,
      nodes: [box('a', { free: 10, total: 64 }, 'model-a'), box('b', { free: 60 }, 'model-a')],
    })
    const advice = advised(of, 'a', 1)
    expect(advice).toMatchObject({ kind: 'changes', changes: [{ kind: 'free_memory', bytes: 60n * GB }] })
  })

  test('drop this exclude, with its line', () => {
    const entries = [entry('first', { port: '1' }), entry('second', { port: '2' })]
    const of = inputs({
      entries,
      nodes: [box('pc', {}, 'model-a')],
      overlay: 'excludes:\n  first:\n    - nobody\n    - role:second\n',
    })
    expect(lines(of, 'pc', 1)).toEqual([
      'drop the exclude of second by first (overlay.yaml:4)',
      'stop first, which holds 10.0 GB on pc',
    ])
  })

  test('an exclude declared by both sides is not dropped by one', () => {
    const entries = [entry('first', { port: '1' }), entry('second', { port: '2' })]
    const text = 'excludes: {first: [second], second: [first]}\n'
    expect(lines(inputs({ entries, nodes: [box('pc', {}, 'model-a')], overlay: text }), 'pc', 1)).toEqual([
      'stop first, which holds 10.0 GB on pc',
    ])
  })

  test('what the scenario itself rules out', () => {
    const nodes = [box('a', {}, 'model-a'), box('b', {}, 'model-a')]
    expect(lines(inputs({ nodes, scenario: { forcedNodes: new Map([['a', 'out']]) } }), 'a')).toEqual([
      'stop ruling a out',
    ])
    expect(lines(inputs({ nodes, scenario: { awayNodes: new Set(['a']) } }), 'a')).toEqual([
      'stop treating a as offline',
    ])
    expect(lines(inputs({ nodes, scenario: { pinned: new Map([['role-a', 'b']]) } }), 'a')).toEqual([
      'unpin role-a from b',
    ])
    expect(lines(inputs({ nodes, scenario: { offRoles: new Set(['role-a']) } }), 'a')).toEqual([
      'switch role-a on',
    ])
    const stale = { requireFreshFacts: true, nowSecs: ISSUED + TTL + 1 }
    expect(lines(inputs({ nodes, scenario: stale }), 'a')).toEqual([
      'accept facts that are not fresh',
      'treat a as eligible despite failures',
    ])
  })

  test('force in where a constraint is soft', () => {
    const busy = node('busy', [
      ...able().filter(({ id }) => id !== 'runtime.infer.llamacpp'),
      capability('runtime.infer.llamacpp', {}, { state: 'reserved' }),
      whole('model-a'),
    ])
    const out = { ...box('out', {}, 'model-a'), declared: declaredNode('out', { eligible: false }).declared }
    const of = inputs({ nodes: [busy, out] })
    expect(lines(of, 'busy')).toEqual(['treat busy as eligible despite failures'])
    expect(lines(of, 'out')).toEqual(['treat out as eligible despite failures'])
  })

  test('a node that reports no memory or no space', () => {
    const bare = node('bare', [
      capability('runtime.infer.llamacpp'),
      capability('format.gguf'),
      whole('model-a'),
    ])
    expect(lines(inputs({ nodes: [NAS, bare] }), 'bare')).toEqual([
      'see that 10.0 GB of memory are free on bare, which reports none',
      'treat bare as eligible despite failures',
    ])
    const roomless = node(
      'pc',
      able().filter(({ id }) => id !== 'store.tier.internal'),
    )
    expect(lines(inputs({ nodes: [NAS, roomless], scenario: { policy: TRANSFER } }), 'pc')[0]).toBe(
      'see that 11.1 GB are free on pc, whose free space is unknown',
    )
  })

  test('adopt a model that no manifest reports', () => {
    expect(lines(inputs({ manifests: [], nodes: [box('pc')] }), 'pc')).toEqual([
      'adopt model-a on pc (taken to be 10.0 GB of gguf)',
    ])
  })
})

describe('a runtime that is not installed', () => {
  const bare = node('gpu-box', [capability('mem.unified', { free: 64e9, total: 64e9 }), whole('model-a')])
  const noted: LabNode = {
    ...bare,
    facts: bare.facts && {
      ...bare.facts,
      notes: [{ probe: 'runtime.infer.llamacpp', note: 'llama-server was not found' }],
    },
  }

  test('is something to install, or to assume, with the formats that it brings', () => {
    const of = inputs({ nodes: [bare] })
    expect(lines(of, 'gpu-box')).toEqual(['install llama-server on gpu-box (or assume that it is installed)'])
    const [change] = changesOf(advised(of, 'gpu-box'))
    const after = change && applyChange(of, change)
    expect(after?.lab).toBe(of.lab)
    expect(after && planOf(after).roles[0]?.outcome).toMatchObject({ kind: 'in_place', nodeId: 'gpu-box' })
  })

  test('is named as its program where the facts note that it was not found', () => {
    const [verdict] = planOf(inputs({ nodes: [noted] })).roles[0]?.nodes ?? []
    expect(verdict?.failures.map(failureDetail)[0]).toBe('llama-server was not found on gpu-box')
  })
})

describe('never, with the reason', () => {
  test('the whole pool is too small', () => {
    const of = inputs({
      entries: [entry('role-a', { ram_gb: '55' })],
      nodes: [box('pc', { free: 40, total: 52 }, 'model-a')],
    })
    expect(lines(of, 'pc')).toEqual(['never: 55.0 GB do not fit an empty 52.0 GB pool'])
  })

  test('the runtime is not there, the format is not loadable', () => {
    const of = inputs({
      manifests: [withFormat(A, 'mlx')],
      nodes: [node('nas', [capability('mem.unified', { free: 64e9 }), whole('model-a')])],
    })
    expect(lines(of, 'nas')).toEqual(['never: the model is mlx, infer.llamacpp loads gguf'])
  })

  test('the roster’s name is no token', () => {
    expect(
      lines(inputs({ entries: [entry('role-a', { name: '"a b"' })], nodes: [box('pc')] }), 'pc'),
    ).toEqual(['never: no manifest can match its name; rename it: only letters, digits and . _ + : -'])
  })

  test('where two things are needed, both are reported', () => {
    const of = inputs({ nodes: [NAS, box('pc', { free: 5 })] })
    expect(lines(of, 'pc')).toEqual([
      'no single change is enough: needs 10.0 GB, 5.0 GB free in the unified pool; ' +
        'weights are held elsewhere and allow_weight_transfer is off',
    ])
  })
})

test('asking for the cheapest gives the first of all', () => {
  const of = inputs({ nodes: [NAS, box('pc')] })
  const adviser = createAdviser(of)
  const all = adviser.advise(0, 1)
  const one = adviser.advise(0, 1, 1)
  expect(all.kind === 'changes' && one.kind === 'changes' && [one.changes, all.changes.length]).toEqual([
    [{ kind: 'allow_transfer' }],
    2,
  ])
})

const arbitrary = fc.record({
  entries: fc.array(
    fc.record({
      gb: fc.constantFrom(5, 20, 40, 70),
      model: fc.constantFrom('model-a', 'model-b', 'model-c'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  nodes: fc.array(
    fc.record({
      kind: fc.constantFrom('box', 'nas', 'bare', 'reserved'),
      free: fc.constantFrom(10, 30, 60),
      room: fc.constantFrom(0, 10.5, 100),
      holds: fc.subarray(['model-a', 'model-b']),
      away: fc.boolean(),
      declared: fc.constantFrom(null, true, false),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  locked: fc.boolean(),
  excludes: fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 3 }),
  transfer: fc.boolean(),
  ceiling: fc.constantFrom(null, 4n * GB),
  veto: fc.boolean(),
  fresh: fc.boolean(),
  off: fc.boolean(),
  away: fc.boolean(),
  pin: fc.boolean(),
})

function madeOf(made: typeof arbitrary extends fc.Arbitrary<infer T> ? T : never): PlanInputs {
  return inputs({
    entries: made.entries.map(({ gb, model: name }, i) =>
      entry(`r${i}`, { ram_gb: `${gb}`, name, port: `${i + 1}` }),
    ),
    manifests: [made.locked ? LOCKED : A, B],
    nodes: made.nodes.map(({ kind, free, room, holds, away, declared }, i) => {
      const base = box(`n${i}`, { free, room }, ...holds).facts?.capabilities ?? []
      const capabilities = base.filter(({ id }) => {
        if (kind === 'nas') return !id.startsWith('runtime.')
        return kind !== 'bare' || !id.startsWith('mem.')
      })
      return {
        ...node(`n${i}`, [
          ...capabilities.map((each) =>
            kind === 'reserved' && each.id.startsWith('runtime.')
              ? { ...each, state: 'reserved' as const }
              : each,
          ),
          ...(away ? [AWAY] : []),
        ]),
        declared: declared === null ? null : declaredNode(`n${i}`, { eligible: declared }).declared,
      }
    }),
    overlay: `excludes: {${[...new Map(made.excludes)].map(([a, b]) => `r${a}: [r${b}]`).join(', ')}}\n`,
    scenario: {
      policy: { allowWeightTransfer: made.transfer, maxBytes: made.ceiling, freeHeadroomBytes: GIB },
      sharingVeto: made.veto,
      requireFreshFacts: made.fresh,
      nowSecs: ISSUED + TTL + 1,
      offRoles: new Set(made.off ? ['r0'] : []),
      awayNodes: new Set(made.away ? ['n0'] : []),
      pinned: new Map(made.pin ? [['r0', 'n1']] : []),
    },
  })
}

/** One byte less of what the change asks for, where it asks for bytes. */
function scanter(change: Change): Change | null {
  if (change.kind === 'lower_headroom') return { ...change, bytes: change.bytes + 1n }
  if (change.kind === 'raise_ceiling' || change.kind === 'free_storage')
    return { ...change, bytes: change.bytes - 1n }
  return null
}

test('every change that is advised holds when it is applied, cheapest first, and asks for no byte too many', () => {
  fc.assert(
    fc.property(arbitrary, (made) => {
      const of = madeOf(made)
      const adviser = createAdviser(of)
      adviser.plan.roles.forEach((role, i) => {
        of.lab.nodes.forEach(({ nodeId }, n) => {
          const advice = adviser.advise(i, n)
          if (advice.kind !== 'changes') return
          expect(advice.changes).toEqual([...advice.changes].sort(compareCosts))
          for (const change of advice.changes) {
            const applied = applyChange(of, change)
            expect(obstaclesTo(planOf(applied), i, n)).toEqual([])
            // Reported to run there, it does.
            const { scenario } = applied
            const pinned = { ...scenario, pinned: new Map([...scenario.pinned, [role.role, nodeId]]) }
            const told = planOf({ ...applied, scenario: pinned }).roles[i]
            expect(told?.outcome.nodeId).toBe(nodeId)
            const less = scanter(change)
            if (less) expect(obstaclesTo(planOf(applyChange(of, less)), i, n)).not.toEqual([])
            expect(changeText(change)).not.toContain('undefined')
          }
        })
      })
    }),
    { numRuns: 80 },
  )
})

test('asking in steps, between other planning, reports what asking at once reports', () => {
  fc.assert(
    fc.property(arbitrary, arbitrary, fc.integer({ min: 1, max: 40 }), (made, madeElse, pace) => {
      const of = madeOf(made)
      const atOnceAdviser = createAdviser(of)
      const memo = new PlanMemo()
      const adviser = createAdviser(of, memo)
      const { scenario: other } = madeOf(madeElse)
      adviser.plan.roles.forEach((_, i) => {
        of.lab.nodes.forEach((__, n) => {
          const steps = adviser.adviseTask(i, n, 2)
          let taken = 0
          let step = steps.next()
          while (step.done !== true) {
            if (++taken % pace === 0) plan(of.lab, of.overlay, { ...other }, memo)
            step = steps.next()
          }
          expect(step.value).toEqual(atOnceAdviser.advise(i, n, 2))
        })
      })
    }),
    { numRuns: 30 },
  )
})

test('however much is asked, the plan that is asked about is not decided again after an edit of the overlay', () => {
  const nodes = Array.from({ length: 9 }, (_, i) =>
    box(`n${i}`, { free: 30 }, ...(i === 0 ? ['model-a'] : [])),
  )
  const of = inputs({
    entries: [entry('r0', { port: '1' }), entry('r1', { port: '2', ram_gb: '40' })],
    nodes,
  })
  const memo = new PlanMemo()
  const { plan: asked, advise } = createAdviser(of, memo)
  asked.roles.forEach((_, role) => nodes.forEach((__, node) => advise(role, node)))
  const edited = plan(of.lab, overlay('sticky: {r0: true}\n'), of.scenario, memo)
  edited.roles.forEach(({ decision }, i) => expect(decision).toBe(asked.roles[i]?.decision))
})

/** Every change there could be of this lab, whatever the question. */
function everyChange(of: PlanInputs): Change[] {
  const roles = planOf(of).roles
  return [
    { kind: 'allow_transfer' },
    { kind: 'lower_headroom', bytes: 0n },
    { kind: 'raise_ceiling', bytes: 1000n * GB },
    { kind: 'lift_veto' },
    { kind: 'accept_stale' },
    ...roles.map(({ role }): Change => ({ kind: 'switch_on', role })),
    ...roles.flatMap(({ role }) =>
      roles.map(({ role: excluded }): Change => ({ kind: 'drop_exclude', role, excluded, place: null })),
    ),
    ...of.lab.manifests.map(({ packageId, body }): Change => ({
      kind: 'mark_redistributable',
      model: body.name,
      packageId,
    })),
    ...of.lab.nodes.flatMap(({ nodeId }): Change[] => [
      { kind: 'bring_back', node: nodeId },
      { kind: 'free_storage', node: nodeId, bytes: 1000n * GB, more: null },
      { kind: 'free_memory', node: nodeId, bytes: 64n * GB, more: null },
      ...of.lab.manifests.map(({ packageId, body }): Change => ({
        kind: 'mount_drive',
        node: nodeId,
        model: body.name,
        packageId,
      })),
      ...of.lab.manifests.map(({ body }): Change => ({
        kind: 'adopt_model',
        node: nodeId,
        model: body.name,
        bytes: 0n,
        assumed: null,
      })),
    ]),
  ]
}

test('where no single change is advised, none of all there are would do', () => {
  fc.assert(
    fc.property(arbitrary, (made) => {
      const of = madeOf(made)
      const adviser = createAdviser(of)
      const plans = everyChange(of).map((change) => ({ change, plan: planOf(applyChange(of, change)) }))
      adviser.plan.roles.forEach((_, i) => {
        of.lab.nodes.forEach((__, n) => {
          const advice = adviser.advise(i, n)
          if (advice.kind !== 'never') return
          // Where the roles there are in the way, a change may also drive one of them away: none that is advised.
          if (advice.obstacles.some(({ kind }) => kind === 'co_residency')) return
          const enough = plans.filter(({ plan }) => obstaclesTo(plan, i, n).length === 0)
          expect(enough.map(({ change }) => change)).toEqual([])
        })
      })
    }),
    { numRuns: 80 },
  )
})

test.each([
  ['and the pool has room for more', 64],
  ['although the pool is smaller than what the role takes now', 12],
])('a smaller context is advised where it lets the role run, %s', (_, total) => {
  const cache = { kind: 'attention', kvHeads: 8, keyLength: 128, valueLength: 128, window: null } as const
  const shape = {
    ...{ architecture: 'llama', weightsBytes: 9_000_000_000n, projectorBytes: 0n, trainedContext: 131_072 },
    caches: { kind: 'known', groups: [{ layers: 32, cache }] },
  } as const
  const document = { packageId: 'model-a-id', model: 'model-a', shape, file: 'shapes/a.json' }
  const of = inputs({ nodes: [box('mac-mini', { free: 12, total }, 'model-a')] })
  const known: PlanInputs = {
    ...of,
    lab: { ...of.lab, shapes: new Map([['model-a-id', document]]) },
    scenario: { ...of.scenario, computedMemory: new Set([createAdviser(of).plan.roles[0]?.role ?? '']) },
  }
  const { plan: before } = createAdviser(known)
  expect(before.roles[0]?.outcome.kind).toBe('cannot_run')
  const advice = changesOf(advised(known, 'mac-mini'))
  const smaller = advice.find(({ kind }) => kind === 'smaller_context')
  if (smaller === undefined) throw new Error('no smaller context is advised')
  expect(changeText(smaller)).toMatch(/^start role-a with a context of \d\d,\d{3} instead of 32,768 tokens/)
  const after = createAdviser(applyChange(known, smaller)).plan
  expect(after.roles[0]?.outcome).toMatchObject({ kind: 'in_place', nodeId: 'mac-mini' })
})
