import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { sumBytes } from '../../../../shared/bytes.ts'
import { moveCost } from '../../../../shared/plan/move-cost.ts'
import { addedBytes, isDisplaced } from '../../../../shared/plan/outcome.ts'
import type { LabPlan, RolePlan } from '../../../../shared/plan/types.ts'
import { planToJson } from '../../../../shared/report/plan-json.ts'
import { onItsOwnText, outcomeSentence } from '../../../../shared/report/outcome-words.ts'
import { readSampleLab } from '../../../support/sample-lab.ts'
import { able, entry, lab, model, node, planned, whole } from './make-lab.ts'

function roleOf(plan: LabPlan, id: string): RolePlan {
  const role = plan.roles.find((each) => each.role === id)
  if (role === undefined) throw new Error(`no role ${id}`)
  return role
}

describe('the outcome of a role', async () => {
  const { plan, lab: sample } = await readSampleLab({ allowTransfer: true })

  test('is elsewhere where the other roles fill its own node, whatever the decision says', () => {
    const role = roleOf(plan, 'coder-small')
    expect(role.decision).toEqual({ kind: 'place_at_holder', nodeId: 'mac-studio' })
    expect(role.outcome).toMatchObject({
      kind: 'elsewhere',
      nodeId: 'mac-mini',
      bytes: 9_400_007_520n,
      insteadOf: 'mac-studio',
      alone: role.decision,
    })
    expect(outcomeSentence(role)).toMatch(
      /^Fetch 9\.4 GB to mac-mini from .*, then run there instead of on mac-studio\./,
    )
    expect(onItsOwnText(role)).toBe(
      'On its own: run on mac-studio, which holds the whole model; nothing is copied.',
    )
    expect(addedBytes(role.outcome)).toBe(9_400_007_520n)
  })

  test('adds up to what moves altogether', () => {
    const total = moveCost(plan, sample.nodes).bytes
    expect(total).toBe(sumBytes(plan.roles.map(({ outcome }) => outcome.bytes)))
    expect(total).toBe(sumBytes(plan.residency.map(({ incomingBytes }) => incomingBytes)))
  })

  test('is switched off for a role that the scenario switches off, which is no lack of room', async () => {
    const { plan: without } = await readSampleLab({ allowTransfer: true, offRoles: new Set(['coder-small']) })
    const { outcome } = roleOf(without, 'coder-small')
    expect(outcome).toMatchObject({ kind: 'switched_off', nodeId: null, bytes: 0n })
    expect(isDisplaced(outcome)).toBe(false)
  })

  test('is the same object however often it is asked for', () => {
    expect(roleOf(plan, 'planner').outcome).toBe(roleOf(plan, 'planner').outcome)
  })

  test('stands beside the decision in JSON, which stays as it is', () => {
    const role = planToJson(plan).roles.find(({ role: id }) => id === 'coder-small')
    expect(role?.decision).toEqual({ kind: 'place_at_holder', node_id: 'mac-studio' })
    expect(role?.outcome).toEqual({
      kind: 'elsewhere',
      node_id: 'mac-mini',
      bytes: 9_400_007_520n,
      instead_of: 'mac-studio',
      reason: expect.stringContaining("'coder-small' needs") as string,
      alone: { kind: 'in_place', node_id: 'mac-studio', bytes: 0n },
    })
  })
})

test('an outcome follows from decision and placement, and names a node exactly when the ledger has the role', () => {
  const models = ['model-a', 'model-b'].map((name) => model(name))
  const arbitrary = fc.record({
    gbs: fc.array(fc.integer({ min: 1, max: 60 }), { minLength: 1, maxLength: 6 }),
    holds: fc.array(fc.subarray(['model-a', 'model-b']), { minLength: 1, maxLength: 4 }),
    transfer: fc.boolean(),
    off: fc.boolean(),
  })
  fc.assert(
    fc.property(arbitrary, ({ gbs, holds, transfer, off }) => {
      const plan = planned(
        lab({
          entries: gbs.map((gb, i) =>
            entry(`r${i}`, { ram_gb: `${gb}`, name: i % 2 ? 'model-a' : 'model-b', port: `${i + 1}` }),
          ),
          manifests: models,
          nodes: holds.map((names, i) => node(`n${i}`, [...able(), ...names.map(whole)])),
        }),
        { transfer, offRoles: new Set(off ? ['r0'] : []) },
      )
      for (const { role, outcome, decision, placement } of plan.roles) {
        const there = plan.residency.filter(({ ledger }) =>
          ledger.instances.some((each) => each.role === role),
        )
        expect(there.map(({ nodeId }) => nodeId)).toEqual(outcome.nodeId === null ? [] : [outcome.nodeId])
        expect(outcome.alone).toBe(decision)
        expect(outcome.kind === 'switched_off').toBe(placement.kind === 'off')
        expect(outcome.kind === 'cannot_run').toBe(placement.kind === 'none')
        expect(outcome.bytes > 0n).toBe(placement.kind === 'placed' && placement.bytes > 0n)
        if (outcome.kind === 'in_place') expect(outcome.bytes).toBe(0n)
        if (outcome.kind === 'elsewhere') expect(outcome.insteadOf).not.toBe(outcome.nodeId)
      }
    }),
    { numRuns: 100 },
  )
})
