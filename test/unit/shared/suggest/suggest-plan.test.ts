import fc from 'fast-check'
import highsLoader from 'highs'
import { beforeAll, describe, expect, test } from 'vitest'
import { capability } from '../../../support/capability.ts'
import { GB, GIB } from '../../../../shared/bytes.ts'
import { excludesRole } from '../../../../shared/placement/ledger.ts'
import { plan as planLab } from '../../../../shared/plan/planner.ts'
import { DEFAULT_SCENARIO } from '../../../../shared/scenario/scenario.ts'
import type { LabPlan, PlanInputs } from '../../../../shared/plan/types.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'
import { compareScores, violations } from '../../../../shared/suggest/assignment.ts'
import { highsSolver } from '../../../../shared/suggest/highs-solver.ts'
import type { MipAnswer, Solver } from '../../../../shared/suggest/mip.ts'
import { proveSuggestion } from '../../../../shared/suggest/proved-suggestion.ts'
import { suggestPlan, type Suggestion } from '../../../../shared/suggest/suggest-plan.ts'
import { roleSuggestions, suggestionLines } from '../../../../shared/report/suggestion-words.ts'
import { suggestionToJson } from '../../../../shared/report/suggestion-json.ts'
import { entry, lab, model, node, overlay, whole, type LabSketch } from '../plan/make-lab.ts'

function planOf({ lab, overlay, scenario }: PlanInputs): LabPlan {
  return planLab(lab, overlay, scenario)
}

let solver: Solver

beforeAll(async () => {
  solver = highsSolver(await highsLoader())
})

const A = model('model-a')
const B = model('model-b')
const TRANSFER = { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true }

interface Sketch extends LabSketch {
  readonly overlay?: string
  readonly scenario?: Partial<Scenario>
}

function inputs({ overlay: text, scenario, ...sketch }: Sketch): PlanInputs {
  return {
    lab: lab({ manifests: [A, B], ...sketch }),
    overlay: text === undefined ? null : overlay(text),
    scenario: { ...DEFAULT_SCENARIO, ...scenario },
  }
}

/** A node that runs llama.cpp roles of `gb` GB together, with `room` GB of storage. */
function box(id: string, gb: number, room: number, ...models: readonly string[]) {
  return node(id, [
    capability('runtime.infer.llamacpp'),
    capability('format.gguf'),
    capability('mem.unified', { free: gb * 1e9 }),
    capability('store.tier.internal', { free: room * 1e9 }),
    ...models.map(whole),
  ])
}

function nodesOf(plan: LabPlan, suggestion: Suggestion): Record<string, string | null> {
  return Object.fromEntries(roleSuggestions(plan, suggestion).map(({ role, nodeId }) => [role, nodeId]))
}

async function suggested(sketch: Sketch) {
  const of = inputs(sketch)
  const plan = planOf(of)
  return { of, plan, suggestion: await suggestPlan(plan, solver) }
}

describe('a suggestion', () => {
  test('finds room for all where placing one by one does not', async () => {
    const { of, plan, suggestion } = await suggested({
      entries: [entry('small', { ram_gb: '20', port: '1' }), entry('large', { ram_gb: '40', port: '2' })],
      nodes: [box('a', 40, 100, 'model-a'), box('b', 30, 100, 'model-a')],
    })
    expect(plan.roles.map(({ outcome }) => outcome.nodeId)).toEqual(['a', null])
    expect(nodesOf(plan, suggestion)).toEqual({ small: 'b', large: 'a' })
    expect(suggestion.proof).toEqual({ kind: 'optimal' })
    expect(suggestionLines(await proveSuggestion(of, solver, 5))).toEqual([
      '2 of 2 roles can run, nothing moves, 0 sticky roles stay (now: 1 of 2 roles can run, nothing moves, 1 sticky role stays).',
      'Proved: there is none better.',
    ])
    expect(roleSuggestions(plan, suggestion)[0]?.reason).toContain(
      "b holds the whole model; not on a: 'small' needs 20.0 GB but only 0.0 GB of the 40.0 GB",
    )
  })

  test('is a scenario of pins under which the plan is what was suggested', async () => {
    const { of, plan, suggestion } = await suggested({
      entries: [entry('small', { ram_gb: '20', port: '1' }), entry('large', { ram_gb: '40', port: '2' })],
      nodes: [box('a', 40, 100, 'model-a'), box('b', 30, 100, 'model-a')],
    })
    expect(suggestion.scenario.pinned).toEqual(
      new Map([
        ['small', 'b'],
        ['large', 'a'],
      ]),
    )
    const applied = planLab(of.lab, of.overlay, suggestion.scenario)
    expect(applied.roles.map(({ outcome }) => outcome.nodeId)).toEqual(['b', 'a'])
    expect(of.scenario.pinned.size).toBe(0)
    expect(nodesOf(plan, suggestion)).toEqual({ small: 'b', large: 'a' })
  })

  test('moves the fewest bytes', async () => {
    const big = model('model-a', 4)
    const { plan, suggestion } = await suggested({
      entries: [
        entry('one', { ram_gb: '20', port: '1', name: 'model-b' }),
        entry('two', { ram_gb: '20', port: '2', name: 'model-a' }),
      ],
      manifests: [big, B],
      nodes: [box('a', 20, 100, 'model-a', 'model-b'), box('b', 20, 100)],
      scenario: { policy: TRANSFER },
    })
    // One by one `one` keeps a, and 20 GB of model-a have to move; the other way round it is 10 GB of model-b.
    expect(plan.roles.map(({ outcome }) => outcome.bytes)).toEqual([0n, 20n * GB])
    expect(nodesOf(plan, suggestion)).toEqual({ one: 'b', two: 'a' })
    expect(suggestion.score.bytes).toBe(10n * GB)
  })

  test('counts a model that two roles run on one node once', async () => {
    const { suggestion } = await suggested({
      entries: [entry('one', { port: '1' }), entry('two', { port: '2' })],
      nodes: [node('nas', [whole('model-a')]), box('a', 20, 100), box('b', 10, 100)],
      scenario: { policy: TRANSFER },
    })
    expect(suggestion.score).toMatchObject({ placed: 2, bytes: 10n * GB })
  })

  test('keeps to the space for all that comes, headroom included, to the byte', async () => {
    const sketch = (free: bigint): Sketch => ({
      entries: [entry('one', { port: '1' }), entry('two', { port: '2', name: 'model-b' })],
      nodes: [node('nas', [whole('model-a'), whole('model-b')]), box('a', 40, 100)],
      scenario: { policy: TRANSFER, freeSpace: new Map([['a', free]]) },
    })
    expect((await suggested(sketch(20n * GB + GIB))).suggestion.score.placed).toBe(2)
    expect((await suggested(sketch(20n * GB + GIB - 1n))).suggestion.score.placed).toBe(1)
  })

  test('fills a pool to the byte and not over it', async () => {
    const sketch = (memory: bigint): Sketch => ({
      entries: [
        entry('one', { ram_gb: '55.000001', port: '1' }),
        entry('two', { ram_gb: '41.000001', port: '2' }),
      ],
      nodes: [box('a', 1, 100, 'model-a')],
      scenario: { memory: new Map([['a', memory]]) },
    })
    expect((await suggested(sketch(96_000_002_000n))).suggestion.score.placed).toBe(2)
    expect((await suggested(sketch(96_000_001_999n))).suggestion.score.placed).toBe(1)
  })

  test('puts interactive roles first where not all have room', async () => {
    const { plan, suggestion } = await suggested({
      entries: ['one', 'two', 'three'].map((id, i) =>
        entry(id, { ram_gb: i === 2 ? '40' : '20', port: `${i + 1}` }),
      ),
      nodes: [box('a', 40, 100, 'model-a')],
      overlay: 'latency_class: {three: interactive}\n',
    })
    expect(nodesOf(plan, suggestion)).toEqual({ one: null, two: null, three: 'a' })
    expect(roleSuggestions(plan, suggestion)[0]?.reason).toMatch(
      /^no room is left for it beside the others; on a: 'one' needs 20\.0 GB but only 0\.0 GB/,
    )
  })

  test('keeps sticky roles at home, and parts roles of one port, where it costs no byte', async () => {
    const sketch: Sketch = {
      entries: [
        entry('one', { ram_gb: '20', port: '1' }),
        entry('two', { ram_gb: '20', port: '1', repo: 'r/2' }),
      ],
      nodes: [box('a', 40, 100, 'model-a'), box('b', 40, 100, 'model-a')],
    }
    const sticky = await suggested(sketch)
    expect(nodesOf(sticky.plan, sticky.suggestion)).toEqual({ one: 'a', two: 'a' })
    const loose = await suggested({ ...sketch, overlay: 'sticky: {two: false}\n' })
    expect(nodesOf(loose.plan, loose.suggestion)).toEqual({ one: 'a', two: 'b' })
    expect(loose.suggestion.score.portClashes).toBe(0)
  })

  test('holds to excludes in both directions, pins, and roles that are off', async () => {
    const { plan, suggestion } = await suggested({
      entries: ['one', 'two', 'three', 'four'].map((id, i) => entry(id, { ram_gb: '10', port: `${i + 1}` })),
      nodes: [box('a', 40, 100, 'model-a'), box('b', 40, 100, 'model-a')],
      overlay: 'excludes: {two: [role:one]}\n',
      scenario: { pinned: new Map([['one', 'b']]), offRoles: new Set(['four']) },
    })
    expect(nodesOf(plan, suggestion)).toMatchObject({ one: 'b', two: 'a', four: null })
    expect(roleSuggestions(plan, suggestion)[3]?.reason).toBe('it is switched off')
  })

  test('says why a role is no part of it', async () => {
    const { plan, suggestion } = await suggested({
      entries: [
        entry('twin', { port: '1' }),
        entry('twin', { port: '2' }),
        entry('lost', { name: 'nowhere', port: '3' }),
      ],
      nodes: [box('a', 40, 100, 'model-a')],
    })
    expect(roleSuggestions(plan, suggestion).map(({ reason }) => reason)).toEqual([
      'the roster has its id more than once, and a pin goes by id',
      'the roster has its id more than once, and a pin goes by id',
      'no manifest is named nowhere',
    ])
    expect(suggestion.proof).toEqual({ kind: 'optimal' })
  })
})

describe('when the solver does not get there', () => {
  const sketch: Sketch = {
    entries: [entry('small', { ram_gb: '20', port: '1' }), entry('large', { ram_gb: '40', port: '2' })],
    nodes: [box('a', 40, 100, 'model-a'), box('b', 30, 100, 'model-a')],
  }
  const answer = (changes: Partial<MipAnswer>): Solver => {
    return () => Promise.resolve({ status: 'failed', values: null, bound: null, seconds: 0, ...changes })
  }

  test('what placing one by one gives stands, and the gap is reported', async () => {
    const suggestion = await suggestPlan(planOf(inputs(sketch)), answer({ bound: 2 }))
    expect(suggestion.score).toEqual(suggestion.greedy)
    expect(suggestion.proof).toEqual({ kind: 'open', stage: 'placed', bound: 2 })
    const lines = suggestionLines(await proveSuggestion(inputs(sketch), answer({ bound: 2 }), 5))
    expect(lines.at(-1)).toMatch(/^Not proved: the time ran out/)
  })

  test('an answer against the rules is never taken', async () => {
    const plan = planOf(inputs(sketch))
    const everything: Solver = (mip) =>
      Promise.resolve({ status: 'optimal', values: mip.costs.map(() => 1), bound: 9, seconds: 0 })
    const suggestion = await suggestPlan(plan, everything)
    expect(violations(suggestion.problem, suggestion.assignment)).toEqual([])
    expect(suggestion.proof.kind).toBe('open')
  })

  test('no time at all is no failure', async () => {
    const suggestion = await suggestPlan(planOf(inputs(sketch)), solver, 0)
    expect(suggestion.score).toEqual(suggestion.greedy)
    expect(suggestion.proof).toMatchObject({ kind: 'open', stage: 'placed' })
  })
})

describe('a suggestion held against the plan as it is', () => {
  test('offers nothing when nothing gets better', async () => {
    const of = inputs({
      entries: [entry('one', { port: '1' }), entry('two', { port: '2' })],
      nodes: [box('a', 60, 100, 'model-a')],
    })
    const proved = await proveSuggestion(of, solver, 5)
    expect(proved.isBetter).toBe(false)
    const report = suggestionToJson(proved)
    expect(report).toMatchObject({ isBetter: false, roles: [], cannotRun: 0 })
    expect(report.scenario.pinned).toEqual({})
    expect(report.lines).toEqual([
      'Nothing better was found. The plan stays as it is: 2 of 2 roles can run, nothing moves, 2 sticky roles stay.',
      'Proved: nothing is better.',
    ])
  })

  test('counts every role: those of one id, and those that no node could run', async () => {
    const of = inputs({
      entries: [
        entry('small', { ram_gb: '20', port: '1' }),
        entry('large', { ram_gb: '40', port: '2' }),
        entry('twin', { ram_gb: '1', port: '3', name: 'model-b' }),
        entry('twin', { ram_gb: '1', port: '4', name: 'model-b' }),
        entry('lost', { name: 'nowhere', port: '5' }),
      ],
      nodes: [box('a', 40, 100, 'model-a'), box('b', 30, 100, 'model-a'), box('c', 2, 100, 'model-b')],
    })
    const proved = await proveSuggestion(of, solver, 5)
    expect(proved.now).toMatchObject({ roles: 5, running: 3 })
    expect(proved.then).toMatchObject({ roles: 5, running: 4 })
    expect(suggestionToJson(proved)).toMatchObject({ isBetter: true, cannotRun: 1 })
    expect(suggestionLines(proved)[1]).toBe(
      '2 roles stay as planned: the roster has their ids more than once.',
    )
  })

  test('is never taken where planning with it is no better', async () => {
    await fc.assert(
      fc.asyncProperty(arbitrary, async (made) => {
        const { now, then, isBetter } = await proveSuggestion(madeOf(made), solver, 5)
        expect(isBetter).toBe(compareScores(then, now) < 0)
        if (isBetter)
          expect(then.running >= now.running || then.interactivePlaced > now.interactivePlaced).toBe(true)
      }),
      { numRuns: 20 },
    )
  })
})

const arbitrary = fc.record({
  entries: fc.array(
    fc.record({
      gb: fc.constantFrom('5', '10', '20', '35', '60'),
      model: fc.constantFrom('model-a', 'model-b', 'model-c'),
      port: fc.constantFrom('1', '2', '3'),
      interactive: fc.boolean(),
      sticky: fc.boolean(),
    }),
    { minLength: 1, maxLength: 8 },
  ),
  nodes: fc.array(
    fc.record({
      gb: fc.constantFrom(10, 30, 55, 80),
      room: fc.constantFrom(5, 12, 22, 100),
      holds: fc.subarray(['model-a', 'model-b']),
    }),
    { minLength: 1, maxLength: 4 },
  ),
  excludes: fc.array(fc.tuple(fc.nat(7), fc.nat(7)), { maxLength: 4 }),
  transfer: fc.boolean(),
})

function madeOf(made: typeof arbitrary extends fc.Arbitrary<infer T> ? T : never): PlanInputs {
  const roles = made.entries.map((_, i) => `r${i}`)
  return inputs({
    entries: made.entries.map(({ gb, model: name, port }, i) => entry(`r${i}`, { ram_gb: gb, name, port })),
    nodes: made.nodes.map(({ gb, room, holds }, i) => box(`n${i}`, gb, room, ...holds)),
    overlay: [
      `excludes: {${[...new Map(made.excludes)].map(([a, b]) => `r${a}: [role:r${b}]`).join(', ')}}`,
      `latency_class: {${roles.map((role, i) => `${role}: ${made.entries[i]?.interactive ? 'interactive' : 'batch'}`).join(', ')}}`,
      `sticky: {${roles.map((role, i) => `${role}: ${made.entries[i]?.sticky ?? true}`).join(', ')}}`,
      '',
    ].join('\n'),
    scenario: { policy: { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: made.transfer } },
  })
}

test('no suggestion is against a rule or worse than placing one by one, and applied it is the plan', async () => {
  await fc.assert(
    fc.asyncProperty(arbitrary, async (made) => {
      const of = madeOf(made)
      const plan = planOf(of)
      const suggestion = await suggestPlan(plan, solver)
      const { score, greedy, problem, assignment, scenario } = suggestion
      expect(violations(problem, assignment)).toEqual([])
      expect(compareScores(score, greedy) <= 0).toBe(true)
      if (score.interactivePlaced === greedy.interactivePlaced && score.placed === greedy.placed) {
        expect(score.bytes <= greedy.bytes).toBe(true)
      }
      const applied = planLab(of.lab, of.overlay, scenario)
      for (const { role, nodeId, bytes } of roleSuggestions(plan, suggestion)) {
        const own = applied.roles.find((each) => each.role === role)
        if (nodeId === null || !own) continue
        expect([own.outcome.nodeId, own.outcome.bytes]).toEqual([nodeId, bytes])
      }
      for (const { ledger, incomingBytes, freeBytes } of applied.residency) {
        expect(ledger.usedBytes <= (ledger.budget?.bytes ?? 0n)).toBe(true)
        if (incomingBytes > 0n) expect(incomingBytes + GIB <= (freeBytes ?? 0n)).toBe(true)
        for (const a of ledger.instances) {
          for (const b of ledger.instances) if (a !== b) expect(excludesRole(a.excludes, b.role)).toBe(false)
        }
      }
      expect(applied.residency.reduce((sum, each) => sum + each.incomingBytes, 0n) >= score.bytes).toBe(true)
      expect(suggestion.proof).toEqual({ kind: 'optimal' })
    }),
    { numRuns: 60 },
  )
})

test('what is proved the best is the best of all there are', async () => {
  const small = arbitrary.filter(({ entries }) => entries.length <= 4)
  await fc.assert(
    fc.asyncProperty(small, async (made) => {
      const { problem, score } = await suggestPlan(planOf(madeOf(made)), solver)
      let every: (number | null)[][] = [[]]
      for (const { options } of problem.roles) {
        every = every.flatMap((start) => [null, ...options.keys()].map((option) => [...start, option]))
      }
      const { scoreOf } = await import('../../../../shared/suggest/assignment.ts')
      for (const assignment of every) {
        if (violations(problem, assignment).length > 0) continue
        expect(compareScores(score, scoreOf(problem, assignment)) <= 0).toBe(true)
      }
    }),
    { numRuns: 40 },
  )
})
