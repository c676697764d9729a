import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { changeText } from '../../../../shared/advice/advice-words.ts'
import { createAdviser } from '../../../../shared/advice/advise.ts'
import { applyChange } from '../../../../shared/advice/apply-change.ts'
import { failureDetail } from '../../../../shared/eligibility/describe.ts'
import { GB } from '../../../../shared/bytes.ts'
import type { LabNode } from '../../../../shared/node/types.ts'
import type { PlanInputs } from '../../../../shared/plan/types.ts'
import { able, declaredNode, entry, ISSUED, node, planOf, TTL, whole, withFormat } from '../plan/make-lab.ts'
import { A, LOCKED, TRANSFER, inputs, advised, lines, changesOf, box, NAS, AWAY } from './advice-labs.ts'

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
