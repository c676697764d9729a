import { describe, expect, test } from 'vitest'
import { TextLines } from '../../../../shared/text-lines.ts'
import { parseYaml } from '../../../../shared/yaml/yaml-source.ts'
import { YamlReader } from '../../../../shared/yaml/reader.ts'
import type { YamlNode } from '../../../../shared/yaml/nodes.ts'

/** The faults of `text` as `line:column message`. */
function faultsOf(text: string): string[] {
  const lines = new TextLines(text)
  return parseYaml(text, 'column').faults.map(({ message, span }) => {
    const { line, column } = lines.placeAt(span.start)
    return `${line}:${column} ${message}`
  })
}

/** The texts of the scalars under the keys of `text`, which must be read without a fault. */
function scalarsOf(text: string): Record<string, string | undefined> {
  const source = parseYaml(text, 'column')
  expect(source.faults).toEqual([])
  const reader = new YamlReader(source)
  const entries = source.root ? (reader.entries(source.root) ?? []) : []
  return Object.fromEntries(
    entries.map(({ key, value }) => {
      const target = reader.follow(value)
      return [reader.scalar(key)?.text ?? '', target ? reader.scalar(target)?.text : undefined]
    }),
  )
}

describe('parseYaml takes what libyaml takes and YAML 1.2 does not', () => {
  test.each([
    ['a quoted text that goes on without indentation', 'a:\n  b: "x\ny"\n'],
    ['brackets that go on without indentation', 'a:\n  b: {c: 1,\nd: 2\n}\n'],
    ['a comment right behind quotes', 'a: "x"#c\n'],
    ['a comment right behind a block header', 'a: |#c\n  x\n'],
    ['an alias as a key with its colon right behind', 'a: &x k\n*x: 1\n'],
    ['an anchor that is defined again', 'a: &x 1\nb: &x 2\nc: *x\n'],
    ['a key twice', 'a: 1\na: 2\n'],
    ['unknown tags', 'a: !foo 1\nb: !!bar [2]\n'],
    ['a key of a flow mapping without a value', 'a: {b, c: 1}\n'],
    ['the end of the document marked twice', 'a: 1\n...\n...\n'],
    ['lists in lists to any depth', `a: ${'['.repeat(3000)}${']'.repeat(3000)}\n`],
    ['blocks in blocks to any depth', '- '.repeat(20_000)],
    ['keys of keys to any depth', '? '.repeat(20_000)],
  ])('%s', (_, text) => {
    expect(faultsOf(text)).toEqual([])
  })

  test('ends lines at CR, NEL, LS and PS as well', () => {
    expect(scalarsOf('a: 1\rb: 2\u0085c: 3\u2028d: 4\u2029e: 5\r\nf: 6')).toEqual({
      a: '1',
      b: '2',
      c: '3',
      d: '4',
      e: '5',
      f: '6',
    })
  })

  test('folds a NEL within quotes like any line break', () => {
    expect(scalarsOf('a: "x\u0085y"\n')).toEqual({ a: 'x y' })
  })

  test('keeps a last line of a block scalar without a line break as it is', () => {
    expect(scalarsOf('a: |\n  x')).toEqual({ a: 'x' })
    expect(scalarsOf('a: |\n  x\n')).toEqual({ a: 'x\n' })
  })
})

describe('parseYaml refuses what libyaml refuses, and says where', () => {
  test.each([
    ['a tab as indentation', 'a:\n\tb: 1\n', '2:1 a tab cannot indent in YAML: use spaces'],
    ['a tab below a plain text', 'a: x\n\ty\n', '2:1 a tab cannot indent in YAML: use spaces'],
    ['a control character, even in a comment', 'a: 1 # \u0007\n', '1:8 the character U+0007 is not allowed'],
    ['an unpaired surrogate', 'a: \ud83d\n', '1:4 the character U+D83D is not allowed'],
    ['a second document', 'a: 1\n---\nb: 2\n', '2:1 only one YAML document can be read'],
    ['a text behind the end of the document', 'a: 1\n...\nb\n', '3:1 only one YAML document can be read'],
    ['a version that is not known', '%YAML 1.3\n---\na: 1\n', '1:1 only YAML 1.1 and 1.2 can be read'],
    ['directives without ---', '%YAML 1.2\na: 1\n', '2:1 directives end with a line of ---'],
    ['a line that begins with %', 'a: 1\n%b: 2\n', '2:1 a line cannot begin with %'],
    ['a text that begins with @', 'a: @x\n', '1:4 a text cannot begin with @: put quotes around it'],
    ['a colon in a text', 'a: b: c\n', '1:4 a second `:` on one line: put quotes around the text'],
    [
      'a colon in a text over lines',
      'a: b\n  c: d\n',
      '2:4 a `:` with a space behind it cannot stand in a text',
    ],
    ['a line without a colon', 'a: 1\nb\nc: 2\n', '2:1 a `:` is missing after this key'],
    ['a key over two lines', '{a\n: b}\n', '2:1 there is no key before this `:` on its line'],
    ['a key too far from its colon', `"${'é'.repeat(600)}": 1\n`, '1:603 a `:` with a space behind it'],
    ['no key at all', ': x\n', '1:1 there is no key before this `:`'],
    ['an escape that is none', 'a: "\\q"\n', '1:5 \\q is no escape in double quotes'],
    ['half a surrogate pair', 'a: "\\ud83d"\n', '1:5 \\ud83d is no character'],
    ['quotes that never close', 'a: "x\n', '1:4 the double quote has no end: close it with "'],
    ['brackets that never close', 'a: [x\n', '2:1 ] is missing: close what was opened'],
    ['the wrong bracket', 'a: [x}\n', '1:6 } stands where ] must close first'],
    ['an anchor with a dot', 'a: &x.y 1\n', '1:4 the name of an anchor is letters, digits, - and _'],
    ['a tag handle that is not declared', 'a: !e!x 1\n', '1:4 the tag handle !e! is not declared'],
    ['an alias of nothing', 'a: *x\n', '1:4 `*x` refers to no anchor above it'],
    ['an alias before its anchor', 'a: *x\nb: &x 1\n', '1:4 `*x` refers to no anchor above it'],
    ['a block scalar indented by 0', 'a: |0\n  x\n', '1:4 a block scalar cannot be indented by 0'],
    ['a text beside the header of a block scalar', 'a: | x\n', '1:6 the text begins on the line below |'],
    ['keys in different columns', 'a:\n   b: 1\n  c: 2\n', '3:3 this line is indented unlike the others'],
    ['two values without a comma', 'a: ["x" "y"]\n', '1:9 a comma is missing between the entries'],
  ])('%s', (_, text, expected) => {
    expect(faultsOf(text)[0]?.slice(0, expected.length)).toBe(expected)
  })

  test.each([
    ['brackets', '[', 400_000],
    ['colons', 'a: ', 100_000],
    ['commas', '[,', 100_000],
    ['anchors', '&a ', 100_000],
    ['values side by side', '"a" ', 50_000],
    ['block scalars', '|\n', 100_000],
    ['control characters', '\0', 100_000],
    ['escapes', '"\\q', 50_000],
    ['indentations', 'a:\n  b: 1\n c: 2\n', 5_000],
  ])('gives up on a text of nothing but %s, after few faults', (_, piece, count) => {
    const { faults } = parseYaml(piece.repeat(count), 'column')
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.length).toBeLessThan(300)
  })

  test('reads on behind what it can mend, and reports every fault in the order of the text', () => {
    expect(faultsOf('a: @x\nb: "\\q"\nc: *u\n\td: 1\n').map((fault) => fault.slice(0, 3))).toEqual([
      '1:4',
      '2:5',
      '3:4',
      '4:1',
    ])
  })

  test('reports one structural fault a line', () => {
    const faults = faultsOf('a:\n   b: 1\n  c: 2 "x" y [\n')
    expect(new Set(faults.map((fault) => fault.split(':')[0])).size).toBe(faults.length)
  })
})

describe('what parseYaml answers', () => {
  test('has no root for a text that says nothing, but one for an empty document', () => {
    for (const text of ['', ' \n\n', '# x\n', '\ufeff']) expect(parseYaml(text, 'column').root).toBeNull()
    expect(parseYaml('---\n', 'column').root).not.toBeNull()
  })

  test('counts a byte order mark as a column of the first line only when asked to', () => {
    const text = '\ufeffa:\n  b: 1\nc: 2\n'
    expect(parseYaml(text, 'skip').faults).toEqual([])
    expect(parseYaml(text, 'column').faults).not.toEqual([])
  })

  test('gives nodes the offsets of the text itself', () => {
    const text = 'a: 1\r\n"b": [x, {c: \u{1F600}d}]\rlast: |\n  block\n'
    const source = parseYaml(text, 'column')
    const seen: string[] = []
    const visit = (node: YamlNode | null): void => {
      if (node?.kind === 'scalar') seen.push(text.slice(node.start, node.end))
      else if (node?.kind === 'list') node.items.forEach(visit)
      else if (node?.kind === 'mapping')
        for (const { key, value } of node.entries) [key, value].forEach(visit)
    }
    visit(source.root)
    expect(seen).toEqual(['a', '1', '"b"', 'x', 'c', '\u{1F600}d', 'last', '|\n  block'])
  })

  test('places values at their tag or anchor, and missing values behind the colon', () => {
    const text = 'a: &x 1\nb: !t 2\nc:\nd: {e}\n'
    const source = parseYaml(text, 'column')
    const reader = new YamlReader(source)
    const { root } = source
    const starts = root?.kind === 'mapping' ? root.entries.map(({ value }) => reader.spanOf(value).start) : []
    expect(starts).toEqual([
      text.indexOf('&x'),
      text.indexOf('!t'),
      text.indexOf('c:') + 2,
      text.indexOf('{'),
    ])
  })

  test('reports how much of the text each fault spoils', () => {
    const text = 'a: @x\nb c\nd: [\n'
    expect(parseYaml(text, 'column').faults.map(({ spoils }) => spoils)).toEqual(['token', 'nearby', 'rest'])
  })
})
