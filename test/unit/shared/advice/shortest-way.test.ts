import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { changeText } from '../../../../shared/advice/advice-words.ts'
import {
  applyChanges,
  findLabWayTask,
  findWayTask,
  type LabWay,
  type WayAnswer,
} from '../../../../shared/advice/shortest-way.ts'
import { labWayHeadline, wayHeadline, whyNoWay } from '../../../../shared/advice/way-words.ts'
import type { LabNode } from '../../../../shared/node/types.ts'
import { PlanMemo } from '../../../../shared/plan/plan-memo.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import type { LabPlan, PlanInputs } from '../../../../shared/plan/types.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import { runSync } from '../../../../shared/task.ts'
import { entry, lab, model, node, whole, type LabSketch } from '../plan/make-lab.ts'

const A = model('model-a')
const LOCKED = { ...A, body: { ...A.body, redistributable: false } }
const NAS = node('nas', [whole('model-a')])

function box(id: string, free: number, total: number, ...models: readonly string[]): LabNode {
  return node(id, [
    capability('runtime.infer.llamacpp'),
    capability('format.gguf'),
    capability('mem.unified', { free: free * 1e9, total: total * 1e9 }),
    capability('store.tier.internal', { free: 100e9 }),
    ...models.map(whole),
  ])
}

function inputs(sketch: LabSketch): PlanInputs {
  return { lab: lab({ manifests: [A], ...sketch }), overlay: null, scenario: DEFAULT_SCENARIO }
}

function planOf({ lab, overlay, scenario }: PlanInputs): LabPlan {
  return plan(lab, overlay, scenario)
}

function wayOf(of: PlanInputs, role = 0, isOver = () => false): WayAnswer {
  return runSync(findWayTask(of, planOf(of), role, { memo: new PlanMemo(), isOver }))
}

function labWayOf(of: PlanInputs): LabWay {
  return runSync(findLabWayTask(of, planOf(of), { memo: new PlanMemo(), isOver: () => false }))
}

function texts({ way }: WayAnswer): string[] {
  return (way?.changes ?? []).map(changeText)
}

describe('the cheapest set of changes that lets a role run', () => {
  test('names both where one alone is not enough, and planning with all of them runs it', () => {
    const of = inputs({ manifests: [LOCKED], nodes: [NAS, box('pc', 64, 64)] })
    const answer = wayOf(of)
    expect(answer.isComplete).toBe(true)
    expect(answer.way?.changes.map(({ kind }) => kind)).toEqual(['allow_transfer', 'mark_redistributable'])
    const after = applyChanges(of, answer.way?.changes ?? [])
    expect(after.lab).toBe(of.lab)
    expect(planOf(after).roles[0]?.outcome).toMatchObject({ kind: 'after_fetching', nodeId: 'pc' })
  })

  test('takes the node where it costs least', () => {
    const of = inputs({ nodes: [NAS, box('a', 5, 64), box('b', 64, 64)] })
    expect(texts(wayOf(of))).toEqual(['allow weight transfer'])
    expect(wayOf(of).way?.nodeId).toBe('b')
  })

  test('moves a role away rather than stopping it', () => {
    const entries = [
      entry('first', { ram_gb: '20', port: '1' }),
      entry('second', { ram_gb: '30', port: '2' }),
    ]
    const of = inputs({
      entries,
      nodes: [box('a', 40, 40, 'model-a'), box('b', 20, 20, 'model-a')],
    })
    expect(planOf(of).roles[1]?.outcome.kind).toBe('cannot_run')
    const answer = wayOf(of, 1)
    expect(texts(answer)).toEqual(['move first to b'])
    const after = planOf(applyChanges(of, answer.way?.changes ?? []))
    expect(after.roles.map(({ outcome }) => outcome.nodeId)).toEqual(['b', 'a'])
  })

  test('says why there is none', () => {
    const of = inputs({
      entries: [entry('role-a', { ram_gb: '55' })],
      nodes: [box('pc', 40, 52, 'model-a')],
    })
    const made = planOf(of)
    const [role] = made.roles
    const answer = wayOf(of)
    expect(answer).toEqual({ way: null, isComplete: true })
    expect(role && wayHeadline(answer, role, whyNoWay(of, made, 0))).toBe(
      'No set of up to four changes lets role-a run. On pc: never: 55.0 GB do not fit an empty 52.0 GB pool.',
    )
  })

  test('says that the search did not come to its end when the time is up', () => {
    const of = inputs({ manifests: [LOCKED], nodes: [NAS, box('pc', 64, 64)] })
    expect(wayOf(of, 0, () => true).isComplete).toBe(false)
  })
})

test('for the whole lab, what was found when the time is up is the answer, and is said to be that', () => {
  const entries = ['one', 'two', 'three'].map((id, i) => entry(id, { ram_gb: '20', port: `${i + 1}` }))
  const of = inputs({ manifests: [LOCKED], entries, nodes: [NAS, box('pc', 64, 64)] })
  const made = planOf(of)
  const all = labWayOf(of)
  expect(all).toMatchObject({ isComplete: true, before: 0, after: 3 })
  for (let steps = 0; ; steps++) {
    let asked = 0
    const search = { memo: new PlanMemo(), isOver: () => asked++ >= steps }
    const way = runSync(findLabWayTask(of, made, search))
    const after = planOf(applyChanges(of, way.changes)).roles.filter(({ outcome }) => outcome.nodeId !== null)
    expect(way.after).toBe(after.length)
    if (way.isComplete) break
    expect(labWayHeadline(way)).toContain('The time ran out')
  }
})

test('for the whole lab no change is kept that is not needed, and no role is stopped', () => {
  const entries = [
    entry('one', { ram_gb: '20', port: '1' }),
    entry('two', { ram_gb: '20', port: '2' }),
    entry('huge', { ram_gb: '900', port: '3' }),
  ]
  const smallNas = node('nas', [capability('mem.unified', { free: 8e9, total: 8e9 }), whole('model-a')])
  const of = inputs({ manifests: [LOCKED], entries, nodes: [smallNas, box('pc', 64, 64)] })
  const way = labWayOf(of)
  expect(way.changes.map(({ kind }) => kind)).toEqual(['allow_transfer', 'mark_redistributable'])
  expect([way.before, way.after, way.left, way.stops]).toEqual([0, 2, ['huge'], []])
})
