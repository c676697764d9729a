import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { GB } from '../../../../shared/bytes.ts'
import { comparePlans, type Comparison } from '../../../../shared/compare/compare-plans.ts'
import { causesText, differenceText } from '../../../../shared/compare/difference-words.ts'
import { inputDifferences, mixInputs } from '../../../../shared/compare/mix-inputs.ts'
import { jsonText } from '../../../../shared/json/json-text.ts'
import type { LabNode } from '../../../../shared/node/types.ts'
import { planOutline } from '../../../../shared/report/plan-diff.ts'
import { PlanMemo } from '../../../../shared/plan/plan-memo.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import type { PlanInputs } from '../../../../shared/plan/types.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'
import {
  able,
  declaredNode,
  entry,
  lab,
  model,
  node,
  overlay,
  planOf,
  whole,
  type LabSketch,
} from '../plan/make-lab.ts'

const A = model('model-a')
const B = model('model-b')
const TRANSFER = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true }

const SKETCH: LabSketch = {
  entries: [
    entry('one', { ram_gb: '20', port: '1' }),
    entry('two', { ram_gb: '20', port: '2' }),
    entry('three', { name: 'model-b', port: '3' }),
  ],
  manifests: [A, B],
  nodes: [
    node('nas', [whole('model-a'), whole('model-b')]),
    node('pc', [...able(), whole('model-a')]),
    node('rig', [...able(), whole('model-a')]),
  ],
}

interface Sketch extends LabSketch {
  readonly overlay?: string
  readonly scenario?: Partial<Scenario>
}

function inputs({ overlay: text, scenario, ...sketch }: Sketch = {}): PlanInputs {
  return {
    lab: lab({ ...SKETCH, ...sketch }),
    overlay: text === undefined ? null : overlay(text),
    scenario: { ...DEFAULT_SCENARIO, ...scenario },
  }
}

/** The causes of each role that changed, in words. */
function told(comparison: Comparison): Record<string, string> {
  return Object.fromEntries(
    comparison.roles.map(({ role, causes }) => [role, causes === null ? 'not found' : causesText(causes)]),
  )
}

function compared(a: Sketch, b: Sketch): Record<string, string> {
  return told(comparePlans(inputs(a), inputs(b)))
}

describe('which input did it', () => {
  test('nothing, when nothing changed', () => {
    const comparison = comparePlans(
      inputs({ overlay: 'sticky: {one: false}\n' }),
      inputs({ overlay: 'sticky: {one: false}\n' }),
    )
    expect(comparison.differences).toEqual([])
    expect(comparison.roles).toEqual([])
  })

  test('the policy’s field, and not what else of the policy changed', () => {
    const policy = { ...TRANSFER, maxBytes: 50n * GB, freeHeadroomBytes: 0n }
    expect(compared({}, { scenario: { policy } })).toEqual({ three: 'weight transfer: off → on' })
  })

  test('the overlay’s line', () => {
    const before = 'excludes:\n  three: [nobody]\n'
    const after = 'excludes:\n  three: [nobody]\n  one:\n    - role:two\nsticky:\n  three: false\n'
    expect(
      compared(
        { overlay: before, scenario: { policy: TRANSFER } },
        { overlay: after, scenario: { policy: TRANSFER } },
      ),
    ).toEqual({
      one: 'one now excludes role:two (overlay.yaml:4)',
      three: 'sticky of three: not given → false (overlay.yaml:6)',
    })
    const memory = new Map([['pc', 90n * GB]])
    const roomy = { scenario: { memory } }
    expect(compared({ ...roomy, overlay: before }, { ...roomy, overlay: after })).toEqual({
      one: 'one now excludes role:two (overlay.yaml:4)',
      two: 'one now excludes role:two (overlay.yaml:4)',
      three: 'sticky of three: not given → false (overlay.yaml:6)',
    })
  })

  test('a line that was removed is named where it was', () => {
    expect(compared({ overlay: 'latency_class:\n  one: interactive\n' }, {})).toEqual({
      one: 'latency_class of one: interactive → not given (overlay.yaml:2)',
    })
  })

  test('excludes in another order', () => {
    expect(
      compared({ overlay: 'excludes: {one: [x, y]}\n' }, { overlay: 'excludes: {one: [y, x]}\n' }),
    ).toEqual({
      one: 'the excludes of one are listed differently (overlay.yaml:1)',
    })
  })

  test('the node’s fact, with what of it changed', () => {
    const nodes = [
      node('nas', [whole('model-a'), whole('model-b')]),
      node('pc', [
        ...able().filter(({ id }) => id !== 'mem.unified'),
        capability('mem.unified', { free: 5e9, total: 64e9 }),
        capability('os.linux'),
        whole('model-a'),
      ]),
      node('rig', [...able(), whole('model-a')]),
    ]
    const causes = compared({}, { nodes })
    expect(causes['one']).toBe('mem.unified of pc changed: free 32000000000 → 5000000000 (pc.json)')
  })

  test('a node that came, and a node that went', () => {
    expect(
      compared({ nodes: (SKETCH.nodes ?? []).slice(0, 1) }, { nodes: (SKETCH.nodes ?? []).slice(0, 2) }),
    ).toMatchObject({
      one: 'node pc added (pc.json)',
    })
    expect(compared({}, { scenario: { awayNodes: new Set(['pc']) } })).toMatchObject({
      one: 'pc is treated as offline',
    })
  })

  test('a declaration', () => {
    const nodes: LabNode[] = [...(SKETCH.nodes ?? [])].map((each) =>
      each.nodeId === 'pc' ? { ...each, declared: declaredNode('pc', { eligible: false }).declared } : each,
    )
    expect(compared({}, { nodes })['one']).toBe('what is declared of pc (pc.json)')
  })

  test('a manifest', () => {
    const shared = { ...B, body: { ...B.body, redistributable: false } }
    const scenario = { policy: TRANSFER }
    expect(compared({ scenario }, { scenario, manifests: [A, shared] })).toEqual({
      three: 'manifest model-b changed (registry.json)',
    })
    expect(compared({ manifests: [A] }, {})).toEqual({ three: 'manifest model-b added (registry.json)' })
  })

  test('the roster’s field, entry and order', () => {
    const entries = SKETCH.entries ?? []
    const [one = '', two = '', three = ''] = entries
    expect(compared({}, { entries: [entry('one', { ram_gb: '30', port: '1' }), two, three] })).toEqual({
      one: 'ram_gb of one: 20.0 GB → 30.0 GB (queue.yaml:2)',
    })
    expect(compared({ entries: [one, two] }, {})).toEqual({
      three: 'roster entry three added (queue.yaml:4)',
    })
    expect(compared({}, { entries: [two, three] })).toEqual({
      one: 'roster entry one removed (queue.yaml:2)',
      two: 'roster entry one removed (queue.yaml:2)',
    })
    expect(compared({}, { entries: [two, one, three] })).toEqual({
      one: 'roster entries stand in another order (queue.yaml)',
      two: 'roster entries stand in another order (queue.yaml)',
    })
  })

  test('two that only together do, and no third', () => {
    const locked = { ...B, body: { ...B.body, redistributable: false } }
    const a: Sketch = { manifests: [A, locked] }
    const b: Sketch = {
      scenario: { policy: { ...TRANSFER, freeHeadroomBytes: 5n }, sharingVeto: false },
      overlay: 'sticky: {nobody: true}\n',
    }
    const comparison = comparePlans(inputs(a), inputs(b))
    expect(told(comparison)).toEqual({
      three: 'weight transfer: off → on; manifest model-b changed (registry.json)',
    })
    expect(comparison.roles[0]?.causes?.proof).toBe('smallest')
  })

  test('a role that is displaced by another one’s change', () => {
    const entries = [entry('one', { ram_gb: '5', port: '1' }), ...(SKETCH.entries ?? []).slice(1)]
    expect(compared({ entries }, {})).toMatchObject({ two: 'ram_gb of one: 5.0 GB → 20.0 GB (queue.yaml:2)' })
  })

  test('a search that runs out of plans says that not all may matter', () => {
    const comparison = comparePlans(
      inputs({}),
      inputs({ scenario: { policy: { ...TRANSFER, freeHeadroomBytes: 1n } } }),
      new PlanMemo(),
      1,
    )
    expect(comparison.roles[0]?.causes).toMatchObject({ proof: 'bounded', differences: [{}, {}] })
    expect(told(comparison)['three']).toMatch(/^some or all of: weight transfer/)
  })
})

const arbitraryEntry = fc.record({
  id: fc.constantFrom('one', 'two', 'three', 'four'),
  gb: fc.constantFrom('5', '10', '20', '~'),
  model: fc.constantFrom('model-a', 'model-b'),
  port: fc.constantFrom('1', '2', '3'),
})
const arbitraryInputs = fc.record({
  entries: fc.array(arbitraryEntry, { maxLength: 5 }),
  holders: fc.array(fc.tuple(fc.constantFrom('nas', 'pc', 'rig'), fc.constantFrom('model-a', 'model-b')), {
    maxLength: 4,
  }),
  nodes: fc.subarray(['nas', 'pc', 'rig']),
  memory: fc.option(fc.constantFrom(10, 20, 40), { nil: null }),
  manifests: fc.subarray([A, B, { ...B, packageId: 'b2', body: { ...B.body, redistributable: false } }]),
  excludes: fc.option(fc.subarray(['one', 'role:two', 'three']), { nil: null }),
  sticky: fc.boolean(),
  transfer: fc.boolean(),
  headroom: fc.constantFrom(0n, 95n * GB),
  off: fc.subarray(['one', 'two']),
  away: fc.subarray(['pc']),
  pin: fc.option(fc.constantFrom('pc', 'rig'), { nil: null }),
})

function madeOf(made: typeof arbitraryInputs extends fc.Arbitrary<infer T> ? T : never): PlanInputs {
  return inputs({
    entries: made.entries.map(({ id, gb, model: name, port }) =>
      entry(id, { ram_gb: gb, name, port, repo: `r/${name}` }),
    ),
    manifests: made.manifests,
    nodes: made.nodes.map((id) =>
      node(id, [
        ...(id === 'nas' ? [] : able()),
        ...(made.memory === null || id === 'nas'
          ? []
          : [capability('mem.unified', { free: made.memory * 1e9 })]),
        ...made.holders.filter(([at]) => at === id).map(([, name]) => whole(name)),
      ]),
    ),
    overlay: [
      ...(made.excludes === null ? [] : [`excludes: {four: [${made.excludes.join(', ')}]}`]),
      ...(made.sticky ? ['sticky: {one: false}'] : []),
      '',
    ].join('\n'),
    scenario: {
      policy: { allowWeightTransfer: made.transfer, maxBytes: null, freeHeadroomBytes: made.headroom },
      offRoles: new Set(made.off),
      awayNodes: new Set(made.away),
      pinned: new Map(made.pin === null ? [] : [['three', made.pin]]),
    },
  })
}

function outline(of: PlanInputs): string {
  return jsonText(planOutline(planOf(of)).roles.map((role) => ({ ...role })))
}

test('replaying every difference gives the second plan, and each role’s causes alone give that role’s part of it', () => {
  fc.assert(
    fc.property(arbitraryInputs, arbitraryInputs, (first, second) => {
      const a = madeOf(first)
      const b = madeOf(second)
      expect(outline(mixInputs(a, b, inputDifferences(a, b)))).toBe(outline(b))
      const goal = planOutline(planOf(b))
      for (const { role, causes } of comparePlans(a, b).roles) {
        const replayed = planOutline(planOf(mixInputs(a, b, causes?.differences ?? [])))
        const own = (plan: typeof goal) => plan.roles.filter((each) => each.role === role)
        expect(own(replayed)).toEqual(own(goal))
        expect(causes?.differences.map(differenceText).every((text) => text !== '')).toBe(true)
      }
    }),
    { numRuns: 80 },
  )
})
