import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { briefs, valueOf } from '../../../support/problems.ts'
import { U64_MAX } from '../../../../shared/bytes.ts'
import { planOutline } from '../../../../shared/report/plan-diff.ts'
import { planJsonText } from '../../../../shared/report/plan-json.ts'
import { looksLikePlanJson, readPlanJson } from '../../../../shared/report/read-plan-json.ts'
import { able, entry, lab, model, node, planned, whole } from '../plan/make-lab.ts'

const PLAN = planned(
  lab({
    entries: [
      entry('role-a'),
      entry('no-port', { port: 'null', name: '"x y"' }),
      entry('digits', { port: '1', repo: '"12345678901234567890 \\" 98765432109876543210"' }),
      entry('vlm', { backend: 'mlx_vlm' }),
    ],
    manifests: [model('model-a')],
    nodes: [node('nas', [whole('model-a')]), node('pc', able())],
  }),
  { transfer: true, overlay: 'excludes: {role-a: [digits]}\n' },
)

describe('readPlanJson', () => {
  test('gives back the outline of the plan that was written', () => {
    expect(valueOf(readPlanJson(planJsonText(PLAN), 'plan.json'))).toEqual(planOutline(PLAN))
  })

  test('keeps every byte count exact', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: U64_MAX }),
        fc.bigInt({ min: 0n, max: U64_MAX }),
        (max, headroom) => {
          const policy = { allowWeightTransfer: true, maxBytes: max, freeHeadroomBytes: headroom }
          const text = planJsonText({ ...PLAN, scenario: { ...PLAN.scenario, policy } })
          expect(valueOf(readPlanJson(text, 'plan.json')).policy).toEqual({
            allow_weight_transfer: true,
            max_bytes: max,
            free_headroom_bytes: headroom,
          })
        },
      ),
      { numRuns: 30 },
    )
  })

  test('reads every kind of decision', () => {
    const decisions = [
      { kind: 'place_at_holder', node_id: 'n' },
      { kind: 'unplaceable', message: 'm', reason: 'no_eligible_node' },
      { kind: 'unplaceable', message: 'm', reason: 'over_ceiling', bytes: 2, max: 1 },
      { kind: 'unplaceable', message: 'm', reason: 'no_space', needed: 2, free: null },
      { kind: 'no_manifest', model: null },
    ]
    const written = JSON.parse(planJsonText(PLAN)) as { roles: object[] }
    const roles = decisions.map((decision) => ({ ...written.roles[0], decision }))
    const read = valueOf(readPlanJson(JSON.stringify({ ...written, roles }), 'plan.json'))
    expect(read.roles.map(({ decision }) => decision)).toEqual([
      decisions[0],
      decisions[1],
      { kind: 'unplaceable', message: 'm', reason: 'over_ceiling', bytes: 2n, max: 1n },
      { kind: 'unplaceable', message: 'm', reason: 'no_space', needed: 2n, free: null },
      decisions[4],
    ])
  })

  test('places what is not as a plan file has it', () => {
    const text = planJsonText(PLAN).replace('"free_headroom_bytes": 1073741824', '"free_headroom_bytes": -1')
    const [problem = ''] = briefs(readPlanJson(text, 'plan.json'))
    expect(problem).toMatch(/^5:28 plan-file-invalid not a plan file: policy\.free_headroom_bytes: /)
    expect(briefs(readPlanJson(planJsonText(PLAN).replace('"roles"', '"rules"'), 'plan.json'))[0]).toContain(
      'roles',
    )
    expect(briefs(readPlanJson('{', 'plan.json'))[0]).toContain('json-')
  })

  test('says in its own words what is missing and what is of the wrong kind', () => {
    const written = JSON.parse(planJsonText(PLAN)) as { policy: object }
    const first = (changes: object): string =>
      briefs(readPlanJson(JSON.stringify({ ...written, ...changes }), 'plan.json'))[0] ?? ''
    expect(first({ policy: undefined })).toContain('policy: it is missing')
    expect(first({ roles: [{}] })).toContain('roles.0.role: it is missing')
    expect(first({ roles: 'none' })).toContain('roles: no plan has such a value there')
    expect(first({ skipped: [{ id: 'a', reason: 5 }] })).toContain(
      'skipped.0.reason: no plan has such a value there',
    )
  })

  test('a number of 12 million digits is one problem, and none where nothing is compared', () => {
    const digits = '9'.repeat(12_000_000)
    const text = planJsonText(PLAN)
    expect(
      briefs(readPlanJson(text.replace('"max_bytes": null', `"max_bytes": ${digits}`), 'p')),
    ).toHaveLength(1)
    expect(readPlanJson(text.replace('{', `{"n": ${digits}, "m": [-${digits}, 1e${digits}],`), 'p').ok).toBe(
      true,
    )
  })

  test('counts beyond 2^64-1 are refused', () => {
    const text = planJsonText(PLAN).replace('"max_bytes": null', '"max_bytes": 18446744073709551616')
    expect(briefs(readPlanJson(text, 'plan.json'))[0]).toContain('a byte count is at most 2^64-1')
  })
})

test('a plan file is distinguished from an overlay by its look', () => {
  expect(looksLikePlanJson(planJsonText(PLAN))).toBe(true)
  expect(looksLikePlanJson('\uFEFF { "roles" : [')).toBe(true)
  expect(looksLikePlanJson('{"excludes": {}}')).toBe(false)
  expect(looksLikePlanJson('excludes: {"roles": [x]}')).toBe(false)
})
