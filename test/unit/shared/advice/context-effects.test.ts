import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  contextEffectTask,
  largestContextForAll,
  type LabContext,
} from '../../../../shared/advice/context-effects.ts'
import { contextEffectText, labContextText } from '../../../../shared/advice/context-words.ts'
import { GB } from '../../../../shared/bytes.ts'
import type { Lab } from '../../../../shared/lab/lab.ts'
import type { ModelShape } from '../../../../shared/memory/shape.ts'
import { PlanMemo } from '../../../../shared/plan/plan-memo.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import { residentParts } from '../../../../shared/plan/resident-parts.ts'
import { roleMemory } from '../../../../shared/plan/role-memory.ts'
import { withContexts } from '../../../../shared/scenario/with-contexts.ts'
import { DEFAULT_SCENARIO, type Scenario } from '../../../../shared/scenario/scenario.ts'
import { runSync } from '../../../../shared/task.ts'
import { capability } from '../../../support/capability.ts'
import { able, entry, lab, model, node, whole } from '../plan/make-lab.ts'

/** 131,072 bytes a token in 16 bits: 4.3 GB at 32,768. */
function shapeOf(weightsGb: bigint, trainedContext: number | null = 131_072): ModelShape {
  const cache = { kind: 'attention', kvHeads: 8, keyLength: 128, valueLength: 128, window: null } as const
  return {
    architecture: 'llama',
    weightsBytes: weightsGb * GB,
    projectorBytes: 0n,
    trainedContext,
    caches: { kind: 'known', groups: [{ layers: 32, cache }] },
  }
}

interface Made {
  readonly role: string
  readonly ramGb: string
  /** Null: the lab has no shape of its model. */
  readonly shape: ModelShape | null
}

/** Every role has a model of its own, which every node holds. */
function labOf(roles: readonly Made[], freeGb: readonly number[]): Lab {
  const models = roles.map(({ role }) => model(`m-${role}`))
  const made = lab({
    entries: roles.map(({ role, ramGb }, i) =>
      entry(role, { name: `m-${role}`, ram_gb: ramGb, port: String(8090 + i) }),
    ),
    manifests: models,
    nodes: freeGb.map((free, i) =>
      node(`box-${i}`, [
        ...able().filter(({ id }) => id !== 'mem.unified'),
        capability('mem.unified', { free: free * 1e9, total: free * 1e9 }),
        ...models.map(({ body }) => whole(body.name)),
      ]),
    ),
  })
  const shapes = roles.flatMap(({ role, shape }) => {
    const packageId = `m-${role}-id`
    return shape === null
      ? []
      : [[packageId, { packageId, model: `m-${role}`, shape, file: 'a.json' }] as const]
  })
  return { ...made, shapes: new Map(shapes) }
}

const SCENARIO: Scenario = { ...DEFAULT_SCENARIO, nowSecs: null }
const inputsOf = (of: Lab) => ({ lab: of, overlay: null, scenario: SCENARIO })

function largest(of: Lab): LabContext {
  const memo = new PlanMemo()
  return runSync(largestContextForAll(inputsOf(of), plan(of, null, SCENARIO, memo), memo))
}

describe('a context of one role', () => {
  const two = [
    { role: 'big', ramGb: '20', shape: shapeOf(18n) },
    { role: 'small', ramGb: '8', shape: null },
  ]

  test('shows who would no longer run, and who would move', () => {
    const effectIn = (free: readonly number[], context: number) => {
      const made = labOf(two, free)
      const effect = runSync(
        contextEffectTask(inputsOf(made), plan(made, null, SCENARIO), 0, context, new PlanMemo()),
      )
      return effect && contextEffectText(effect)
    }
    expect(effectIn([30], 16_384)).toBe(
      'With 16,384 tokens it takes 21.0 GB and runs on box-0; no other role moves.',
    )
    expect(effectIn([30], 32_768)).toBe(
      'With 32,768 tokens it takes 23.1 GB and runs on box-0; small no longer runs.',
    )
    expect(effectIn([30, 10], 32_768)).toBe(
      'With 32,768 tokens it takes 23.1 GB and runs on box-0; small moves to box-1.',
    )
    expect(effectIn([30], 131_072)).toBe(
      'With 131,072 tokens it takes 36.0 GB and fits on no node beside the other roles; no other role moves.',
    )
  })

  test('is not known without a shape of its model', () => {
    const made = labOf(two, [30])
    const task = contextEffectTask(inputsOf(made), plan(made, null, SCENARIO), 1, 4096, new PlanMemo())
    expect(runSync(task)).toBeNull()
  })
})

describe('the largest context for all', () => {
  test('leaves every role running, and one step more would not', () => {
    const made = labOf(
      [
        { role: 'a', ramGb: '10', shape: shapeOf(10n) },
        { role: 'b', ramGb: '10', shape: shapeOf(12n) },
        { role: 'c', ramGb: '4', shape: null },
      ],
      [40],
    )
    const found = largest(made)
    expect(labContextText(found)).toBe(
      '47,104 tokens for all 2 roles: with more, c would no longer run; c keeps its ram_gb, since the lab has no shape of its model.',
    )
  })

  test('ends at what the models were trained for', () => {
    const made = labOf([{ role: 'a', ramGb: '10', shape: shapeOf(10n, 8192) }], [60])
    expect(largest(made)).toMatchObject({ kind: 'fits', context: 8192, limit: 'trained', first: [] })
    expect(labContextText(largest(made))).toBe(
      '8,192 tokens for the one role: no model was trained for more.',
    )
  })

  test('says who would not run even with the smallest one, and where nothing is known', () => {
    const tight = labOf([{ role: 'a', ramGb: '10', shape: shapeOf(14n) }], [12])
    expect(labContextText(largest(tight))).toBe('Even with the smallest context a would no longer run.')
    expect(largest(labOf([{ role: 'a', ramGb: '10', shape: null }], [12]))).toEqual({ kind: 'unknown' })
  })

  test('planned with, every role that ran still runs', () => {
    const made = fc.record({
      roles: fc.array(
        fc.record({
          ramGb: fc.integer({ min: 2, max: 20 }),
          weights: fc.integer({ min: 1, max: 18 }),
          known: fc.boolean(),
        }),
        { minLength: 1, maxLength: 5 },
      ),
      free: fc.array(fc.integer({ min: 8, max: 48 }), { minLength: 1, maxLength: 3 }),
    })
    fc.assert(
      fc.property(made, ({ roles, free }) => {
        const of = labOf(
          roles.map(({ ramGb, weights, known }, i) => ({
            role: `r${i}`,
            ramGb: String(ramGb),
            shape: known ? shapeOf(BigInt(weights)) : null,
          })),
          free,
        )
        const found = largest(of)
        if (found.kind !== 'fits') return
        const before = plan(of, null, SCENARIO)
        const after = plan(of, null, withContexts(SCENARIO, found.contexts))
        for (const [i, { outcome }] of before.roles.entries())
          if (outcome.nodeId !== null) expect(after.roles[i]?.outcome.nodeId).not.toBeNull()
      }),
      { numRuns: 60 },
    )
  })
})

test('the parts of what a role holds add up to what it is planned with, weights first', () => {
  fc.assert(
    fc.property(
      fc.bigInt({ min: 0n, max: 60n * GB }),
      fc.integer({ min: 1, max: 131_072 }),
      (planned, context) => {
        const made = labOf([{ role: 'a', ramGb: '10', shape: shapeOf(10n) }], [40])
        const [role] = plan(made, null, SCENARIO).roles
        if (!role) throw new Error('no role')
        const scenario = withContexts(SCENARIO, new Map([['a', context]]))
        const memory = roleMemory(made, role.imported, role.manifest, scenario)
        const parts = residentParts(planned, memory)
        expect(parts).not.toBeNull()
        if (parts === null || memory === null) return
        expect(parts.weights + parts.kv + parts.other).toBe(planned)
        expect(parts.weights).toBe(planned < 10n * GB ? planned : 10n * GB)
        expect(parts.kv <= memory.need.contextBytes && parts.other >= 0n).toBe(true)
        if (planned >= memory.need.runBytes) expect(parts.kv).toBe(memory.need.contextBytes)
      },
    ),
  )
})
