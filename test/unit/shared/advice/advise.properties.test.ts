import fc from 'fast-check'
import { expect, test } from 'vitest'
import { changeText } from '../../../../shared/advice/advice-words.ts'
import { createAdviser } from '../../../../shared/advice/advise.ts'
import { applyChange } from '../../../../shared/advice/apply-change.ts'
import { compareCosts, type Change } from '../../../../shared/advice/change.ts'
import { obstaclesTo } from '../../../../shared/advice/standing.ts'
import { GB, GIB } from '../../../../shared/bytes.ts'
import { PlanMemo } from '../../../../shared/plan/plan-memo.ts'
import { plan } from '../../../../shared/plan/planner.ts'
import type { PlanInputs } from '../../../../shared/plan/types.ts'
import { declaredNode, entry, ISSUED, node, overlay, planOf, TTL } from '../plan/make-lab.ts'
import { A, B, LOCKED, inputs, box, AWAY } from './advice-labs.ts'

const arbitrary = fc.record({
  entries: fc.array(
    fc.record({
      gb: fc.constantFrom(5, 20, 40, 70),
      model: fc.constantFrom('model-a', 'model-b', 'model-c'),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  nodes: fc.array(
    fc.record({
      kind: fc.constantFrom('box', 'nas', 'bare', 'reserved'),
      free: fc.constantFrom(10, 30, 60),
      room: fc.constantFrom(0, 10.5, 100),
      holds: fc.subarray(['model-a', 'model-b']),
      away: fc.boolean(),
      declared: fc.constantFrom(null, true, false),
    }),
    { minLength: 1, maxLength: 3 },
  ),
  locked: fc.boolean(),
  excludes: fc.array(fc.tuple(fc.nat(3), fc.nat(3)), { maxLength: 3 }),
  transfer: fc.boolean(),
  ceiling: fc.constantFrom(null, 4n * GB),
  veto: fc.boolean(),
  fresh: fc.boolean(),
  off: fc.boolean(),
  away: fc.boolean(),
  pin: fc.boolean(),
})

function madeOf(made: typeof arbitrary extends fc.Arbitrary<infer T> ? T : never): PlanInputs {
  return inputs({
    entries: made.entries.map(({ gb, model: name }, i) =>
      entry(`r${i}`, { ram_gb: `${gb}`, name, port: `${i + 1}` }),
    ),
    manifests: [made.locked ? LOCKED : A, B],
    nodes: made.nodes.map(({ kind, free, room, holds, away, declared }, i) => {
      const base = box(`n${i}`, { free, room }, ...holds).facts?.capabilities ?? []
      const capabilities = base.filter(({ id }) => {
        if (kind === 'nas') return !id.startsWith('runtime.')
        return kind !== 'bare' || !id.startsWith('mem.')
      })
      return {
        ...node(`n${i}`, [
          ...capabilities.map((each) =>
            kind === 'reserved' && each.id.startsWith('runtime.')
              ? { ...each, state: 'reserved' as const }
              : each,
          ),
          ...(away ? [AWAY] : []),
        ]),
        declared: declared === null ? null : declaredNode(`n${i}`, { eligible: declared }).declared,
      }
    }),
    overlay: `excludes: {${[...new Map(made.excludes)].map(([a, b]) => `r${a}: [r${b}]`).join(', ')}}\n`,
    scenario: {
      policy: { allowWeightTransfer: made.transfer, maxBytes: made.ceiling, freeHeadroomBytes: GIB },
      sharingVeto: made.veto,
      requireFreshFacts: made.fresh,
      nowSecs: ISSUED + TTL + 1,
      offRoles: new Set(made.off ? ['r0'] : []),
      awayNodes: new Set(made.away ? ['n0'] : []),
      pinned: new Map(made.pin ? [['r0', 'n1']] : []),
    },
  })
}

/** One byte less of what the change asks for, where it asks for bytes. */
function scanter(change: Change): Change | null {
  if (change.kind === 'lower_headroom') return { ...change, bytes: change.bytes + 1n }
  if (change.kind === 'raise_ceiling' || change.kind === 'free_storage')
    return { ...change, bytes: change.bytes - 1n }
  return null
}

test('every change that is advised holds when it is applied, cheapest first, and asks for no byte too many', () => {
  fc.assert(
    fc.property(arbitrary, (made) => {
      const of = madeOf(made)
      const adviser = createAdviser(of)
      adviser.plan.roles.forEach((role, i) => {
        of.lab.nodes.forEach(({ nodeId }, n) => {
          const advice = adviser.advise(i, n)
          if (advice.kind !== 'changes') return
          expect(advice.changes).toEqual([...advice.changes].sort(compareCosts))
          for (const change of advice.changes) {
            const applied = applyChange(of, change)
            expect(obstaclesTo(planOf(applied), i, n)).toEqual([])
            // Reported to run there, it does.
            const { scenario } = applied
            const pinned = { ...scenario, pinned: new Map([...scenario.pinned, [role.role, nodeId]]) }
            const planned = planOf({ ...applied, scenario: pinned }).roles[i]
            expect(planned?.outcome.nodeId).toBe(nodeId)
            const less = scanter(change)
            if (less) expect(obstaclesTo(planOf(applyChange(of, less)), i, n)).not.toEqual([])
            expect(changeText(change)).not.toContain('undefined')
          }
        })
      })
    }),
    { numRuns: 80 },
  )
})

test('asking in steps, between other planning, reports what asking at once reports', () => {
  fc.assert(
    fc.property(arbitrary, arbitrary, fc.integer({ min: 1, max: 40 }), (made, madeElse, pace) => {
      const of = madeOf(made)
      const atOnceAdviser = createAdviser(of)
      const memo = new PlanMemo()
      const adviser = createAdviser(of, memo)
      const { scenario: other } = madeOf(madeElse)
      adviser.plan.roles.forEach((_, i) => {
        of.lab.nodes.forEach((__, n) => {
          const steps = adviser.adviseTask(i, n, 2)
          let taken = 0
          let step = steps.next()
          while (step.done !== true) {
            if (++taken % pace === 0) plan(of.lab, of.overlay, { ...other }, memo)
            step = steps.next()
          }
          expect(step.value).toEqual(atOnceAdviser.advise(i, n, 2))
        })
      })
    }),
    { numRuns: 30 },
  )
})

test('however much is asked, the plan that is asked about is not decided again after an edit of the overlay', () => {
  const nodes = Array.from({ length: 9 }, (_, i) =>
    box(`n${i}`, { free: 30 }, ...(i === 0 ? ['model-a'] : [])),
  )
  const of = inputs({
    entries: [entry('r0', { port: '1' }), entry('r1', { port: '2', ram_gb: '40' })],
    nodes,
  })
  const memo = new PlanMemo()
  const { plan: asked, advise } = createAdviser(of, memo)
  asked.roles.forEach((_, role) => nodes.forEach((__, node) => advise(role, node)))
  const edited = plan(of.lab, overlay('sticky: {r0: true}\n'), of.scenario, memo)
  edited.roles.forEach(({ decision }, i) => expect(decision).toBe(asked.roles[i]?.decision))
})

/** Every change there could be of this lab, whatever the question. */
function everyChange(of: PlanInputs): Change[] {
  const roles = planOf(of).roles
  return [
    { kind: 'allow_transfer' },
    { kind: 'lower_headroom', bytes: 0n },
    { kind: 'raise_ceiling', bytes: 1000n * GB },
    { kind: 'lift_veto' },
    { kind: 'accept_stale' },
    ...roles.map(({ role }): Change => ({ kind: 'switch_on', role })),
    ...roles.flatMap(({ role }) =>
      roles.map(({ role: excluded }): Change => ({ kind: 'drop_exclude', role, excluded, place: null })),
    ),
    ...of.lab.manifests.map(({ packageId, body }): Change => ({
      kind: 'mark_redistributable',
      model: body.name,
      packageId,
    })),
    ...of.lab.nodes.flatMap(({ nodeId }): Change[] => [
      { kind: 'bring_back', node: nodeId },
      { kind: 'free_storage', node: nodeId, bytes: 1000n * GB, more: null },
      { kind: 'free_memory', node: nodeId, bytes: 64n * GB, more: null },
      ...of.lab.manifests.map(({ packageId, body }): Change => ({
        kind: 'mount_drive',
        node: nodeId,
        model: body.name,
        packageId,
      })),
      ...of.lab.manifests.map(({ body }): Change => ({
        kind: 'adopt_model',
        node: nodeId,
        model: body.name,
        bytes: 0n,
        assumed: null,
      })),
    ]),
  ]
}

test('where no single change is advised, none of all there are would do', () => {
  fc.assert(
    fc.property(arbitrary, (made) => {
      const of = madeOf(made)
      const adviser = createAdviser(of)
      const plans = everyChange(of).map((change) => ({ change, plan: planOf(applyChange(of, change)) }))
      adviser.plan.roles.forEach((_, i) => {
        of.lab.nodes.forEach((__, n) => {
          const advice = adviser.advise(i, n)
          if (advice.kind !== 'never') return
          // Where the roles there are in the way, a change may also drive one of them away: none that is advised.
          if (advice.obstacles.some(({ kind }) => kind === 'co_residency')) return
          const enough = plans.filter(({ plan }) => obstaclesTo(plan, i, n).length === 0)
          expect(enough.map(({ change }) => change)).toEqual([])
        })
      })
    }),
    { numRuns: 80 },
  )
})
