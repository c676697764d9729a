import { describe, expect, test } from 'vitest'
import { parseOverlay } from '../../../../shared/overlay/parse-overlay.ts'
import { EMPTY_OVERLAY, type OverlayDocument } from '../../../../shared/overlay/types.ts'

function documentOf(text: string): OverlayDocument {
  const read = parseOverlay(text)
  expect(read.problems).toEqual([])
  if (!read.ok) throw new Error('not read')
  return read.value
}

/** The problems of `text` as `line:column code`. */
function problemsOf(text: string): string[] {
  return parseOverlay(text).problems.map(({ range, code }) => {
    return `${range?.start.line ?? 0}:${range?.start.column ?? 0} ${code}`
  })
}

describe('parseOverlay', () => {
  test('takes a text that says nothing for the default overlay', () => {
    for (const text of ['', '\n', '# only a comment\n', '---\n', '{}', '\ufeff']) {
      expect(documentOf(text).overlay).toEqual(EMPTY_OVERLAY)
    }
  })

  test('reads the three keys, roles and excludes as they are written', () => {
    const { overlay } = documentOf(
      'excludes:\n  123: [role:b, true, ~]\n  ~:\n  - c\n  d:\nlatency_class: {a: batch, "b": \'interactive\'}\nsticky:\n  a: False\n  b: TRUE\n',
    )
    expect([...overlay.excludes]).toEqual([
      ['123', ['role:b', 'true', '~']],
      ['~', ['c']],
      ['d', []],
    ])
    expect([...overlay.latencyClass]).toEqual([
      ['a', 'batch'],
      ['b', 'interactive'],
    ])
    expect([...overlay.sticky]).toEqual([
      ['a', false],
      ['b', true],
    ])
  })

  test('lets the last of a repeated role count', () => {
    const { overlay } = documentOf('sticky:\n  a: false\n  b: true\n  a: true\n')
    expect(overlay.sticky.get('a')).toBe(true)
  })

  test('takes a section that is left empty for no roles', () => {
    expect(documentOf('excludes:\nsticky:\n').overlay).toEqual(EMPTY_OVERLAY)
  })

  test('reads latency classes from tags, and values through aliases', () => {
    const { overlay } = documentOf(
      'latency_class:\n  a: !interactive\n  b: &l batch\n  c: *l\nexcludes:\n  a: &x [b]\n  b: *x\n',
    )
    expect([...overlay.latencyClass.values()]).toEqual(['interactive', 'batch', 'batch'])
    expect([...overlay.excludes.values()]).toEqual([['b'], ['b']])
  })

  test('reads a text with a byte order mark and CRLF', () => {
    const { overlay, mentions } = documentOf('\ufeffsticky:\r\n  a: false\r\n excludes: {}\r\n')
    expect([...overlay.sticky]).toEqual([['a', false]])
    expect(mentions.map(({ span }) => span)).toEqual([{ start: 12, end: 13 }])
  })

  test('knows where every role and every exclude stands', () => {
    const text = 'excludes:\n  a: [b, "role:c"]\nlatency_class:\n  a: batch\nsticky: {"d": true}\n'
    const shown = documentOf(text).mentions.map(({ key, role, exclude, span }) => [
      key,
      role,
      exclude,
      text.slice(span.start, span.end),
    ])
    expect(shown).toEqual([
      ['excludes', 'a', null, 'a'],
      ['excludes', 'a', 'b', 'b'],
      ['excludes', 'a', 'role:c', '"role:c"'],
      ['latency_class', 'a', null, 'a'],
      ['sticky', 'd', null, '"d"'],
    ])
  })

  test('collects every problem of the text with its place', () => {
    const text = [
      'excludes:',
      '  a: b',
      '  c: [d, [e]]',
      'bogus: 1',
      'latency_class:',
      '  a: fast',
      '  b: Interactive',
      '  c: ~',
      'sticky:',
      '  a: yes',
      "  b: 'true'",
      '  [c]: true',
      'excludes: {}',
      '',
    ].join('\n')
    expect(problemsOf(text)).toEqual([
      '2:6 overlay-bad-value',
      '3:10 overlay-bad-value',
      '4:1 overlay-unknown-key',
      '6:6 overlay-bad-value',
      '7:6 overlay-bad-value',
      '8:6 overlay-bad-value',
      '10:6 overlay-bad-value',
      '11:6 overlay-bad-value',
      '12:3 overlay-bad-role',
      '1:1 overlay-repeated-key',
    ])
  })

  test.each([
    ['~', '1:1 overlay-not-a-mapping'],
    ['- a\n', '1:1 overlay-not-a-mapping'],
    ['excludes: ~\n', '1:11 overlay-bad-value'],
    ['sticky: []\n', '1:9 overlay-bad-value'],
    ['latency_class:\n  a: !fast\n', '2:3 overlay-bad-value'],
    ['latency_class:\n  a: !batch x\n', '2:6 overlay-bad-value'],
    ['sticky: {a}\n', '1:11 overlay-bad-value'],
    ['[a]: 1\n', '1:1 overlay-unknown-key'],
    ['sticky:\n  a: *b\n', '2:6 overlay-bad-yaml'],
    ['sticky: {a: true\n', '2:1 overlay-bad-yaml'],
    ['sticky: {}\n---\nsticky: {}\n', '2:1 overlay-bad-yaml'],
  ])('refuses %j at its place', (text, expected) => {
    expect(problemsOf(text)).toEqual([expected])
  })

  test('says what is wrong and what can stand there instead', () => {
    const first = (text: string) => parseOverlay(text, 'my.yaml').problems[0]
    expect(first('stiky: {}\n')).toMatchObject({
      message: 'stiky is no key of an overlay: it can have `excludes`, `latency_class` and `sticky`',
      file: 'my.yaml',
      severity: 'error',
    })
    expect(first('latency_class:\n  a: fast\n')).toMatchObject({
      message: 'the latency class of `a` must be `interactive` or `batch`, not fast',
      role: 'a',
    })
    expect(first('sticky:\n  a: "true"\n')?.message).toBe(
      '`sticky` of `a` must be a bare true or false, not "true"',
    )
  })
})
