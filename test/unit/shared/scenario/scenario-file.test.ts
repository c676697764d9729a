import { CACHE_TYPES } from '../../../../shared/memory/cache-type.ts'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { briefs, markedText, valueOf } from '../../../support/problems.ts'
import { U64_MAX } from '../../../../shared/bytes.ts'
import { readScenarioFile, scenarioFileText } from '../../../../shared/scenario/scenario-file.ts'
import {
  scenarioFromJson,
  scenarioSchema,
  scenarioToJson,
} from '../../../../shared/scenario/scenario-json.ts'
import { DEFAULT_SCENARIO, scenarioChanges } from '../../../../shared/scenario/scenario.ts'
import type { Scenario } from '../../../../shared/scenario/scenario.ts'

const FULL: Scenario = {
  policy: { allowWeightTransfer: true, maxBytes: U64_MAX, freeHeadroomBytes: 0n },
  sharingVeto: true,
  requireFreshFacts: true,
  nowSecs: 1_790_000_000,
  forcedNodes: new Map([
    ['gpu-box', 'in'],
    ['pi-5', 'out'],
  ]),
  freeSpace: new Map([['gpu-box', 9_007_199_254_740_993n]]),
  memory: new Map([['mac-mini', 64_000_000_000n]]),
  offRoles: new Set(['hermes']),
  awayNodes: new Set(['archive-nas']),
  pinned: new Map([['planner', 'mac-studio']]),
  linkMbps: 2.5,
  roleContext: new Map([['coder', 65_536]]),
  roleKeyType: new Map([['coder', 'q8_0']]),
  roleValueType: new Map([['coder', 'f16']]),
  roleParallel: new Map([['coder', 4]]),
  computedMemory: new Set(['coder']),
  installed: new Map([['gpu-box', new Set(['runtime.infer.mlx-lm', 'format.mlx'])]]),
  heldModels: new Map([['pc', new Set(['model-a'])]]),
  redistributable: new Set(['model-a']),
  exportKvBudget: true,
}

function read(text: string) {
  return readScenarioFile(text, 'scenario.json')
}

function file(members: string): string {
  return `{"schema": "lab-planner.scenario.v1"${members === '' ? '' : `, ${members}`}}`
}

test('a file that says nothing assumes nothing', () => {
  expect(valueOf(read(file('')))).toEqual(DEFAULT_SCENARIO)
})

test('everything of a scenario comes back from its file, byte counts beyond 2^53 exactly', () => {
  const text = scenarioFileText(FULL)
  expect(text).toContain('"gpu-box": "9007199254740993"')
  expect(text.endsWith('}\n')).toBe(true)
  expect(valueOf(read(text))).toEqual(FULL)
})

const nodeName = fc.oneof(
  { weight: 9, arbitrary: fc.stringMatching(/^[A-Za-z0-9_.:-]{1,128}$/) },
  { weight: 1, arbitrary: fc.constantFrom('__proto__', 'constructor', 'toString') },
)
const role = fc.stringMatching(/^[A-Za-z0-9][A-Za-z0-9._+:-]{0,63}$/)
const bytes = fc.bigInt(0n, U64_MAX)
const byNode = fc.array(fc.tuple(nodeName, bytes), { maxLength: 5 }).map((entries) => new Map(entries))
function byRole<T>(value: fc.Arbitrary<T>): fc.Arbitrary<ReadonlyMap<string, T>> {
  return fc.array(fc.tuple(role, value), { maxLength: 5 }).map((entries) => new Map(entries))
}
const namesByNode = fc
  .array(fc.tuple(nodeName, fc.array(role, { maxLength: 3 })), { maxLength: 5 })
  .map((entries) => new Map(entries.map(([node, names]) => [node, new Set(names)] as const)))
const arbitraryScenario: fc.Arbitrary<Scenario> = fc.record({
  policy: fc.record({
    allowWeightTransfer: fc.boolean(),
    maxBytes: fc.option(bytes, { nil: null }),
    freeHeadroomBytes: bytes,
  }),
  sharingVeto: fc.boolean(),
  requireFreshFacts: fc.boolean(),
  nowSecs: fc.option(fc.maxSafeNat(), { nil: null }),
  forcedNodes: fc
    .array(fc.tuple(nodeName, fc.constantFrom('in' as const, 'out' as const)), { maxLength: 5 })
    .map((entries) => new Map(entries)),
  freeSpace: byNode,
  memory: byNode,
  offRoles: fc.array(role, { maxLength: 5 }).map((roles) => new Set(roles)),
  awayNodes: fc.array(nodeName, { maxLength: 5 }).map((nodes) => new Set(nodes)),
  pinned: fc.array(fc.tuple(role, nodeName), { maxLength: 5 }).map((entries) => new Map(entries)),
  linkMbps: fc.option(fc.double({ min: 0.001, max: 1e9, noNaN: true }), { nil: null }),
  roleContext: byRole(fc.integer({ min: 1, max: 2 ** 31 })),
  roleKeyType: byRole(fc.constantFrom(...CACHE_TYPES)),
  roleValueType: byRole(fc.constantFrom(...CACHE_TYPES)),
  roleParallel: byRole(fc.integer({ min: 1, max: 256 })),
  computedMemory: fc.array(role, { maxLength: 5 }).map((roles) => new Set(roles)),
  installed: namesByNode,
  heldModels: namesByNode,
  redistributable: fc.array(role, { maxLength: 5 }).map((models) => new Set(models)),
  exportKvBudget: fc.boolean(),
})

test('any scenario round trips through its file and through what crosses to the host', () => {
  fc.assert(
    fc.property(arbitraryScenario, (scenario) => {
      expect(valueOf(read(scenarioFileText(scenario)))).toEqual(scenario)
      const crossed: unknown = JSON.parse(JSON.stringify(scenarioToJson(scenario)))
      expect(scenarioFromJson(scenarioSchema.parse(crossed))).toEqual(scenario)
    }),
  )
})

test('a node may be named __proto__', () => {
  const scenario = valueOf(
    read(
      file(
        '"memory": {"__proto__": "5", "a": "6"}, "forced_nodes": {"__proto__": "out"}, ' +
          '"installed": {"__proto__": ["vllm"]}, "held_models": {"b": ["m"], "__proto__": ["m", "n"]}',
      ),
    ),
  )
  expect([...scenario.memory]).toEqual([
    ['a', 6n],
    ['__proto__', 5n],
  ])
  expect([...scenario.forcedNodes]).toEqual([['__proto__', 'out']])
  expect([...scenario.installed]).toEqual([['__proto__', new Set(['vllm'])]])
  expect([...scenario.heldModels]).toEqual([
    ['b', new Set(['m'])],
    ['__proto__', new Set(['m', 'n'])],
  ])
})

describe('what is wrong is reported with its place', () => {
  const cases: readonly [string, string, string][] = [
    ['an unknown key', file('"allow_transfer": true'), '"allow_transfer"'],
    ['a flag that is none', file('"sharing_veto": "yes"'), '"yes"'],
    ['a byte count as a number', file('"max_bytes": 5'), '5'],
    ['a byte count with a unit', file('"max_bytes": "10 GiB"'), '"10 GiB"'],
    ['a byte count of a node with a unit', file('"memory": {"a": "10 GiB"}'), '"10 GiB"'],
    [
      'a byte count beyond 64 bits',
      file('"free_space": {"a": "18446744073709551616"}'),
      '"18446744073709551616"',
    ],
    ['a way that is none', file('"forced_nodes": {"a": "up"}'), '"up"'],
    ['an empty node id', file('"forced_nodes": {"": "in"}'), '""'],
    ['a role that is no text', file('"off_roles": ["a", 3]'), '3'],
    ['a link without rate', file('"link_mbps": 0'), '0'],
    ['a context without tokens', file('"role_context": {"a": 0}'), '0'],
    ['a type that no server has', file('"role_key_type": {"a": "q3"}'), '"q3"'],
    ['a wrong value of a node named __proto__', file('"memory": {"__proto__": 5}'), '5'],
    ['a list in place of an object', file('"pinned": ["x"]'), '["x"]'],
  ]
  test.each(cases)('%s', (_name, text, marked) => {
    const outcome = read(text)
    expect(outcome.ok).toBe(false)
    expect(outcome.problems).toHaveLength(1)
    expect(markedText(text, outcome)).toBe(marked)
  })

  test('every fault, in text order', () => {
    const text = `{\n  "schema": "lab-planner.scenario.v1",\n  "memory": {"a": 1},\n  "speed": 9,\n  "sharing_veto": 0\n}`
    expect(briefs(read(text))).toEqual([
      '3:19 scenario-bad-value `memory.a` must be a byte count: a text of decimal digits, such as "4294967296", at most 2^64-1',
      expect.stringMatching(
        /^4:3 scenario-unknown-key `speed` is no key of a scenario: it can have schema, allow_/,
      ),
      '5:19 scenario-bad-value `sharing_veto` must be true or false',
    ])
  })

  test('a key given twice', () => {
    const text = file('"sharing_veto": true, "sharing_veto": false')
    expect(briefs(read(text))).toEqual(['1:61 scenario-repeated-key `sharing_veto` is given twice: keep one'])
  })

  test('what is no scenario', () => {
    expect(briefs(read('[]'))).toEqual(['1:1 scenario-bad-value a scenario file must hold an object'])
    expect(briefs(read('{"policy": {}}'))[0]).toContain(
      'scenario-bad-schema `schema` must be "lab-planner.scenario.v1"',
    )
    expect(briefs(read('{'))[0]).toContain('json-')
    expect(briefs(read(''))[0]).toContain('json-syntax')
  })
})

test('a scenario says in a few words what it assumes', () => {
  expect(scenarioChanges(DEFAULT_SCENARIO)).toEqual([])
  expect(scenarioChanges(FULL).slice(-16)).toEqual([
    'pi-5 ruled out',
    '9.0 PB free on gpu-box',
    '64.0 GB of memory free on mac-mini',
    'hermes off',
    'archive-nas treated as offline',
    'planner pinned to mac-studio',
    'links of 2.5 Mbit/s',
    'coder with 65,536 tokens',
    'coder with K in q8_0',
    'coder with V in f16',
    'coder answering 4 at once',
    'coder with computed memory',
    'runtime.infer.mlx-lm, format.mlx on gpu-box',
    'model-a held by pc',
    'model-a redistributable',
    'KV budget exported',
  ])
})
