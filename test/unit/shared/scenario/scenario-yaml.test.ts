import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { briefs, valueOf } from '../../../support/problems.ts'
import { namedScenarios, isScenarioName } from '../../../../shared/scenario/named-scenarios.ts'
import { readScenarioFile } from '../../../../shared/scenario/scenario-file.ts'
import { DEFAULT_SCENARIO, type Scenario } from '../../../../shared/scenario/scenario.ts'
import { scenarioYamlText } from '../../../../shared/scenario/scenario-yaml.ts'

const read = (text: string) => readScenarioFile(text, 'tight.yaml')

const WRITTEN = `# Before the new machine comes.
schema: lab-planner.scenario.v1

# Fetching is fine at night.
allow_weight_transfer: true

# The studio renders in the day.
memory:
  # 56 GiB
  mac-studio: 60129542144 # measured
  pi-5: 4000000000
off_roles:
  # not needed
  - planner # a big one
  - hermes
`

describe('a scenario in YAML', () => {
  test('is read, byte counts as integers or as texts', () => {
    expect(valueOf(read(WRITTEN))).toEqual({
      ...DEFAULT_SCENARIO,
      policy: { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: true },
      memory: new Map([
        ['mac-studio', 60_129_542_144n],
        ['pi-5', 4_000_000_000n],
      ]),
      offRoles: new Set(['planner', 'hermes']),
    })
    const quoted = 'schema: lab-planner.scenario.v1\nmax_bytes: "18446744073709551615"\n'
    expect(valueOf(read(quoted)).policy.maxBytes).toBe(18_446_744_073_709_551_615n)
    expect(valueOf(read(quoted.replaceAll('"', ''))).policy.maxBytes).toBe(18_446_744_073_709_551_615n)
  })

  test('keeps every comment when it is written again, and the order of its keys', () => {
    const scenario = valueOf(read(WRITTEN))
    expect(scenarioYamlText(scenario, WRITTEN)).toBe(WRITTEN)
    const changed: Scenario = {
      ...scenario,
      memory: new Map([['mac-studio', 70_000_000_000n]]),
      offRoles: new Set(['hermes', 'coder']),
      sharingVeto: true,
    }
    expect(scenarioYamlText(changed, WRITTEN)).toBe(
      WRITTEN.replace('60129542144', '70000000000')
        .replace('  pi-5: 4000000000\n', '')
        .replace('  - planner # a big one\n', '')
        .concat('  - coder\nsharing_veto: true\n'),
    )
  })

  test('keeps the comment above a key that goes, before what follows or at the end', () => {
    const scenario = valueOf(read(WRITTEN))
    const text = scenarioYamlText({ ...scenario, memory: new Map(), offRoles: new Set() }, WRITTEN)
    expect(text).toContain('# The studio renders in the day.')
    expect(valueOf(read(text)).memory.size).toBe(0)
  })

  test('keeps the line endings', () => {
    const text = WRITTEN.replaceAll('\n', '\r\n')
    expect(scenarioYamlText(valueOf(read(text)), text)).toBe(text)
  })

  test('comes back whatever it was before', () => {
    const name = fc.stringMatching(/^[A-Za-z0-9_.:-]{1,20}$/)
    const some = fc.record({
      memory: fc.dictionary(name, fc.bigInt(0n, 2n ** 64n - 1n)),
      off: fc.array(name, { maxLength: 3 }),
      pinned: fc.dictionary(name, name),
      transfer: fc.boolean(),
      link: fc.option(fc.integer({ min: 1, max: 100_000 })),
    })
    const scenarioOf = (made: typeof some extends fc.Arbitrary<infer T> ? T : never): Scenario => ({
      ...DEFAULT_SCENARIO,
      policy: { ...DEFAULT_SCENARIO.policy, allowWeightTransfer: made.transfer },
      memory: new Map(Object.entries(made.memory)),
      offRoles: new Set(made.off),
      pinned: new Map(Object.entries(made.pinned)),
      linkMbps: made.link,
    })
    fc.assert(
      fc.property(some, some, (a, b) => {
        const [first, second] = [scenarioOf(a), scenarioOf(b)]
        const text = scenarioYamlText(first, null)
        expect(valueOf(read(text))).toEqual(first)
        expect(valueOf(read(scenarioYamlText(second, text)))).toEqual(second)
      }),
    )
  })

  test('says with its place what is wrong', () => {
    const lines = [
      'schema: lab-planner.scenario.v1',
      'memory: {a: lots}',
      'ofroles: []',
      'sharing_veto: true',
      'sharing_veto: false',
      '',
    ]
    const { problems } = read(lines.join('\n'))
    expect(problems.map(({ range }) => range?.start.line)).toEqual([2, 3, 5])
    expect(briefs({ problems }).join('\n')).toContain('`ofroles` is no key of a scenario')
    expect(read('schema: [\n').problems[0]?.range?.start.line).toBeGreaterThan(0)
    expect(read('a: &x 1\nb: *x\n').problems[0]?.message).toContain('alias')
    expect(read('').ok).toBe(false)
    expect(read('- 1\n').ok).toBe(false)
  })

  test('never throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof read(text).ok === 'boolean'))
    fc.assert(
      fc.property(fc.nat(WRITTEN.length), (end) => typeof read(WRITTEN.slice(0, end)).ok === 'boolean'),
    )
  })
})

test('a named scenario is a file of the lab', () => {
  const file = (name: string, text: string) =>
    ({ kind: 'scenario', file: `lab/docs/models/scenarios/${name}.yaml`, hash: name, text }) as const
  const [good, bad] = namedScenarios([file('night.v2', WRITTEN), file('broken', 'x: 1\n')])
  expect(good).toMatchObject({ name: 'night.v2', problems: [] })
  expect(bad).toMatchObject({ name: 'broken', scenario: null })
  expect(bad?.problems.length).toBeGreaterThan(0)
})

test.each([
  ['night', true],
  ['a.b-c_d+e', true],
  ['', false],
  ['../x', false],
  ['.hidden', false],
  ['ends.', false],
  ['con', false],
  ['NUL.old', false],
  ['a/b', false],
  ['a'.repeat(65), false],
])('%j is a scenario name: %s', (name, is) => {
  expect(isScenarioName(name)).toBe(is)
})
