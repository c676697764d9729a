import { describe, expect, test } from 'vitest'
import { ScalarNode } from '../../../../shared/yaml/nodes.ts'
import { OpenList, OpenMapping } from '../../../../shared/yaml/open-collections.ts'

function node(event: number): ScalarNode {
  return new ScalarNode('abc', null, { properties: null, start: 1, end: 1, event })
}

const KEY = { kind: 'key', start: 0, end: 1, content: null } as const

describe('OpenMapping', () => {
  test('takes keys and values in turn, and the colon between them', () => {
    const mapping = new OpenMapping('block-mapping', 0, null, 0)
    const [key, value] = [node(1), node(2)]
    mapping.beginEntry(KEY)
    mapping.add(key)
    expect(mapping.stage).toBe('value')
    mapping.setColon(2)
    mapping.add(value)
    expect(mapping.stage).toBe('key')
    expect(mapping.node.entries).toEqual([{ start: 0, key, colon: 2, value }])
  })

  test('is a pair that ends behind its only value', () => {
    const pair = new OpenMapping('flow-pair', 0, null, 0)
    pair.beginEntry(KEY)
    pair.add(node(1))
    pair.add(node(2))
    expect(pair.stage).toBe('end')
  })

  test('gives a key without value one that is never read when it breaks off', () => {
    const mapping = new OpenMapping('flow-mapping', 0, null, 0)
    mapping.beginEntry(KEY)
    mapping.add(node(1))
    mapping.breakOff('abc')
    mapping.breakOff('abc')
    expect(mapping.node.entries.map(({ value }) => value.event)).toEqual([Infinity])
  })
})

describe('OpenList', () => {
  test('holds its items in order, and is in brackets only as a flow list', () => {
    const list = new OpenList('indentless-list', 3, null, 0)
    const items = [node(4), node(5)]
    for (const item of items) list.add(item)
    expect(list.node).toMatchObject({ isFlow: false, event: 3, endEvent: Infinity, items })
    expect(new OpenList('flow-list', 0, null, 0).node.isFlow).toBe(true)
  })
})
