import { describe, expect, test } from 'vitest'
import { GB } from '../../../../shared/bytes.ts'
import { exportedSpecs } from '../../../../shared/export/exported-specs.ts'
import type { Lab } from '../../../../shared/lab/lab.ts'
import type { ModelShape } from '../../../../shared/memory/shape.ts'
import { contextRooms } from '../../../../shared/plan/context-room.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import type { LabPlan } from '../../../../shared/plan/types.ts'
import { USUAL_SETTING } from '../../../../shared/memory/setting.ts'
import { DEFAULT_SCENARIO, type Scenario } from '../../../../shared/scenario/scenario.ts'
import { able, entry, lab, model, node, whole } from './make-lab.ts'

/** 64 layers of 8 heads of 128: 262,144 bytes a token in 16 bits, 8.6 GB at 32,768. */
const SHAPE: ModelShape = {
  architecture: 'qwen3',
  weightsBytes: 18n * GB,
  projectorBytes: 0n,
  trainedContext: 131_072,
  caches: {
    kind: 'known',
    groups: [
      {
        layers: 64,
        cache: { kind: 'attention', kvHeads: 8, keyLength: 128, valueLength: 128, window: null },
      },
    ],
  },
}

const MODEL = model('model-a')

function withShape(shape: ModelShape | null, ramGb = '20'): Lab {
  const made = lab({
    entries: [entry('role-a', { ram_gb: ramGb })],
    manifests: [MODEL],
    nodes: [node('box', [...able(), whole('model-a')])],
  })
  const { packageId } = MODEL
  const shapes: Lab['shapes'] =
    shape === null
      ? new Map()
      : new Map([[packageId, { packageId, model: 'model-a', shape, file: 'a.json' }]])
  return { ...made, shapes }
}

function planned(of: Lab, scenario: Partial<Scenario> = {}): LabPlan {
  return plan(of, null, { ...DEFAULT_SCENARIO, ...scenario })
}

function memoryOf({ roles }: LabPlan) {
  return roles[0]?.imported.spec.memory
}

function told({ problems }: LabPlan): string[] {
  return problems
    .filter(({ code }) => /memory|ram-below-need|context/.test(code))
    .map(({ message }) => message)
}

const COMPUTED = { computedMemory: new Set(['role-a']) }

describe('the check of ram_gb', () => {
  test('says part by part what the files take, and how much ram_gb lacks', () => {
    const made = planned(withShape(SHAPE))
    expect(told(made)).toEqual([
      'role-a: ram_gb says 20.0 GB; weights 18.0 GB + KV cache 8.6 GB at 32,768 (f16) + compute buffer 805.3 MB = ' +
        '27.4 GB: 7.4 GB too little (raise ram_gb, or plan with the computed figure)',
    ])
    expect(memoryOf(made)).toEqual({ weightsBytes: 20n * GB, kvBudgetBytes: 0n })
  })

  test('is silent where ram_gb is enough, and where no shape is known', () => {
    expect(told(planned(withShape(SHAPE, '28')))).toEqual([])
    expect(told(planned(withShape(null)))).toEqual([])
  })
})

describe('the computed figure', () => {
  test('is planned with when the scenario asks for it: ledger, eligibility and spec count it', () => {
    const made = planned(withShape(SHAPE), COMPUTED)
    const kv = 32_768n * 262_144n
    expect(memoryOf(made)).toEqual({
      weightsBytes: 18n * GB + USUAL_SETTING.computeBytes,
      kvBudgetBytes: kv,
    })
    expect(made.residency[0]?.ledger.usedBytes).toBe(18n * GB + USUAL_SETTING.computeBytes + kv)
    expect(told(made)).toEqual([])
  })

  test('follows context, types and requests at once', () => {
    const made = planned(withShape(SHAPE), {
      ...COMPUTED,
      roleContext: new Map([['role-a', 65_536]]),
      roleKeyType: new Map([['role-a', 'q8_0' as const]]),
    })
    expect(memoryOf(made)?.kvBudgetBytes).toBe((65_536n * 64n * 8n * 128n * (34n + 64n)) / 32n)
  })

  test('makes a node too small when the context grows, and never changes another plan', () => {
    const of = withShape(SHAPE)
    const large = planned(of, { ...COMPUTED, roleContext: new Map([['role-a', 131_072]]) })
    expect(large.roles[0]?.eligibleAt(0)).toBe(false)
    expect(planned(of, COMPUTED).roles[0]?.eligibleAt(0)).toBe(true)
  })

  test('is not planned with where it is not known, and that is said', () => {
    expect(told(planned(withShape(null), COMPUTED))).toEqual([
      'role-a: the lab has no shape of its model, so that it is planned with ram_gb (scan the model where its files are)',
    ])
    const unknown = {
      ...SHAPE,
      caches: { kind: 'unknown', gap: { kind: 'architecture', name: 'x' } },
    } as const
    expect(memoryOf(planned(withShape(unknown), COMPUTED))).toEqual({
      weightsBytes: 20n * GB,
      kvBudgetBytes: 0n,
    })
  })

  test('with a context over what the model was trained for is planned, and said to be', () => {
    const made = planned(withShape(SHAPE, '90'), { roleContext: new Map([['role-a', 200_000]]) })
    expect(told(made)).toEqual(['role-a: a context of 200,000 is over the 131,072 its model was trained for'])
  })
})

describe('the exported spec', () => {
  test('has the roster’s memory and no KV budget, unless the operator wants it', () => {
    const of = withShape(SHAPE)
    const specOf = (scenario: Partial<Scenario>) => exportedSpecs(planned(of, scenario))[0]?.spec.memory
    expect(specOf({})).toEqual({ weightsBytes: 20n * GB, kvBudgetBytes: 0n })
    expect(specOf(COMPUTED)).toEqual({ weightsBytes: 20n * GB, kvBudgetBytes: 0n })
    expect(specOf({ exportKvBudget: true })).toEqual({ weightsBytes: 20n * GB, kvBudgetBytes: 0n })
    expect(specOf({ ...COMPUTED, exportKvBudget: true })?.kvBudgetBytes).toBe(32_768n * 262_144n)
  })
})

test('the largest context on a node is what its room beside the other roles allows', () => {
  const made = planned(withShape(SHAPE))
  const [room] = contextRooms(made, 0, SHAPE, USUAL_SETTING)
  // 32 GB free, less 18 GB of weights and the compute buffer, in steps of 256 tokens.
  expect(room).toMatchObject({ nodeId: 'box', room: 32n * GB, largest: { kind: 'fits', limit: 'memory' } })
  const left = 14n * GB - USUAL_SETTING.computeBytes
  expect(room?.largest).toMatchObject({ context: Number(left / (262_144n * 256n)) * 256 })
})
