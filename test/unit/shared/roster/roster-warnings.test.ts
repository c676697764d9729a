import { describe, expect, test } from 'vitest'
import { readRoster } from '../../../../shared/roster/read-roster.ts'

/** The warnings of `text` as `line:column code`, with what they say. */
function warningsOf(text: string): string[] {
  const read = readRoster(text, 'queue.yaml')
  expect(read.problems).toEqual([])
  return (read.ok ? read.value.warnings : []).map(
    ({ range, code, message }) => `${range?.start.line ?? 0}:${range?.start.column ?? 0} ${code} ${message}`,
  )
}

describe('a roster that reads as nothing, or as less than is meant', () => {
  test.each(['Roster:\n- id: a\n', 'rooster:\n- id: a\n', 'rosters: []\n'])(
    'names the misspelt key of %j',
    (text) => {
      expect(warningsOf(text)).toEqual([
        expect.stringMatching(/^1:1 roster-no-list .*did you mean it instead of/),
      ])
    },
  )

  test("says that another program's file has no roster", () => {
    expect(warningsOf('models:\n  a:\n    cmd: x\n')[0]).toContain('another program')
  })

  test('says nothing of a file that is empty, or whose roster is', () => {
    for (const text of ['', '# c\n', 'roster: []\n', 'meta: 1\nroster:\n- id: a\n'])
      expect(warningsOf(text)).toEqual([])
  })

  test('points at the second of two entries with one id', () => {
    expect(warningsOf('roster:\n- id: a\n- id: b\n- id: a\n')).toEqual([
      expect.stringMatching(/^4:7 roster-repeated-id two entries have the id `a`/),
    ])
  })
})

test('a merge key and a key with a no-break space in it are said in entries that are read without them', () => {
  const read = readRoster(
    'x: &x {ram_gb: 1}\nroster:\n- {<<: *x, id: a}\n- {id: b, \u00a0name: N}\n',
    'queue.yaml',
  )
  const said = read.ok ? read.value.warnings.map(({ code, message }) => [code, message]) : []
  expect(said).toEqual([
    ['roster-unread-key', 'merge keys (`<<`) are not applied: write its fields out'],
    ['roster-unread-key', expect.stringContaining('this key is not `name`: it has a no-break space')],
  ])
})

describe('the likely cause of an error is named', () => {
  const first = (text: string) => readRoster(text, 'queue.yaml').problems[0]?.message

  test.each([
    ['a byte order mark', '\ufeffroster:\n- id: a\n  port: 1\n', 'begins with a byte order mark'],
    ['a merge key', 'x: &x {id: a}\nroster:\n- <<: *x\n  role: b\n', 'merge keys (`<<`) are not applied'],
    [
      'a no-break space behind a colon',
      'roster:\n- id: a\n  role:\u00a0x\n  port: 1\n',
      'no-break space (U+00A0)',
    ],
    ['a Windows path in double quotes', 'roster:\n- id: a\n  repo: "C:\\models\\q"\n', 'Windows path'],
    ['an id in capitals', 'roster:\n- ID: a\n', 'did you mean it instead of `ID`'],
  ])('%s', (_, text, said) => {
    expect(first(text)).toContain(said)
  })
})

test.each([
  ['a no-break space before the list', 'roster:\n\u00a0 - {id: a}\n', 'no-break space (U+00A0)'],
  [
    'no-break spaces before a key',
    'roster:\n- id: a\n\u00a0\u00a0backend: llamacpp\n',
    'no-break space (U+00A0)',
  ],
  ['a no-break space behind a colon', 'roster:\n- id:\u00a0a\n  port: 80\n', 'no-break space (U+00A0)'],
  ['an ideographic space behind a dash', 'roster:\n-\u3000id: a\n', 'no-break space (U+3000)'],
  ['a byte order mark further down', '# x\n\ufeffroster:\n- id: a\n', 'byte order mark (U+FEFF)'],
  ['an invisible mark before a key', 'roster:\n- \u200bid: a\n', 'invisible mark (U+200B)'],
])('%s is named as the cause', (_what, text, name) => {
  const read = readRoster(text, 'q')
  const problems = read.ok ? read.value.warnings : read.problems
  expect(problems.map(({ message }) => message).join('\n')).toContain(name)
})

test.each([
  'roster:\n- {id: a, name: "x:\u00a0y"}\n',
  'roster:\n- id: a # see:\u00a0there\n',
  'roster:\n- id: a\n  role: not\u00a0broken\n',
])('one that changes nothing is not: %j', (text) => {
  const read = readRoster(text, 'q')
  expect(read.ok && read.value.warnings).toEqual([])
})
