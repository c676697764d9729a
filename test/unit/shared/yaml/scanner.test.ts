import { describe, expect, test } from 'vitest'
import type { ScanFault } from '../../../../shared/yaml/scan-fault.ts'
import { Scanner } from '../../../../shared/yaml/scanner.ts'

/** The tokens of `text` up to its end, each as its kind and what stands there, and the faults. */
function scan(text: string): { tokens: string[]; faults: ScanFault[]; comments: string[] } {
  const faults: ScanFault[] = []
  const scanner = new Scanner(text, 'column', (found) => {
    faults.push(found)
    return found.spoils === 'rest'
  })
  const tokens: string[] = []
  for (let token = scanner.peek(); token.kind !== 'text-end'; token = scanner.peek()) {
    tokens.push(`${token.kind} ${text.slice(token.start, token.end)}`.trim())
    scanner.take()
  }
  return { tokens, faults, comments: scanner.comments.map(({ start, end }) => text.slice(start, end)) }
}

describe('Scanner', () => {
  test('makes a key of a text only when it has read the colon behind it', () => {
    expect(scan('a: b').tokens).toEqual([
      'block-mapping',
      'key',
      'scalar a',
      'value :',
      'scalar b',
      'block-end',
    ])
  })

  test('puts a key before its anchor and tag', () => {
    expect(scan('&x !t a: 1').tokens.slice(0, 5)).toEqual([
      'block-mapping',
      'key',
      'anchor &x',
      'tag !t',
      'scalar a',
    ])
  })

  test('makes a key of brackets on one line, and of none over two', () => {
    expect(scan('[a, b]: c').tokens.slice(0, 3)).toEqual(['block-mapping', 'key', 'flow-list ['])
    expect(scan('[a,\nb]: c').faults[0]?.message).toContain('cannot stand in a text')
  })

  test('begins no list for dashes at the column of their key', () => {
    expect(scan('a:\n- b\n- c').tokens).toEqual([
      'block-mapping',
      'key',
      'scalar a',
      'value :',
      'dash -',
      'scalar b',
      'dash -',
      'scalar c',
      'block-end',
    ])
  })

  test('ends blocks where the indentation does', () => {
    expect(scan('a:\n  b:\n    c: 1\nd: 2').tokens.filter((token) => token === 'block-end')).toHaveLength(3)
  })

  test('keeps comments, behind the header of a block scalar too', () => {
    expect(scan('# a\nb: | # c\n  # text\nd: 1 # e').comments).toEqual(['# a', '# c', '# e'])
  })

  test('reports a key that needs a colon and has none where the key stands', () => {
    expect(scan('a: 1\nb\nc: 2').faults.map(({ at, spoils }) => [at, spoils])).toEqual([[5, 'nearby']])
  })

  test('hands out nothing more once it is stopped', () => {
    const scanner = new Scanner('a b c\n---\n', 'column', () => true)
    scanner.stop()
    expect(scanner.peek().kind).toBe('text-end')
  })
})
