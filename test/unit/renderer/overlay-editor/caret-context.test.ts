import { describe, expect, test } from 'vitest'
import {
  contextAt,
  nameAround,
  type CaretContext,
} from '../../../../renderer/overlay-editor/caret-context.ts'

/** The context at the `|` of a text. */
function at(marked: string): CaretContext {
  const before = marked.slice(0, marked.indexOf('|'))
  const line = before.split('\n').length
  const column = before.length - before.lastIndexOf('\n')
  return contextAt(marked.replace('|', '').split('\n'), line, column)
}

describe('contextAt', () => {
  test('is a top-level key at the margin', () => {
    expect(at('|')).toEqual({ at: 'key' })
    expect(at('sticky:\n  a: true\nlat|')).toEqual({ at: 'key' })
  })

  test('is a role below a key', () => {
    expect(at('sticky:\n  |')).toEqual({ at: 'role', key: 'sticky' })
    expect(at('excludes:\n  a: [b]\n  her|')).toEqual({ at: 'role', key: 'excludes' })
    expect(at('excludes:\n  a:\n    - b\n  c|')).toEqual({ at: 'role', key: 'excludes' })
  })

  test('is a value behind a role', () => {
    expect(at('latency_class:\n  a: |')).toEqual({ at: 'value', key: 'latency_class', role: 'a' })
    expect(at("sticky:\n  'a': f|")).toEqual({ at: 'value', key: 'sticky', role: 'a' })
  })

  test('is a whole list behind a role of the excludes', () => {
    expect(at('excludes:\n  a: |')).toEqual({ at: 'exclude_list', role: 'a' })
  })

  test('is a name in a list on the line of its role', () => {
    expect(at('excludes:\n  a: [|')).toEqual({ at: 'exclude', role: 'a' })
    expect(at('excludes:\n  a: ["role:b", c|]')).toEqual({ at: 'exclude', role: 'a' })
  })

  test('is a name in a list of lines below its role', () => {
    expect(at('excludes:\n  x: [y]\n  a:\n    - b\n    - role:c|')).toEqual({ at: 'exclude', role: 'a' })
    expect(at('excludes:\n  a:\n  - |')).toEqual({ at: 'exclude', role: 'a' })
  })

  test('is a name in a bracketed list that goes on over lines', () => {
    expect(at('excludes:\n  a: [b,\n    c|')).toEqual({ at: 'exclude', role: 'a' })
    expect(at('excludes:\n  a: [b,\n    c]\n  d|')).toEqual({ at: 'role', key: 'excludes' })
  })

  test('follows mappings in braces', () => {
    expect(at('latency_class: {|')).toEqual({ at: 'role', key: 'latency_class' })
    expect(at('latency_class: {a: batch, b: |')).toEqual({ at: 'value', key: 'latency_class', role: 'b' })
    expect(at('excludes: {a: [b, |')).toEqual({ at: 'exclude', role: 'a' })
    expect(at('excludes: {a: [b], c|')).toEqual({ at: 'role', key: 'excludes' })
  })

  test('is nothing in a comment, below an unknown key and behind a whole value', () => {
    expect(at('sticky:\n  a: true # f|')).toEqual({ at: 'nothing' })
    expect(at('# ex|')).toEqual({ at: 'nothing' })
    expect(at('stiky:\n  a|')).toEqual({ at: 'nothing' })
    expect(at('sticky:\n  a: true |')).toEqual({ at: 'nothing' })
  })

  test('takes a hash in quotes for no comment', () => {
    expect(at('sticky:\n  "a # b": |')).toEqual({ at: 'value', key: 'sticky', role: 'a # b' })
  })
})

describe('nameAround', () => {
  test('takes the whole name around the caret, prefix included', () => {
    expect(nameAround('    - role:planner', 12)).toEqual({ name: 'role:planner', start: 7, end: 19 })
  })

  test('leaves the colon of a key and the dash of a list item out', () => {
    expect(nameAround('  hermes: x', 5)).toEqual({ name: 'hermes', start: 3, end: 9 })
    expect(nameAround('  -', 4)).toEqual({ name: '', start: 4, end: 4 })
  })
})
