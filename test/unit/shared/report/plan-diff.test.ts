import { describe, expect, test } from 'vitest'
import { GB } from '../../../../shared/bytes.ts'
import { changeKind, decisionText, fieldText, standingText } from '../../../../shared/report/diff-text.ts'
import { diffPlans, planOutline, type PlanDiff } from '../../../../shared/report/plan-diff.ts'
import { planToJson } from '../../../../shared/report/plan-json.ts'
import { able, entry, lab, model, node, planned, whole, type LabSketch } from '../plan/make-lab.ts'

const A = model('model-a')
const NODES = [node('nas', [whole('model-a')]), node('pc', able())]

function outline(sketch: LabSketch = {}, changes: Parameters<typeof planned>[1] = {}) {
  return planOutline(planned(lab({ manifests: [A], nodes: NODES, ...sketch }), changes))
}

function fieldsOf(diff: PlanDiff): Record<string, [unknown, unknown]> {
  const [first] = diff.roles
  return Object.fromEntries((first?.fields ?? []).map(({ field, from, to }) => [field, [from, to]]))
}

test('a plan does not differ from itself', () => {
  expect(diffPlans(outline(), outline())).toEqual({ policy: [], roles: [], compared: 1 })
})

test('the outline is the plan file without explanations', () => {
  const plan = planned(lab({ manifests: [A], nodes: NODES }), { transfer: true })
  expect(planToJson(plan)).toMatchObject(planOutline(plan))
})

describe('a role both plans plan', () => {
  test('differs by outcome, node, bytes and the rest of it; the policy is reported', () => {
    const diff = diffPlans(outline(), outline({}, { transfer: true }))
    expect(diff.policy).toEqual([{ field: 'allow_weight_transfer', from: false, to: true }])
    expect(fieldsOf(diff)).toEqual({
      outcome: ['cannot_run', 'after_fetching'],
      node: [null, 'pc'],
      bytes: [0n, 10n * GB],
      missing_shards: [null, 2],
      sources: [null, ['nas']],
      reason: ['weights are held elsewhere and allow_weight_transfer is off', null],
    })
  })

  test('differs by the fields of its spec, lists compared by their items', () => {
    const overlay = 'excludes: {role-a: [x]}\nlatency_class: {role-a: interactive}\nsticky: {role-a: false}\n'
    expect(fieldsOf(diffPlans(outline(), outline({}, { overlay })))).toEqual({
      'spec.excludes': [null, ['x']],
      'spec.latency_class': ['batch', 'interactive'],
      'spec.sticky': [true, false],
    })
    const same = outline({}, { overlay })
    expect(diffPlans(same, outline({}, { overlay })).roles).toEqual([])
  })

  test('differs by port, memory, model, manifest, repo and status', () => {
    const changed = entry('role-a', { port: '1', ram_gb: '11', name: 'model-b', repo: 'r', status: 'live' })
    const diff = diffPlans(outline(), outline({ entries: [changed], manifests: [model('model-b')] }))
    expect(Object.keys(fieldsOf(diff))).toEqual(
      expect.arrayContaining([
        'package_id',
        'repo',
        'status',
        'spec.model',
        'spec.serve.port',
        'spec.memory.weights_bytes',
      ]),
    )
  })

  test('a number read from a file equals the same number of a plan', () => {
    const a = outline()
    const b = {
      ...a,
      roles: a.roles.map((role) => ({ ...role, spec: { ...role.spec, serve: { port: 8090 } } })),
    }
    expect(diffPlans(a, b).roles).toEqual([])
  })
})

describe('what only one plan has, or one skips', () => {
  const skip = entry('role-a', { backend: 'mlx_vlm' })

  test('is reported by its standing on either side, in the first plan’s order and then the second’s', () => {
    const a = outline({ entries: [entry('gone'), entry('role-a', { port: '1' })] })
    const b = outline({ entries: [entry('new'), skip] })
    expect(diffPlans(a, b).roles.map((change) => [change.role, changeKind(change)])).toEqual([
      ['gone', 'disappeared'],
      ['role-a', 'now skipped'],
      ['new', 'appeared'],
    ])
    expect(diffPlans(b, a).roles.map((change) => [change.role, changeKind(change)])).toEqual([
      ['new', 'disappeared'],
      ['role-a', 'no longer skipped'],
      ['gone', 'appeared'],
    ])
    expect(diffPlans(a, b).compared).toBe(3)
  })

  test('an entry skipped for another reason changed', () => {
    const diff = diffPlans(
      outline({ entries: [skip] }),
      outline({ entries: [entry('role-a', { ram_gb: 'none' })] }),
    )
    expect(diff.roles.map(changeKind)).toEqual(['changed'])
    expect(fieldsOf(diff)).toEqual({
      skipped: ['backend "mlx_vlm" has no inference adapter', 'ram_gb is missing or not a number'],
    })
  })
})

test('entries that share an id are paired in order', () => {
  const twins = (second: string) => outline({ entries: [entry('twin'), entry('twin', { port: second })] })
  const diff = diffPlans(twins('1'), twins('2'))
  expect(diff.compared).toBe(2)
  expect(fieldsOf(diff)).toEqual({ 'spec.serve.port': [1, 2] })
  const alias = outline({ entries: [entry('twin'), entry('twin')] })
  expect(diffPlans(twins('1'), alias).roles.map(changeKind)).toEqual(['now skipped'])
})

describe('in words', () => {
  test('a decision and a standing in a few words', () => {
    expect(decisionText({ kind: 'place_at_holder', node_id: 'n' })).toBe('in place at n')
    expect(decisionText({ kind: 'no_manifest', model: 'm' })).toBe('no manifest')
    expect(
      decisionText({
        kind: 'fetch_then_place',
        target: 'n',
        sources: [],
        bytes: 10n * GB,
        missing_shards: 1,
      }),
    ).toBe('fetch 10.0 GB to n')
    expect(standingText({ kind: 'absent' })).toBe('not in the roster')
    expect(standingText({ kind: 'skipped', reason: 'why' })).toBe('skipped: why')
  })

  test('values of fields: none for nothing, yes and no, lists with commas', () => {
    const say = (value: Parameters<typeof fieldText>[1], field = 'x') =>
      fieldText({ field, from: null, to: null }, value)
    expect([null, '', true, false, [], ['a', 'b'], 5n, 'text'].map((value) => say(value))).toEqual([
      'none',
      'none',
      'yes',
      'no',
      'none',
      'a, b',
      '5',
      'text',
    ])
    expect(say('fetch_then_place', 'decision')).toBe('fetch')
    expect(say('fetch_then_place', 'status')).toBe('fetch_then_place')
  })
})
