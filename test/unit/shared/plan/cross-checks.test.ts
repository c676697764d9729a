import { describe, expect, test } from 'vitest'
import { formatDuration } from '../../../../shared/eligibility/describe.ts'
import type { Problem } from '../../../../shared/problem.ts'
import type { LabPlan } from '../../../../shared/plan/types.ts'
import {
  able,
  declaredNode,
  entry,
  ISSUED,
  lab,
  model,
  node,
  planned,
  TTL,
  type LabSketch,
} from './make-lab.ts'

const A = model('model-a')
const B = model('model-b')

/** `severity code place: message` of every problem of a plan. */
function told(plan: LabPlan): string[] {
  return plan.problems.map(describeProblem)
}

function describeProblem({ severity, code, message, file, range }: Problem): string {
  const place = range === null ? (file ?? '-') : `${file ?? '-'}:${range.start.line}:${range.start.column}`
  return `${severity} ${code} ${place}: ${message}`
}

function toldOf(sketch: LabSketch, changes: Parameters<typeof planned>[1] = {}): string[] {
  return told(planned(lab(sketch), changes))
}

test('a lab where all fits together has nothing to tell', () => {
  const entries = [entry('role-a'), entry('role-b', { name: 'model-b', port: '8091' })]
  const overlay = 'excludes: {role-a: [role-b], role-b: ["role:role-a"]}\nsticky: {role-a: true}\n'
  const nodes = [node('n', able())]
  expect(toldOf({ entries, manifests: [A, B], nodes }, { overlay, nowSecs: ISSUED })).toEqual([])
})

describe('ram_gb below the manifest’s bytes', () => {
  test('warns with both figures at the figure’s place', () => {
    expect(toldOf({ entries: [entry('role-a', { ram_gb: '9.5' })], manifests: [A] })).toEqual([
      'warning ram-below-manifest queue.yaml:2:58: role-a: ram_gb says 9.5 GB but the shards of ' +
        'model-a are 10.0 GB; ' +
        'a node that looks free enough may not be (raise ram_gb)',
    ])
  })

  test('exactly the manifest’s bytes are enough', () => {
    expect(toldOf({ entries: [entry('role-a', { ram_gb: '10' })], manifests: [A] })).toEqual([])
  })

  test('sums that pass 2^64-1 saturate instead of failing', () => {
    const huge = {
      ...A,
      body: { ...A.body, shards: A.body.shards.map((shard) => ({ ...shard, size: 2n ** 64n - 1n })) },
    }
    expect(toldOf({ manifests: [huge] })[0]).toContain('are 18.4 EB')
  })
})

describe('ports', () => {
  test('a second importable role on a port is reported at its port, with the first one’s name', () => {
    const entries = [entry('role-a'), entry('role-b', { port: '8091' }), entry('role-c')]
    expect(toldOf({ entries, manifests: [A] })).toEqual([
      'warning port-shared queue.yaml:4:87: role-c and role-a both serve on port 8090; they cannot ' +
        'run on one node at once',
    ])
  })

  test('skipped entries and roles without a port share none', () => {
    const entries = [
      entry('role-a'),
      entry('vlm', { backend: 'mlx_vlm' }),
      entry('free-1', { port: 'null' }),
      entry('free-2', { port: 'null' }),
    ]
    expect(toldOf({ entries, manifests: [A] })).toEqual([])
  })
})

describe('names in the overlay', () => {
  const entries = [entry('role-a'), entry('vlm', { backend: 'mlx_vlm', port: '1' })]

  test('keys and excludes that name no role are reported where they stand', () => {
    const overlay = 'excludes:\n  role-a: [ghost]\n  phantom: [role-a]\nlatency_class: {spook: batch}\n'
    expect(toldOf({ entries, manifests: [A] }, { overlay })).toEqual([
      'warning overlay-unknown-role overlay.yaml:2:12: the excludes of role-a name ghost, which is ' +
        'no role of the roster; it has no effect',
      'warning overlay-unknown-role overlay.yaml:3:3: excludes names phantom, which is no role of ' +
        'the roster; it has no effect',
      'warning overlay-unknown-role overlay.yaml:4:17: latency_class names spook, which is no role ' +
        'of the roster; it has no effect',
    ])
  })

  test('a skipped entry is reported with the reason it was skipped for', () => {
    expect(toldOf({ entries, manifests: [A] }, { overlay: 'sticky: {vlm: true}\n' })).toEqual([
      'warning overlay-skipped-role overlay.yaml:1:10: sticky names vlm, which was skipped ' +
        '(backend "mlx_vlm" has no inference adapter); it has no effect',
    ])
  })

  test('role:NAME and NAME name the same role, and a role may itself be called role:x', () => {
    const named = [entry('role-a'), entry('role:x', { port: '1' })]
    const overlay = 'excludes: {role-a: ["role:x"], "role:x": ["role:role-a"]}\n'
    expect(toldOf({ entries: named, manifests: [A] }, { overlay }).join()).not.toContain(
      'overlay-unknown-role',
    )
  })
})

describe('excludes of one side', () => {
  const entries = [entry('role-a'), entry('role-b', { port: '1' })]

  test('are reported as information where they are declared', () => {
    const overlay = 'excludes: {role-a: ["role:role-b"]}\n'
    expect(toldOf({ entries, manifests: [A] }, { overlay })).toEqual([
      'info exclude-one-sided overlay.yaml:1:21: role-a excludes role-b but role-b does not exclude ' +
        'role-a; it counts both ways',
    ])
  })

  test('are not reported when both sides declare them, with or without the prefix', () => {
    const overlay = 'excludes: {role-a: ["role:role-b"], role-b: [role-a]}\n'
    expect(toldOf({ entries, manifests: [A] }, { overlay })).toEqual([])
  })
})

describe('stale facts', () => {
  const sketch: LabSketch = { manifests: [A], nodes: [node('n', able()), declaredNode('d')] }

  test('warn from the second after the last one on', () => {
    expect(toldOf(sketch, { nowSecs: ISSUED + TTL })).toEqual([])
    expect(toldOf(sketch, { nowSecs: ISSUED + TTL + 1 })).toEqual([
      `warning facts-stale n.json: n was last checked ${formatDuration(TTL + 1)} ago; what it holds may have ` +
        'changed: run `lab-planner scan node` there',
    ])
  })

  test('rule out when the operator asks for fresh facts, and are not judged without a time', () => {
    const strict = { nowSecs: ISSUED + TTL + 1, requireFreshFacts: true }
    expect(toldOf(sketch, strict)[0]).toContain('fresh facts are required, so nothing is placed there')
    expect(toldOf(sketch, { nowSecs: null })).toEqual([])
  })
})

test('a forced node that the lab does not have gives a warning', () => {
  const forcedNodes = new Map([
    ['n', 'in'],
    ['ghost', 'out'],
  ] as const)
  expect(toldOf({ manifests: [A], nodes: [node('n', able())] }, { forcedNodes })).toEqual([
    'warning scenario-unknown-node -: the scenario rules ghost out, but the lab has no node of that id; ' +
      'it has no effect',
  ])
})

describe('manifests', () => {
  test('one that no role uses is reported with its bytes', () => {
    expect(toldOf({ manifests: [A, B] })).toEqual([
      'warning manifest-unused registry.json: no role of the roster uses the manifest model-b ' +
        '(10,000,000,000 bytes)',
    ])
  })

  test('without a roster no one can say that a manifest is unused', () => {
    expect(told(planned({ ...lab({ manifests: [A] }), roster: null }))).toEqual([])
  })

  test('two of one name are reported with which one is used', () => {
    const other = { ...A, packageId: 'zzzzzzzzzzzzzzzz', file: 'manifests/other.json' }
    expect(toldOf({ manifests: [other, A] })).toEqual([
      'warning manifest-name-twice manifests/other.json: 2 manifests are named model-a; this one is ' +
        'not used (package zzzzzzzzzzzz…): keep one',
      'warning manifest-name-twice registry.json: 2 manifests are named model-a; this one is used ' +
        '(package model-a-id…): keep one',
    ])
  })

  test('the same package in two files is one manifest', () => {
    expect(toldOf({ manifests: [A, { ...A, file: 'manifests/copy.json' }] })).toEqual([])
  })

  test('one that is used though the registry refuses it, or whose signature fails, is reported', () => {
    expect(toldOf({ manifests: [{ ...A, refused: 'key withdrawn', signature: 'invalid' }] })).toEqual([
      'warning manifest-refused registry.json: the registry refuses model-a: key withdrawn',
      'warning manifest-signature-invalid registry.json: a signature of model-a does not verify; ' +
        'adopt the model again',
    ])
  })
})

test('every problem that concerns a role names it', () => {
  const entries = [entry('role-a', { ram_gb: '1' }), entry('role-b')]
  const overlay = 'excludes: {role-a: [role-b]}\n'
  const { problems } = planned(lab({ entries, manifests: [A] }), { overlay })
  expect(problems.map(({ role }) => role)).toEqual(['role-a', 'role-b', 'role-a'])
})
