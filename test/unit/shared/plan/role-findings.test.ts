import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { decide, whyNotTarget } from '../../../../shared/locality/decide.ts'
import { presenceOf } from '../../../support/product-holding.ts'
import { ShardCatalog } from '../../../../shared/locality/shard-catalog.ts'
import { ShardIndex } from '../../../../shared/locality/shard-index.ts'
import { CAPABILITY_STATES, type Capability } from '../../../../shared/node/types.ts'
import { PlanMemo } from '../../../../shared/plan/plan-memo.ts'
import { plan, precomputePlan } from '../../../../shared/plan/planner.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import type { LabPlan } from '../../../../shared/plan/types.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'
import { runSync } from '../../../../shared/task.ts'
import { compareCodePoints } from '../../../../shared/token.ts'
import { able, declaredNode, entry, lab, model, node, overlay, shardHash } from './make-lab.ts'

const MODELS = [model('model-a', 3), model('model-b', 2), model('model-c', 1)]
const ROLES = ['r0', 'r1', 'r2', 'r3', 'r4']

const held: fc.Arbitrary<Capability> = fc
  .record({
    marks: fc.subarray(
      MODELS.map(({ packageId }) => `model:${packageId}`),
      { maxLength: 2 },
    ),
    hashes: fc.subarray(MODELS.flatMap(({ body }) => body.shards.map((_, i) => shardHash(body.name, i)))),
    state: fc.constantFrom(...CAPABILITY_STATES),
  })
  .map(({ marks, hashes, state }) =>
    capability('model.present', { shards: [...marks, ...hashes] }, { state }),
  )

const nodes = fc.array(
  fc.record({
    can: fc.boolean(),
    holds: fc.array(held, { maxLength: 3 }),
    free: fc.integer({ min: 0, max: 40 }),
  }),
  { maxLength: 6 },
)
const labs = nodes.map((sketches) =>
  lab({
    entries: ROLES.map((id, i) =>
      entry(id, {
        name: MODELS[i % 3]?.body.name ?? '',
        ram_gb: String(8 + i),
        port: String(8000 + (i % 3)),
      }),
    ),
    manifests: MODELS,
    nodes: sketches.map(({ can, holds, free }, i) =>
      node(`n${i}`, [
        ...(can ? able() : []),
        capability('store.tier.external', { free: free * 1e9 }),
        ...holds,
      ]),
    ),
  }),
)
const overlays = fc
  .record({
    excludes: fc.array(fc.tuple(fc.constantFrom(...ROLES), fc.constantFrom(...ROLES)), { maxLength: 4 }),
    batch: fc.subarray(ROLES),
  })
  .map(({ excludes, batch }) =>
    overlay(
      JSON.stringify({
        excludes: Object.fromEntries(excludes.map(([role, other]) => [role, role === other ? [] : [other]])),
        latency_class: Object.fromEntries(batch.map((role) => [role, 'batch'])),
      }),
    ),
  )
const scenarios: fc.Arbitrary<Scenario> = fc
  .record({
    transfer: fc.boolean(),
    away: fc.subarray(['n0', 'n1']),
    forced: fc.dictionary(fc.constantFrom('n1', 'n2'), fc.constantFrom('in', 'out')),
    pinned: fc.dictionary(fc.constantFrom(...ROLES), fc.constantFrom('n0', 'n3')),
    nowSecs: fc.constantFrom(null, 1010, 5000),
    requireFreshFacts: fc.boolean(),
  })
  .map(({ transfer, away, forced, pinned, ...rest }) => ({
    ...DEFAULT_SCENARIO,
    ...rest,
    policy: { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: transfer },
    awayNodes: new Set(away),
    forcedNodes: new Map(Object.entries(forced)),
    pinned: new Map(Object.entries(pinned)),
  }))

/** All that a plan reports, worked out. */
function told({ roles, residency, problems, skipped }: LabPlan): unknown {
  return {
    roles: roles.map((role) => ({
      role: role.role,
      imported: role.imported,
      decision: role.decision,
      placement: role.placement,
      notes: role.locality?.notes,
      nodes: role.nodes,
      targets: [...role.targets()],
    })),
    residency,
    problems,
    skipped,
  }
}

describe('planning again', () => {
  test('after an edit of the overlay reports what planning from scratch reports', () => {
    fc.assert(
      fc.property(
        labs,
        fc.array(overlays, { minLength: 1, maxLength: 4 }),
        scenarios,
        (of, edits, scenario) => {
          const memo = new PlanMemo()
          for (const edit of edits) {
            expect(told(plan(of, edit, scenario, memo))).toEqual(told(plan(of, edit, scenario)))
          }
        },
      ),
      { numRuns: 200 },
    )
  })

  test('under another scenario forgets nothing of the first and takes nothing from it', () => {
    fc.assert(
      fc.property(labs, scenarios, scenarios, (of, one, other) => {
        const memo = new PlanMemo()
        const before = told(plan(of, null, one, memo))
        expect(told(plan(of, null, other, memo))).toEqual(told(plan(of, null, other)))
        expect(told(plan(of, null, one, memo))).toEqual(before)
      }),
    )
  })

  test('makes no decision again when only the overlay changed', () => {
    const of = lab({ entries: ROLES.map((id) => entry(id)), manifests: MODELS, nodes: [node('n', able())] })
    const memo = new PlanMemo()
    const [before, after] = ['', 'excludes: {r0: [r1]}\n'].map((text) =>
      plan(of, overlay(text), DEFAULT_SCENARIO, memo),
    )
    expect(after?.roles.map(({ decision }) => decision)).toEqual(
      before?.roles.map(({ decision }) => decision),
    )
    after?.roles.forEach(({ decision }, i) => expect(decision).toBe(before?.roles[i]?.decision))
  })

  test('keeps the explanation of a role that is looked at through edits of the overlay', () => {
    const of = lab({ entries: ROLES.map((id) => entry(id)), manifests: MODELS, nodes: [node('n', able())] })
    const memo = new PlanMemo()
    const [before] = plan(of, null, DEFAULT_SCENARIO, memo).roles
    expect(before?.locality).not.toBeNull()
    expect(plan(of, overlay(''), DEFAULT_SCENARIO, memo).roles[0]?.locality).toBe(before?.locality)
  })

  test('keeps the verdicts of the roles looked at last, and of no more than a few', () => {
    const of = lab({ entries: ROLES.map((id) => entry(id)), manifests: MODELS, nodes: [node('n', able())] })
    const memo = new PlanMemo()
    const { roles } = plan(of, null, DEFAULT_SCENARIO, memo)
    const first = roles.map((role) => role.nodes)
    const again = plan(of, overlay(''), DEFAULT_SCENARIO, memo)
      .roles.toReversed()
      .map((role) => role.nodes)
    expect(again).toEqual(first.toReversed())
    expect(again.map((list, i) => list === first.toReversed()[i])).toEqual([true, true, true, true, false])
  })
})

describe('RolePlan.targets', () => {
  test('are the eligible nodes: complete holders by id, the others by missing bytes and id', () => {
    fc.assert(
      fc.property(labs, scenarios, (of, scenario) => {
        for (const role of plan(of, null, scenario).roles) {
          const eligible = role.nodes.filter((verdict) => verdict.eligible && role.manifest !== null)
          const expected = eligible.toSorted(
            (a, b) =>
              Number(b.complete) - Number(a.complete) ||
              Number((a.missingBytes ?? 0n) - (b.missingBytes ?? 0n)) ||
              compareCodePoints(a.nodeId, b.nodeId),
          )
          const targets = [...role.targets()]
          expect(targets.map(({ nodeId }) => nodeId)).toEqual(expected.map(({ nodeId }) => nodeId))
          expect(targets.map(({ bytes }) => bytes)).toEqual(expected.map(({ missingBytes }) => missingBytes))
          const first = targets.find(({ obstacle }) => obstacle === null)?.nodeId
          const { decision } = role
          if (decision.kind === 'place_at_holder') expect(first).toBe(decision.nodeId)
          else expect(first).toBe(decision.kind === 'fetch_then_place' ? decision.target : undefined)
        }
      }),
    )
  })
})

describe('ShardCatalog.presences', () => {
  test('is for every model what a catalog of that model alone gives', () => {
    const twin = { ...model('model-a', 3), packageId: 'twin-id' }
    const manifests = [...MODELS, twin]
    const catalog = new ShardCatalog(manifests, ({ body }) => new ShardIndex(body))
    fc.assert(
      fc.property(fc.array(held, { maxLength: 4 }), (capabilities) => {
        const found = catalog.presences(capabilities)
        for (const manifest of manifests) {
          const one = catalog.model(manifest)
          if (one === undefined) throw new Error('a manifest is missing in its catalog')
          const alone = presenceOf(one.index, manifest.packageId, capabilities)
          expect(found.get(one) ?? one.nothing).toEqual(alone)
        }
      }),
    )
  })
})

describe('planning in steps', () => {
  test('reports what planning at once reports, whatever else was begun, given up or planned in between', () => {
    fc.assert(
      fc.property(
        labs,
        overlays,
        scenarios,
        scenarios,
        fc.nat({ max: 60 }),
        fc.nat({ max: 60 }),
        (of, edit, one, other, before, after) => {
          const memo = new PlanMemo()
          const wanted = precomputePlan({ lab: of, overlay: edit, scenario: one }, memo)
          const taken = (steps: Iterator<void>, count: number): void => {
            for (let i = 0; i < count; i++) steps.next()
          }
          taken(wanted, before)
          taken(precomputePlan({ lab: of, overlay: edit, scenario: { ...one } }, memo), after)
          taken(precomputePlan({ lab: of, overlay: null, scenario: other }, memo), after)
          plan(of, edit, other, memo)
          const rest = before > 0 ? precomputePlan({ lab: of, overlay: edit, scenario: one }, memo) : wanted
          const expected = told(plan(of, edit, one))
          expect(told(runSync(rest))).toEqual(expected)
          expect(told(plan(of, edit, one, memo))).toEqual(expected)
        },
      ),
      { numRuns: 200 },
    )
  })

  test('stops often: no step is for more than a node, a role or a manifest', () => {
    const boxes = Array.from({ length: 40 }, (_, i) => node(`n${i}`, able()))
    const of = lab({ entries: ROLES.map((id) => entry(id)), manifests: MODELS, nodes: boxes })
    let steps = 0
    for (const _ of precomputePlan({ lab: of, overlay: null, scenario: DEFAULT_SCENARIO }, new PlanMemo()))
      steps++
    expect(steps).toBeGreaterThan(boxes.length + ROLES.length)
  })
})

describe('RolePlan.eligibleAt', () => {
  test('follows from the reasons of each node, declared nodes and pins included', () => {
    const declared = fc.array(fc.constantFrom(null, true, false), { maxLength: 3 })
    fc.assert(
      fc.property(labs, declared, scenarios, (of, words, scenario) => {
        const extra = words.map((eligible, i) => declaredNode(`x${i}`, { eligible }))
        for (const role of plan({ ...of, nodes: [...of.nodes, ...extra] }, null, scenario).roles) {
          expect(role.nodes.map((_, node) => role.eligibleAt(node))).toEqual(
            role.nodes.map(({ eligible }) => eligible),
          )
        }
      }),
    )
  })
})

describe('planning under a changed scenario', () => {
  test('reports what planning from scratch reports, whatever is taken over from the scenario before', () => {
    const changes = fc.constantFrom<(scenario: Scenario) => Scenario>(
      (scenario) => ({ ...scenario, offRoles: new Set(['r1']) }),
      (scenario) => ({ ...scenario, pinned: new Map([['r2', 'n1']]) }),
      (scenario) => ({ ...scenario, nowSecs: 9000 }),
      (scenario) => ({ ...scenario, forcedNodes: new Map([['n0', 'out']]) }),
      (scenario) => ({ ...scenario, memory: new Map([['n0', 10n ** 12n]]) }),
      (scenario) => ({ ...scenario, freeSpace: new Map([['n1', 0n]]) }),
      (scenario) => ({ ...scenario, sharingVeto: true }),
    )
    fc.assert(
      fc.property(labs, scenarios, fc.array(changes, { maxLength: 7 }), (of, first, steps) => {
        const memo = new PlanMemo()
        let scenario = first
        for (const step of steps) {
          scenario = step(scenario)
          expect(told(plan(of, null, scenario, memo))).toEqual(told(plan(of, null, scenario)))
        }
      }),
    )
  })
})

describe('ShardIndex.missing', () => {
  test('counts bytes and shards alike with and without tables, shared hashes included', () => {
    const shard = fc.record({
      hash: fc.integer({ min: 0, max: 40 }),
      size: fc.bigInt({ min: 0n, max: 1n << 40n }),
    })
    fc.assert(
      fc.property(fc.array(shard, { minLength: 1, maxLength: 70 }), fc.array(fc.nat(40)), (shards, got) => {
        const of = {
          name: 'm',
          redistributable: true,
          shards: shards.map(({ hash, size }, i) => ({ path: `${i}`, size, blake3: `h${hash}` })),
        }
        const hashes = new Set(got.map((hash) => `h${hash}`))
        const lacking = of.shards.filter(({ blake3 }) => !hashes.has(blake3))
        const bytes = lacking.reduce((sum, { size }) => sum + size, 0n)
        const index = new ShardIndex(of)
        const presence = presenceOf(index, 'p', [capability('model.present', { shards: [...hashes] })])
        expect(index.missing(presence.bits)).toEqual({ bytes, shards: lacking.length })
        const policy = { allowWeightTransfer: true, maxBytes: 0n, freeHeadroomBytes: 0n }
        const holder = {
          nodeId: 'h',
          eligible: false,
          shards: new Set<string>(),
          complete: true,
          freeBytes: null,
        }
        const target = { nodeId: 't', eligible: true, shards: hashes, complete: false, freeBytes: 0n }
        const reason = whyNotTarget(bytes, 0n, policy)
        const { decision } = decide(of, [holder, target], policy, 'allowed')
        expect(decision.kind).toBe(reason === null ? 'fetch_then_place' : 'unplaceable')
      }),
    )
  })
})
