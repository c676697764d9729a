import { describe, expect, test } from 'vitest'
import type { Problem } from '../../../../shared/problem.ts'
import { readRoster } from '../../../../shared/roster/read-roster.ts'
import type { RosterEntry } from '../../../../shared/roster/types.ts'

function entriesOf(text: string): readonly RosterEntry[] {
  const read = readRoster(text, 'queue.yaml')
  expect(read.problems).toEqual([])
  return read.ok ? read.value.entries : []
}

/** The problems of `text` as `line:column code`. */
function problemsOf(text: string): string[] {
  return readRoster(text, 'queue.yaml').problems.map(at)
}

function at({ range, code }: Problem): string {
  return range ? `${range.start.line}:${range.start.column} ${code}` : code
}

describe('readRoster', () => {
  test('takes texts as they are written, whatever they would be as values', () => {
    const text = 'roster:\n- {id: 123, role: true, name: null, repo: ~, backend: 0x10, status: 1.50}\n'
    const [entry] = entriesOf(text)
    expect(entry).toMatchObject({
      id: '123',
      role: 'true',
      name: 'null',
      repo: '~',
      backend: '0x10',
      status: '1.50',
    })
  })

  test('reads ports that are integers written plain, and none for null', () => {
    const ports = ['8081', '0x1F91', '0o17621', '+80', '0', '65535', '~', 'Null', ''].map(
      (port) => entriesOf(`roster:\n- id: a\n  port: ${port}\n`)[0]?.port,
    )
    expect(ports).toEqual([8081, 8081, 8081, 80, 0, 65535, null, null, null])
  })

  test('reads ram_gb as numbers and as texts with tildes, in bytes', () => {
    const bytes = [
      '8.2',
      '~10',
      "'~~3'",
      '017',
      '0x10',
      '"5GB"',
      '-1',
      '4096',
      '4096.1',
      '[5]',
      '~ 5',
      '',
    ].map((ram) => entriesOf(`roster:\n- id: a\n  ram_gb: ${ram}\n`)[0]?.ramBytes)
    const GB = 1_000_000_000n
    expect(bytes).toEqual([
      8_199_999_999n,
      10n * GB,
      3n * GB,
      17n * GB,
      16n * GB,
      null,
      null,
      4096n * GB,
      null,
      null,
      null,
      null,
    ])
  })

  test('knows where entries and their fields stand, through aliases too', () => {
    const text = 'x: &p 8081\nroster:\n- id: a\n  port: *p\n- {id: b, repo: "r"}\n'
    const [a, b] = entriesOf(text)
    const shown = (span: { start: number; end: number } | undefined) => text.slice(span?.start, span?.end)
    expect(shown(a?.span)).toBe('id: a\n  port: *p')
    expect(shown(a?.fieldSpans.port)).toBe('*p')
    expect(shown(b?.span)).toBe('{id: b, repo: "r"}')
    expect(shown(b?.fieldSpans.repo)).toBe('"r"')
  })

  test('is empty for a text that says nothing, or that has no roster', () => {
    for (const text of ['', '# x\n', '---\n', 'other: 1\n', 'roster:\n', 'roster: []\n']) {
      expect(entriesOf(text)).toEqual([])
    }
  })

  test('collects every problem of the file, each with its place and the role it concerns', () => {
    const text = [
      'roster:',
      '- id: a',
      '  port: "8081"',
      '  role: [x]',
      '- role: y',
      '- id: b',
      '  id: c',
      '  ram_gb: 18446744073709551616',
      '- 5',
      '- id: d',
      '  port: 70000',
      '',
    ].join('\n')
    expect(problemsOf(text)).toEqual([
      '3:9 roster-bad-port',
      '4:9 roster-bad-text',
      '5:3 roster-missing-id',
      '6:3 roster-repeated-key',
      '8:11 roster-bad-ram',
      '9:3 roster-bad-entry',
      '11:9 roster-bad-port',
    ])
    const roles = readRoster(text, 'queue.yaml').problems.map(({ role }) => role)
    expect(roles).toEqual(['a', 'a', undefined, 'b', 'b', undefined, 'd'])
  })

  test('says what is wrong with a value and what to do', () => {
    const message = (text: string) => readRoster(text, 'queue.yaml').problems[0]?.message
    expect(message('roster:\n- id: a\n  port: "8081"\n')).toBe(
      '`port` of `a` must be an integer from 0 to 65535: write 8081 without quotes',
    )
    expect(message('roster:\n- id: a\n  port: 1e3\n')).toBe(
      '`port` of `a` must be an integer from 0 to 65535, not 1e3',
    )
    expect(message('roster:\n- id: a\n  repo: {b: c}\n')).toBe('`repo` of `a` must be a text, not a mapping')
    expect(message('roster: ~\n')).toBe('`roster` must be a list of entries, not ~')
    expect(message('- id: a\n')).toBe('the roster must be a mapping with a list under `roster`, not a list')
  })

  test.each([
    ['integers beyond 64 bits', '18446744073709551616', '3:11'],
    ['values that are not what their tag says', '!!int x', '3:11'],
    ['a key twice in a mapping', '{a: 1, a: 2}', '3:11'],
    ['equal keys of other types', '{1: a, 0x1: b}', '3:11'],
    ['mappings as equal keys in another order', '{{a: 1, b: 2}: x, {b: 2, a: 1}: y}', '3:11'],
  ])('refuses %s below ram_gb', (_, ram, place) => {
    expect(problemsOf(`roster:\n- id: a\n  ram_gb: ${ram}\n`)).toEqual([`${place} roster-bad-ram`])
  })

  test('follows collections below ram_gb as deep as the reference does', () => {
    const nested = (depth: number) => `roster:\n- id: a\n  ram_gb: ${'['.repeat(depth)}${']'.repeat(depth)}\n`
    expect(problemsOf(nested(125))).toEqual([])
    expect(problemsOf(nested(126))).toEqual(['3:136 roster-bad-ram'])
  })

  test('gives up on aliases that stand for more than can be read', () => {
    const levels = Array.from({ length: 12 }, (_, i) => {
      return `l${i + 1}: &l${i + 1} [${Array<string>(10).fill(`*l${i}`).join(', ')}]`
    })
    const text = ['l0: &l0 [x]', ...levels, 'roster:', '- id: a', '  ram_gb: *l12', ''].join('\n')
    expect(readRoster(text, 'queue.yaml').problems.map(({ code }) => code)).toEqual(['yaml-too-many-aliases'])
  })

  test('reports problems of other entries although one is not YAML', () => {
    const text = 'roster:\n- id: a\n  role "x"\n  port: x\n- id: b\n  port: y\n'
    expect(problemsOf(text)).toEqual(['3:3 roster-bad-yaml', '6:9 roster-bad-port'])
  })

  test('refuses more bytes than it may read before it parses any', () => {
    const fits = `#${'x'.repeat(1024 * 1024 - 1)}`
    expect(problemsOf(fits)).toEqual([])
    expect(problemsOf(`${fits}x`)).toEqual(['roster-too-large'])
    expect(problemsOf(`#${'é'.repeat(600_000)}[`)).toEqual(['roster-too-large'])
  })

  test('refuses more entries than it may list, at the first that is too many', () => {
    const listing = (count: number) => `roster:\n${'- id: a\n'.repeat(count)}`
    expect(entriesOf(listing(256))).toHaveLength(256)
    expect(problemsOf(listing(257))).toEqual(['258:3 roster-too-many-entries'])
  })
})
