import { readdirSync, readFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { factsExpiry } from '../../../../shared/node/node-facts.ts'
import { readNodeFacts } from '../../../../shared/node/read-node-facts.ts'
import { briefs, markedText, valueOf } from '../../../support/problems.ts'

const SAMPLE = new URL('../../../../examples/sample-lab/docs/models/nodes/', import.meta.url)

type Json = Record<string, unknown>

const facts = (changes: Json = {}): Json => ({
  version: 1,
  node_id: 'mac-1',
  issued_at: 1_790_000_000,
  ttl_secs: 86_400,
  seq: 7,
  capabilities: [],
  ...changes,
})
const capability = (changes: Json = {}): Json => ({ id: 'os.linux', provenance: 'probed', ...changes })
const read = (changes: Json): ReturnType<typeof readNodeFacts> =>
  readNodeFacts(JSON.stringify(facts(changes)), 'n.json')
const readCapability = (changes: Json): ReturnType<typeof readNodeFacts> =>
  read({ capabilities: [capability(changes)] })
const readAttr = (value: unknown): ReturnType<typeof readNodeFacts> => readCapability({ attrs: { a: value } })
const attrs = (count: number): Json =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`a${i}`, i]))

describe('readNodeFacts', () => {
  test.each(readdirSync(SAMPLE))('reads the sample node %s without a problem', (name) => {
    const outcome = readNodeFacts(readFileSync(new URL(name, SAMPLE), 'utf8'), name)
    expect(outcome.problems).toEqual([])
    expect(`${valueOf(outcome).nodeId}.json`).toBe(name)
  })

  test('reads every member, and the defaults of those left out', () => {
    const full = capability({
      id: 'store.tier.external',
      attrs: { free: 14e11, mounted: true, label: 'T7', tiers: ['a', 1, 0.5, false], count: 3 },
      provenance: 'measured',
      state: 'busy',
      exclusive: true,
    })
    const outcome = read({
      capabilities: [full, capability()],
      notes: [{ probe: 'gpu', note: 'none found' }],
    })
    expect(valueOf(outcome)).toEqual({
      nodeId: 'mac-1',
      issuedAt: 1_790_000_000,
      ttlSecs: 86_400,
      seq: 7,
      capabilities: [
        {
          id: 'store.tier.external',
          attrs: new Map<string, unknown>([
            ['free', 14e11],
            ['mounted', true],
            ['label', 'T7'],
            ['tiers', ['a', 1, 0.5, false]],
            ['count', 3],
          ]),
          provenance: 'measured',
          state: 'busy',
          exclusive: true,
        },
        { id: 'os.linux', attrs: new Map(), provenance: 'probed', state: 'available', exclusive: false },
      ],
      notes: [{ probe: 'gpu', note: 'none found' }],
    })
  })

  test('ignores keys it does not know: probes may tell more', () => {
    expect(read({ more: 1, capabilities: [capability({ more: 1 })] }).problems).toEqual([])
  })

  test.each<[string, Json]>([
    ['a node id of 1', { node_id: '-' }],
    ['a node id of 128', { node_id: 'aZ9-_.:'.padEnd(128, 'x') }],
    ['no capabilities', { capabilities: [] }],
    ['512 capabilities', { capabilities: Array(512).fill(capability()) }],
    ['the largest seq', { seq: 2 ** 53 - 1, issued_at: 0, ttl_secs: 0 }],
    ['an id of 2 parts', { capabilities: [capability({ id: 'a.b' })] }],
    ['an id of 8 parts', { capabilities: [capability({ id: '0.1_.b-.c.d.e.f.g' })] }],
    ['an id of 128 bytes', { capabilities: [capability({ id: `a.${'b'.repeat(126)}` })] }],
    ['an id that only begins like trust', { capabilities: [capability({ id: 'trusted.store' })] }],
    ['64 attributes', { capabilities: [capability({ attrs: attrs(64) })] }],
    ['a list of 256', { capabilities: [capability({ attrs: { a: Array(256).fill('x') } })] }],
    ['an empty list', { capabilities: [capability({ attrs: { a: [] } })] }],
    ['a text of 1024 bytes', { capabilities: [capability({ attrs: { a: 'é'.repeat(512) } })] }],
    ['a large integer', { capabilities: [capability({ attrs: { a: 2 ** 64 } })] }],
  ])('takes %s', (_, changes) => {
    expect(read(changes).problems).toEqual([])
  })

  const ID = 'a node id: 1 to 128 letters, digits and - _ . :'
  const CAPABILITY_ID =
    'a capability id: 2 to 8 parts of lower-case letters, digits, _ and - joined by dots, at most 128 bytes'
  const COUNT = 'an integer from 0 to 9007199254740991'
  test.each<[string, Json, string]>([
    ['version 2', { version: 2 }, 'version must be 1, the only version of node facts known here, not 2'],
    [
      'version "1"',
      { version: '1' },
      'version must be 1, the only version of node facts known here, not "1"',
    ],
    [
      'no version',
      { version: undefined },
      'version is missing: it must be 1, the only version of node facts known here',
    ],
    ['an empty node id', { node_id: '' }, `node_id must be ${ID}, not ""`],
    ['a node id of 129', { node_id: 'a'.repeat(129) }, `node_id must be ${ID}, not "${'a'.repeat(30)}…"`],
    ['a node id with a slash', { node_id: 'a/b' }, `node_id must be ${ID}, not "a/b"`],
    ['a node id with a line break', { node_id: 'a\n' }, `node_id must be ${ID}, not "a\\n"`],
    ['no node id', { node_id: undefined }, `node_id is missing: it must be ${ID}`],
    ['a negative time', { issued_at: -1 }, `issued_at must be ${COUNT}, not -1`],
    ['half a second', { ttl_secs: 0.5 }, `ttl_secs must be ${COUNT}, not 0.5`],
    ['a seq too large', { seq: 2 ** 53 }, `seq must be ${COUNT}, not 9007199254740992`],
    ['a seq in quotes', { seq: '7' }, `seq must be ${COUNT}, written without quotes, not "7"`],
    ['no capabilities', { capabilities: undefined }, 'capabilities is missing: it must be a list'],
    [
      '513 capabilities',
      { capabilities: Array(513).fill(capability()) },
      'capabilities must have at most 512 items, not 513',
    ],
    ['a capability that is null', { capabilities: [null] }, 'capabilities[0] must be an object, not null'],
    ['notes that are no list', { notes: {} }, 'notes must be a list, not an object'],
    ['a note that is a text', { notes: ['x'] }, 'notes[0] must be an object, not "x"'],
    ['a note without its probe', { notes: [{ note: 'x' }] }, 'notes[0].probe is missing: it must be a text'],
    ['a note that is no text', { notes: [{ probe: 'x', note: 1 }] }, 'notes[0].note must be a text, not 1'],
    ...['a', 'A.b', 'a.', '.a', 'a..b', 'a.-b', 'a._b', 'a.b c', 'é.b', '1.2.3.4.5.6.7.8.9'].map(
      (id): [string, Json, string] => [
        `the capability id ${id}`,
        { capabilities: [capability({ id })] },
        `capabilities[0].id must be ${CAPABILITY_ID}, not "${id}"`,
      ],
    ),
    [
      'a capability id of 129 bytes',
      one({ id: `a.${'b'.repeat(127)}` }),
      `capabilities[0].id must be ${CAPABILITY_ID}, not "a.${'b'.repeat(28)}…"`,
    ],
    [
      'a capability without id',
      one({ id: undefined }),
      `capabilities[0].id is missing: it must be ${CAPABILITY_ID}`,
    ],
    [
      'a trust capability',
      one({ id: 'trust.root' }),
      'capabilities[0].id is "trust.root": a node cannot vouch for itself, remove trust.* capabilities',
    ],
    [
      'no provenance',
      one({ provenance: undefined }),
      'capabilities[0].provenance is missing: it must be one of claimed, probed, measured',
    ],
    [
      'an unknown provenance',
      one({ provenance: 'guessed' }),
      'capabilities[0].provenance must be one of claimed, probed, measured, not "guessed"',
    ],
    [
      'an unknown state',
      one({ state: 'Available' }),
      'capabilities[0].state must be one of available, busy, reserved, degraded, not "Available"',
    ],
    [
      'a state that is null',
      one({ state: null }),
      'capabilities[0].state must be one of available, busy, reserved, degraded, not null',
    ],
    [
      'exclusive that is no flag',
      one({ exclusive: 0 }),
      'capabilities[0].exclusive must be true or false, not 0',
    ],
    ['attributes that are a list', one({ attrs: [] }), 'capabilities[0].attrs must be an object, not a list'],
    [
      '65 attributes',
      one({ attrs: attrs(65) }),
      'capabilities[0].attrs must have at most 64 members, not 65',
    ],
  ])('refuses %s', (_, changes, message) => {
    const outcome = read(changes)
    expect(outcome.ok).toBe(false)
    expect(outcome.problems.map((problem) => problem.message)).toEqual([message])
    expect(outcome.problems[0]?.range).not.toBeNull()
  })

  test.each(['Free', '1a', '_a', 'a-b', 'a.b', 'é', '', '__proto__'])(
    'refuses the attribute name %j',
    (name) => {
      const text = JSON.stringify(facts({ capabilities: [capability({ attrs: { key: 0 } })] })).replace(
        '"key"',
        JSON.stringify(name),
      )
      const outcome = readNodeFacts(text, 'n.json')
      expect(outcome.problems.map(({ code }) => code)).toEqual(['node-bad-attr-name'])
      expect(markedText(text, outcome)).toBe(JSON.stringify(name))
    },
  )

  const SCALAR = 'true, false, a finite number or a text of at most 1024 bytes'
  test.each<[string, unknown, string]>([
    ['null', null, `capabilities[0].attrs.a must be ${SCALAR}, or a list of those, not null`],
    ['an object', {}, `capabilities[0].attrs.a must be ${SCALAR}, or a list of those, not an object`],
    [
      'a text of 1025 bytes',
      `é${'x'.repeat(1023)}`,
      `capabilities[0].attrs.a must be ${SCALAR}, or a list of those, not "é${'x'.repeat(29)}…"`,
    ],
    ['257 items', Array(257).fill(0), 'capabilities[0].attrs.a must have at most 256 items, not 257'],
    ['a list in a list', [0, []], `capabilities[0].attrs.a[1] must be ${SCALAR}, not a list`],
    ['null in a list', [null], `capabilities[0].attrs.a[0] must be ${SCALAR}, not null`],
    [
      'a long text in a list',
      ['x'.repeat(1025)],
      `capabilities[0].attrs.a[0] must be ${SCALAR}, not "${'x'.repeat(30)}…"`,
    ],
  ])('refuses an attribute that is %s', (_, value, message) => {
    const outcome = readAttr(value)
    expect(outcome.ok).toBe(false)
    expect(outcome.problems.map((problem) => problem.message)).toEqual([message])
  })

  test('refuses a number that no float can hold', () => {
    const text = JSON.stringify(facts({ capabilities: [capability({ attrs: { a: 12345 } })] })).replace(
      '12345',
      '1e999',
    )
    const outcome = readNodeFacts(text, 'n.json')
    expect(outcome.ok).toBe(false)
    expect(markedText(text, outcome)).toBe('1e999')
  })

  test('refuses integers that are written as floats where an integer is required, and only there', () => {
    const text = `{
  "version": 1, "node_id": "n",
  "issued_at": 1.0, "ttl_secs": 1e3, "seq": -0,
  "capabilities": [{"id": "a.b", "provenance": "probed", "attrs": {"free": 2.0}}]
}`
    const how = 'must be written as an integer, without fraction, exponent or minus sign'
    expect(briefs(readNodeFacts(text, 'n.json'))).toEqual([
      `3:16 json-bad-value issued_at ${how}`,
      `3:33 json-bad-value ttl_secs ${how}`,
      `3:45 json-bad-value seq ${how}`,
    ])
    expect(briefs(readNodeFacts(text.replace('"version": 1', '"version": 1.0'), 'n.json'))[0]).toBe(
      `2:14 json-bad-value version ${how}`,
    )
  })

  test('reports every problem of a file with its place, repeated keys included', () => {
    const text = `{
  "version": 1,
  "node_id": "a b",
  "issued_at": 0, "ttl_secs": 0, "seq": 0, "seq": 1,
  "capabilities": [
    {"id": "trust.me", "provenance": "probed"},
    {"id": "a.b", "attrs": {"X": 1, "y": null}}
  ]
}`
    const outcome = readNodeFacts(text, 'n.json')
    expect(outcome.ok).toBe(false)
    expect(briefs(outcome).map((line) => line.split(' ').slice(0, 3).join(' '))).toEqual([
      '3:14 json-bad-value node_id',
      '4:44 json-repeated-key seq',
      '6:12 node-trust-capability capabilities[0].id',
      '7:5 json-missing-key capabilities[1].provenance',
      '7:29 node-bad-attr-name capabilities[1].attrs.X:',
      '7:42 json-bad-value capabilities[1].attrs.y',
    ])
  })

  test('never throws, whatever JSON stands in any place of it', () => {
    const aCapability = fc.dictionary(
      fc.constantFrom('id', 'attrs', 'provenance', 'state', 'exclusive'),
      fc.jsonValue(),
    )
    const some = fc.record({
      node_id: fc.oneof(fc.constant('n'), fc.jsonValue()),
      capabilities: fc.oneof(fc.array(fc.oneof(aCapability, fc.jsonValue())), fc.jsonValue()),
      notes: fc.jsonValue(),
      seq: fc.jsonValue(),
    })
    fc.assert(
      fc.property(some, (changes) => {
        const outcome = read(changes)
        expect(outcome.ok).toBe(outcome.problems.length === 0)
      }),
    )
  })
})

describe('factsExpiry', () => {
  test('is the issue time plus the time to live, in unix seconds', () => {
    expect(factsExpiry(valueOf(read({})))).toBe(1_790_086_400)
  })
})

function one(changes: Json): Json {
  return { capabilities: [capability(changes)] }
}

test.each(['mem.vram', 'mem.unified', 'store.tier.internal'])(
  'warns of a byte count of %s that is written as a text, at its place',
  (id) => {
    const text = `{"version": 1, "node_id": "a", "issued_at": 1, "ttl_secs": 1, "seq": 1, "capabilities": [
{"id": "${id}", "provenance": "probed", "attrs": {"free": "40000000000", "note": "5"}}]}`
    const read = readNodeFacts(text, 'a.json')
    expect(read.ok).toBe(true)
    expect(read.problems).toMatchObject([
      { severity: 'warning', code: 'node-bytes-as-text', range: { start: { line: 2 } } },
    ])
  },
)
