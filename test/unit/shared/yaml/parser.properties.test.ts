import fc from 'fast-check'
import { parse } from 'yaml'
import { describe, expect, test } from 'vitest'
import type { YamlNode } from '../../../../shared/yaml/nodes.ts'
import { parseYaml } from '../../../../shared/yaml/yaml-source.ts'

/** What a text says: texts, lists, and mappings as pairs in the order of the text. */
type Value = string | readonly Value[] | { readonly pairs: readonly (readonly [string, Value])[] }

const word = fc.string({ unit: fc.constantFrom(...Array.from('abz09_.éß😀')), minLength: 1, maxLength: 6 })
const spoken = fc.array(word, { minLength: 1, maxLength: 4 }).map((words) => words.join(' '))
const any = fc.string({
  unit: fc.constantFrom(...Array.from('aZ09 .:-#\'"\\~é😀\t[]{},&*!|>%@')),
  maxLength: 10,
})
const text = fc.oneof(spoken, any)

const { value } = fc.letrec<{ value: Value; list: Value; mapping: Value }>((tie) => ({
  value: fc.oneof({ maxDepth: 3 }, text, tie('list'), tie('mapping')),
  list: fc.array(tie('value'), { maxLength: 4 }),
  mapping: fc
    .uniqueArray(fc.tuple(word, tie('value')), { maxLength: 4, selector: ([key]) => key })
    .map((pairs) => ({ pairs })),
}))

/** Turns of a coin or a die, by which the writer chooses among the ways to write a value. */
type Choose = (ways: number) => number

/** Writes `written` in one of the ways that YAML has. */
function write(written: Value, indent: string, inFlow: boolean, choose: Choose): string {
  if (typeof written === 'string') return writeText(written, indent, inFlow, choose)
  const isList = Array.isArray(written)
  const size = isList ? written.length : (written as { pairs: readonly unknown[] }).pairs.length
  if (inFlow || size === 0 || choose(3) === 0) return ` ${writeFlow(written, indent, choose)}`
  const inner = `${indent}${' '.repeat(1 + choose(3))}`
  if (isList) return written.map((item: Value) => `\n${inner}-${write(item, inner, false, choose)}`).join('')
  return (written as { pairs: readonly (readonly [string, Value])[] }).pairs
    .map(([key, item]) =>
      choose(6) === 0
        ? `\n${inner}? ${writeKey(key, choose)}\n${inner}:${write(item, inner, false, choose)}`
        : `\n${inner}${writeKey(key, choose)}:${write(item, inner, false, choose)}`,
    )
    .join('')
}

function writeFlow(written: Value, indent: string, choose: Choose): string {
  if (typeof written === 'string') return writeText(written, indent, true, choose).trimStart()
  const comma = [', ', ' ,', `,\n${indent} `, `, # c\n${indent}  `][choose(4)] ?? ', '
  const inner = `${indent} `
  if (Array.isArray(written))
    return `[${written.map((item: Value) => writeFlow(item, inner, choose)).join(comma)}]`
  return `{${(written as { pairs: readonly (readonly [string, Value])[] }).pairs
    .map(([key, item]) => `${writeKey(key, choose)}: ${writeFlow(item, inner, choose)}`)
    .join(comma)}}`
}

function writeKey(key: string, choose: Choose): string {
  return [key, `"${key}"`, `'${key}'`][choose(3)] ?? key
}

function writeText(written: string, indent: string, inFlow: boolean, choose: Choose): string {
  const isSpoken = /^[\p{L}0-9_.😀][\p{L}0-9_. 😀]*$/u.test(written) && !/^ | $| {2}/.test(written)
  const fold = (joined: string) => (choose(3) === 0 ? joined.replaceAll(' ', `\n${indent}  `) : joined)
  switch (isSpoken ? choose(inFlow ? 3 : 5) : 0) {
    case 1:
      return ` ${fold(written)}`
    case 2:
      return ` '${fold(written)}'`
    case 3:
      return ` |-\n${indent}  ${written}`
    case 4:
      return ` >-\n${indent}  ${written.replaceAll(' ', `\n${indent}  `)}`
    default:
      return ` ${JSON.stringify(written)}`
  }
}

function read(node: YamlNode | null): unknown {
  switch (node?.kind) {
    case 'scalar':
      return node.text
    case 'list':
      return node.items.map(read)
    case 'mapping':
      return Object.fromEntries(node.entries.map(({ key, value: item }) => [read(key), read(item)]))
    case 'alias':
    case undefined:
      return node
  }
}

function expected(written: Value): unknown {
  if (typeof written === 'string') return written
  if (Array.isArray(written)) return written.map(expected)
  return Object.fromEntries(
    (written as { pairs: readonly (readonly [string, Value])[] }).pairs.map(([key, item]) => [
      key,
      expected(item),
    ]),
  )
}

/** A value and a text that says it, in some mixture of YAML's styles. */
const written = fc.tuple(value, fc.infiniteStream(fc.nat(59))).map(([said, turns]) => ({
  said,
  source: `top:${write(said, '', false, (ways) => turns.next().value % ways)}\n`,
}))

describe('parseYaml, over texts in every style', () => {
  test('reads back what was written', () => {
    fc.assert(
      fc.property(written, ({ said, source }) => {
        const { root, faults } = parseYaml(source, 'column')
        expect(faults).toEqual([])
        expect(read(root)).toEqual({ top: expected(said) })
      }),
      { numRuns: 400 },
    )
  })

  test('reads what another YAML reader reads, where both versions of YAML agree', () => {
    fc.assert(
      fc.property(written, ({ source }) => {
        const other: unknown = parse(source, { schema: 'failsafe', logLevel: 'silent' })
        expect(read(parseYaml(source, 'column').root)).toEqual(other)
      }),
      { numRuns: 200 },
    )
  })

  test('places every node within its collection, in the order of the text and of events', () => {
    fc.assert(
      fc.property(written, ({ source }) => {
        let events = -1
        const visit = (node: YamlNode, from: number, to: number): void => {
          expect(node.start).toBeGreaterThanOrEqual(from)
          expect(node.end).toBeLessThanOrEqual(to)
          expect(node.event).toBeGreaterThan(events)
          events = node.event
          const inner =
            node.kind === 'list'
              ? node.items
              : node.kind === 'mapping'
                ? node.entries.flatMap(({ key, value: item }) => [key, item])
                : []
          for (const child of inner) visit(child, node.start, node.end)
          if ('endEvent' in node) {
            expect(node.endEvent).toBeGreaterThan(events)
            events = node.endEvent
          }
        }
        const { root } = parseYaml(source, 'column')
        if (root) visit(root, 0, source.length)
      }),
      { numRuns: 200 },
    )
  })
})
