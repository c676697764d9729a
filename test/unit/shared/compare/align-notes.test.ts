import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { alignNotes, tellingPairs, type NotePair } from '../../../../shared/compare/align-notes.ts'
import { renderNote } from '../../../../shared/locality/notes.ts'
import type { Consideration } from '../../../../shared/locality/types.ts'

function node(nodeId: string, heldShards = 0): Consideration {
  return { kind: 'node', nodeId, eligible: true, complete: false, heldShards, shards: 2 }
}
const MODEL: Consideration = { kind: 'model', name: 'm', shards: 2, bytes: 10n }
const NO: Consideration = {
  kind: 'verdict',
  decision: { kind: 'unplaceable', unplaceable: { reason: 'no_holder' } },
}
const AT_B: Consideration = { kind: 'verdict', decision: { kind: 'place_at_holder', nodeId: 'b' } }

describe('two explanations side by side', () => {
  test('puts what both look at in one row and marks what differs', () => {
    const rows = alignNotes([MODEL, node('a'), node('b'), NO], [MODEL, node('a'), node('b', 2), AT_B])
    expect(rows.map(({ differs }) => differs)).toEqual([false, false, true, true])
    expect(rows[2]).toMatchObject({
      node: 'b',
      before: renderNote(node('b')),
      after: renderNote(node('b', 2)),
    })
  })

  test('gives what only one looks at a row of its own, where it stands there', () => {
    const rows = alignNotes(
      [MODEL, node('a'), node('gone'), node('z'), NO],
      [MODEL, node('a'), node('new'), node('z'), NO],
    )
    expect(rows.map(({ node: of }) => of)).toEqual([null, 'a', 'new', 'gone', 'z', null])
    expect(rows[2]).toMatchObject({ before: null, differs: true })
    expect(rows[3]).toMatchObject({ after: null, differs: true })
  })

  test('loses no note of either side and keeps each side’s order', () => {
    const consideration = fc.constantFrom('a', 'b', 'c', 'd').map((id) => node(id))
    const side = fc.array(consideration, { maxLength: 6 }).map((nodes) => {
      const sorted = nodes.toSorted((x, y) => renderNote(x).localeCompare(renderNote(y)))
      return [MODEL, ...sorted, NO]
    })
    fc.assert(
      fc.property(side, side, (before, after) => {
        const rows = alignNotes(before, after)
        expect(rows.flatMap((row) => row.before ?? [])).toEqual(before.map(renderNote))
        expect(rows.flatMap((row) => row.after ?? [])).toEqual(after.map(renderNote))
      }),
    )
  })
})

test('of many pairs the verdicts, those that differ and the first ones are reported, in their order', () => {
  const pairs = Array.from({ length: 10 }, (_, i): NotePair => {
    return { before: `${i}`, after: `${i}`, differs: i === 6 || i === 8, node: null }
  })
  const told = (most: number): (string | null)[] => tellingPairs(pairs, most).map(({ before }) => before)
  expect(told(10)).toHaveLength(10)
  expect(told(5)).toEqual(['0', '1', '6', '8', '9'])
  expect(told(2)).toEqual(['6', '9'])
  expect(told(1)).toEqual(['9'])
})
