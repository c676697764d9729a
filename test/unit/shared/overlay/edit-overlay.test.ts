import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { editOverlay, type OverlayEdit } from '../../../../shared/overlay/edit-overlay.ts'

const SAMPLE = readFileSync(
  new URL('../../../../examples/sample-lab/docs/models/overlay.yaml', import.meta.url),
  'utf8',
)

const interactive = (role: string): OverlayEdit => ({
  kind: 'set_latency_class',
  role,
  latencyClass: 'interactive',
})
const batch = (role: string): OverlayEdit => ({ kind: 'set_latency_class', role, latencyClass: 'batch' })
const noLatency = (role: string): OverlayEdit => ({ kind: 'unset_latency_class', role })
const sticky = (role: string, value = true): OverlayEdit => ({ kind: 'set_sticky', role, sticky: value })
const noSticky = (role: string): OverlayEdit => ({ kind: 'unset_sticky', role })
const exclude = (role: string, other: string): OverlayEdit => ({ kind: 'add_exclude', role, exclude: other })
const include = (role: string, other: string): OverlayEdit => ({
  kind: 'remove_exclude',
  role,
  exclude: other,
})

function after(text: string, ...edits: readonly OverlayEdit[]): string {
  return edits.reduce((current, edit) => {
    const outcome = editOverlay(current, edit)
    if (!outcome.ok) throw new Error(outcome.reason)
    return outcome.text
  }, text)
}

function reason(text: string, edit: OverlayEdit): string {
  const outcome = editOverlay(text, edit)
  if (outcome.ok) throw new Error(`edited to ${JSON.stringify(outcome.text)}`)
  return outcome.reason
}

describe('editOverlay, on the overlay of the sample lab', () => {
  test('changes a value in its place', () => {
    expect(after(SAMPLE, sticky('swarm-micro'))).toBe(
      SAMPLE.replace('swarm-micro: false', 'swarm-micro: true'),
    )
  })

  test('adds a latency class to its section, in front of the blank line', () => {
    const line = '  coder-small: interactive\n'
    expect(after(SAMPLE, batch('voice-llm'))).toBe(SAMPLE.replace(line, `${line}  voice-llm: batch\n`))
  })

  test('adds to a list on one line, quoted as that list is, and keeps the comment beside it', () => {
    expect(after(SAMPLE, exclude('planner', 'hermes'))).toBe(
      SAMPLE.replace('["role:coder-daily"]   #', '["role:coder-daily", "hermes"]   #'),
    )
  })

  test('adds to a list of dashes, and a new role as a list of dashes below one', () => {
    const line = '    - role:planner\n'
    expect(after(SAMPLE, exclude('hermes', 'x'))).toBe(SAMPLE.replace(line, `${line}    - x\n`))
    expect(after(SAMPLE, exclude('x', 'role:hermes'))).toBe(
      SAMPLE.replace(line, `${line}  x:\n    - role:hermes\n`),
    )
  })

  test('removes a role with its last exclude and the comment beside it', () => {
    const line = '  planner: ["role:coder-daily"]   # both want ~55 GB of the unified pool\n'
    expect(after(SAMPLE, include('planner', 'coder-daily'))).toBe(SAMPLE.replace(line, ''))
  })

  test('leaves an emptied section in braces where its comment would seem to speak of the next one', () => {
    expect(after(SAMPLE, noLatency('coder-small'))).toBe(
      SAMPLE.replace('latency_class:\n  coder-small: interactive\n', 'latency_class: {}\n'),
    )
  })

  test('removes an emptied section at the end, and puts it back below its comment', () => {
    const without = SAMPLE.replace('sticky:\n  swarm-micro: false\n', '')
    expect(after(SAMPLE, noSticky('swarm-micro'))).toBe(without)
    expect(after(without, sticky('swarm-micro', false))).toBe(SAMPLE)
  })
})

describe('editOverlay, on a text without the section', () => {
  const added = 'sticky:\n  a: true'

  test.each([
    ['an empty text', '', `${added}\n`],
    ['a byte order mark', '\uFEFF', `\uFEFF${added}\n`],
    ['comments only', '# a\n\n# b\n', `# a\n\n# b\n${added}\n`],
    ['no final line break', '# a', `# a\n${added}`],
    ['CRLF', '# a\r\n# b', '# a\r\n# b\r\nsticky:\r\n  a: true'],
    [
      'other sections',
      'latency_class:\n    b: batch\n',
      'latency_class:\n    b: batch\nsticky:\n    a: true\n',
    ],
    ['an indented mapping', '  latency_class: {}\n', '  latency_class: {}\n  sticky:\n    a: true\n'],
    ['comments at the end', 'excludes: {}\n  # c\n# d\n', `excludes: {}\n  # c\n# d\n${added}\n`],
    ['document markers', '---\n# a\n...\n# b\n', `---\n# a\n${added}\n...\n# b\n`],
    ['a directive', '%YAML 1.2\n--- # a\n', `%YAML 1.2\n--- # a\n${added}\n`],
    ['an empty flow mapping', '{}\n', '{sticky: {a: true}}\n'],
    ['a flow mapping', '{excludes: {b: [c]}, }', '{excludes: {b: [c]}, sticky: {a: true}, }'],
  ])('adds it to %s, and takes it out again', (_, text, expected) => {
    expect(after(text, sticky('a'))).toBe(expected)
    expect(after(expected, noSticky('a'))).toBe(text)
  })
})

describe('editOverlay, adding excludes and taking them out again', () => {
  test.each([
    ['empty braces', 'excludes: {}\n', 'excludes: {a: [x]}\n'],
    ['empty wide braces', 'excludes: { } # c\n', 'excludes: { a: [x] } # c\n'],
    ['empty braces over lines', 'excludes: { # c\n  }\n', 'excludes: {a: [x] # c\n  }\n'],
    ['braces', 'excludes: {b: [c]}\n', 'excludes: {b: [c], a: [x]}\n'],
    [
      'braces over lines',
      'excludes: {\n  b: [c] # d\n  # e\n  }\n',
      'excludes: {\n  b: [c], # d\n  a: [x]\n  # e\n  }\n',
    ],
    [
      'braces with a last comma',
      'excludes: {\n  b: [c], # d\n  }\n',
      'excludes: {\n  b: [c], # d\n  a: [x],\n  }\n',
    ],
    ['a list', 'excludes:\n  a: [b]  # why\n', 'excludes:\n  a: [b, x]  # why\n'],
    ['a wide list with a last comma', 'excludes:\n  a: [ b, ]\n', 'excludes:\n  a: [ b, x, ]\n'],
    [
      'a list over lines',
      'excludes:\n  a: [\n    b # c\n    ]',
      'excludes:\n  a: [\n    b, # c\n    x\n    ]',
    ],
    [
      'commas in front',
      'excludes:\n  a: [\n    b\n    , c\n    ]',
      'excludes:\n  a: [\n    b\n    , c, x\n    ]',
    ],
    ['dashes', 'excludes:\n  a:\n  -   b # c\n\n# d', 'excludes:\n  a:\n  -   b # c\n  -   x\n\n# d'],
    ['dashes at the end', "excludes:\r\n  a:\r\n    - 'b'", "excludes:\r\n  a:\r\n    - 'b'\r\n    - 'x'"],
    ['a quoted key', 'excludes:\n  "a": ["b"]\n', 'excludes:\n  "a": ["b", "x"]\n'],
    [
      'a block scalar',
      'excludes:\n  a:\n    - |-\n      b\n',
      'excludes:\n  a:\n    - |-\n      b\n    - x\n',
    ],
  ])('does so in %s', (_, text, expected) => {
    expect(after(text, exclude('a', 'x'))).toBe(expected)
    expect(after(expected, include('a', 'x'))).toBe(text)
  })

  test('takes both spellings for the same role', () => {
    const text = 'excludes:\n  a: [role:x, b, x]\n'
    expect(after(text, exclude('a', 'x'))).toBe(text)
    expect(after(text, include('a', 'role:x'))).toBe('excludes:\n  a: [b]\n')
    expect(after(text, include('a', 'c'))).toBe(text)
  })

  test('fills a list and a section that are empty', () => {
    expect(after('excludes:\n  a: # c\n', exclude('a', 'x'))).toBe('excludes:\n  a: [x] # c\n')
    expect(after('excludes:\n  a: []\n', exclude('a', 'x'))).toBe('excludes:\n  a: [x]\n')
    expect(after('excludes: # c\n  # d\n', exclude('a', 'x'))).toBe('excludes: # c\n  a: [x]\n  # d\n')
    expect(after('{excludes}', exclude('a', 'x'))).toBe('{excludes: {a: [x]}}')
  })

  test('writes names that need quotes in quotes', () => {
    expect(after('', exclude('null', '1'), exclude('a: b', '#x'), exclude('role:x', 'true'))).toBe(
      'excludes:\n  "null": ["1"]\n  "a: b": ["#x"]\n  "role:x": ["true"]\n',
    )
    expect(after('', exclude('role:x', 'role:y'))).toBe('excludes:\n  role:x: [role:y]\n')
  })
})

describe('editOverlay, removing', () => {
  test('keeps comments on lines of their own, within the removed entry too', () => {
    const text = 'excludes:\n  # 1\n  a: # 2\n    # 3\n    - x # 4\n    # 5\n  b: [c] # 6\n'
    expect(after(text, include('a', 'x'))).toBe('excludes:\n  # 1\n    # 3\n    # 5\n  b: [c] # 6\n')
  })

  test('keeps them at the end of a text without a final line break', () => {
    const text = 'excludes:\n  b: [c]\n  a:\n    # 1\n    - x'
    expect(after(text, include('a', 'x'))).toBe('excludes:\n  b: [c]\n    # 1')
  })

  test('keeps a comment on a line that others share', () => {
    const text = 'excludes:\n  a: [x, y, # 1\n    z] # 2\n'
    expect(after(text, include('a', 'y'))).toBe('excludes:\n  a: [x, # 1\n    z] # 2\n')
    expect(after(text, include('a', 'z'))).toBe('excludes:\n  a: [x, y # 1\n    ] # 2\n')
  })

  test('removes the comma that goes with an item', () => {
    expect(after('sticky: {a: true, b: true, c: true}', noSticky('a'))).toBe('sticky: {b: true, c: true}')
    expect(after('sticky: {a: true, b: true, c: true}', noSticky('b'))).toBe('sticky: {a: true, c: true}')
    expect(after('sticky: {a: true, b: true, c: true}', noSticky('c'))).toBe('sticky: {a: true, b: true}')
    expect(after('sticky: {a: true}', noSticky('a'))).toBe('sticky: {}')
    expect(after('sticky: {\n  a: true, # 1\n  b: true # 2\n  }', noSticky('b'))).toBe(
      'sticky: {\n  a: true # 1\n  }',
    )
  })

  test('leaves a section in braces that comments stand beside or in', () => {
    expect(after('sticky: # 1\n  a: true # 2\n', noSticky('a'))).toBe('sticky: {} # 1\n')
    expect(after('sticky:\n  # 1\n  a: true\n', noSticky('a'))).toBe('sticky: {}\n  # 1\n')
    expect(after('sticky:\n  a: true\n\n  # 1\n', noSticky('a'))).toBe('sticky: {}\n\n  # 1\n')
    expect(after('{sticky: { # 1\n  a: true}}', noSticky('a'))).toBe('{sticky: { # 1\n  }}')
  })

  test('removes an emptied section where its comments are not in it', () => {
    expect(after('# 1\n\nsticky:\n  a: true # 2\n\n# 3\nexcludes: {}\n', noSticky('a'))).toBe(
      '# 1\n\n\n# 3\nexcludes: {}\n',
    )
  })

  test('leaves the braces where the document would be refused without the section', () => {
    expect(after('sticky:\n  a: true\n...\n', noSticky('a'))).toBe('sticky: {}\n...\n')
  })

  test('removes every entry of a role that is given twice, and sets the one that counts', () => {
    const text = 'sticky:\n  a: true # 1\n  b: true\n  a: false\n'
    expect(after(text, noSticky('a'))).toBe('sticky:\n  b: true\n')
    expect(after(text, sticky('a'))).toBe(text.replace('false', 'true'))
  })
})

describe('editOverlay, setting', () => {
  test('keeps the quotes of a value, and comments beside it', () => {
    expect(after("latency_class: {a: 'batch'} # c\n", interactive('a'))).toBe(
      "latency_class: {a: 'interactive'} # c\n",
    )
    expect(after('latency_class:\n  a: "batch"   # c\n', interactive('a'))).toBe(
      'latency_class:\n  a: "interactive"   # c\n',
    )
  })

  test('replaces a value over lines', () => {
    expect(after('latency_class:\n  a:\n    |-\n    batch\n\n# c\n', interactive('a'))).toBe(
      'latency_class:\n  a:\n    interactive\n\n# c\n',
    )
  })

  test('is nothing to do when the overlay says so already, however it is written', () => {
    for (const text of ['sticky:\n  a: True\n', 'sticky: {a: TRUE}', 'sticky:\n  b: &b true\n  a: *b']) {
      expect(editOverlay(text, sticky('a'))).toMatchObject({ ok: true, text, changed: null })
    }
  })

  test('reports where the new text changed', () => {
    const outcome = editOverlay('sticky:\n  a: true\n  b: true\n', sticky('a', false))
    expect(outcome).toMatchObject({
      ok: true,
      text: 'sticky:\n  a: false\n  b: true\n',
      changed: { start: 13, end: 18 },
    })
    const removed = editOverlay('excludes:\n  a: [x, b, role:x, c]\n', include('a', 'x'))
    expect(removed).toMatchObject({
      ok: true,
      text: 'excludes:\n  a: [b, c]\n',
      changed: { start: 16, end: 19 },
    })
  })
})

describe('editOverlay, beside what is left to a person', () => {
  test.each([
    ['an alias', 'excludes:\n  a: &both [v, w]\n  b: *both\n', '`&both`', 2],
    ['an alias of another section', 'sticky: &none {}\nexcludes: *none\n', '`*none`', 2],
    ['a tag', 'sticky: {}\nexcludes:\n  a: !!seq [b]\n', 'a tag', 3],
    ['a `?` key', 'excludes:\n  ? a\n  : [b]\n', '`?` key', 2],
    ['a `?` before the section', '? excludes\n: a: [b]\n', '`?` key', 1],
  ])('refuses to change a section with %s, with its place', (_, text, word, line) => {
    for (const edit of [exclude('a', 'x'), exclude('z', 'x')]) {
      const outcome = editOverlay(text, edit, 'lab.yaml')
      expect(outcome.ok ? '' : outcome.reason).toContain('edit the text by hand')
      expect(outcome.ok ? '' : outcome.reason).toContain(word)
      expect(outcome.ok ? [] : outcome.problems).toMatchObject([
        { code: 'overlay-edit-refused', file: 'lab.yaml', role: edit.role, range: { start: { line } } },
      ])
    }
  })

  test('makes edits in the other sections', () => {
    const text = 'excludes:\n  a: &both [v, w]\n  b: *both\n'
    expect(after(text, sticky('a'))).toBe(`${text}sticky:\n  a: true\n`)
  })
})

describe('editOverlay, on a text that is no overlay', () => {
  test.each([
    ['that is not YAML', 'sticky: {a: true\n', 'sticky'],
    ['with a key that an overlay does not have', 'stickey: {}\n', 'stickey'],
    ['with a section that is no mapping', 'sticky: ~\n', 'sticky'],
    ['with a value that is none', 'sticky:\n  a: "true"\n', 'sticky'],
  ])('refuses to edit one %s, with the reason and its place', (_, text, word) => {
    const outcome = editOverlay(text, sticky('a'), 'lab.yaml')
    expect(outcome.ok).toBe(false)
    if (outcome.ok) return
    expect(outcome.reason).toMatch(/cannot be edited until its errors are fixed: .*\(line \d+\)/)
    expect(outcome.problems.length).toBeGreaterThan(0)
    expect(outcome.problems.every(({ file }) => file === 'lab.yaml')).toBe(true)
    expect(JSON.stringify(outcome.problems) + text).toContain(word)
  })

  test('refuses an edit that would lose a comment', () => {
    expect(reason('latency_class:\n  a: |- # why\n    batch\n', interactive('a'))).toContain(
      'edit the text by hand',
    )
  })
})
