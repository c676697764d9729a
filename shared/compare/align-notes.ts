import { renderNote } from '../locality/notes.ts'
import type { Consideration } from '../locality/types.ts'

/** Two explanations' notes about one thing, beside each other; null where one has none. */
export interface NotePair {
  readonly before: string | null
  readonly after: string | null
  readonly differs: boolean
  /** The node both are about, if any. */
  readonly node: string | null
}

/** What a note is about: notes of two explanations with one subject belong side by side. */
function subjectOf(
  consideration: Consideration,
  count: (node: string) => number,
): { key: string; node: string | null } {
  switch (consideration.kind) {
    case 'model':
      return { key: 'model', node: null }
    case 'node': {
      // Two nodes may bear one id; the first belongs to the first.
      const { nodeId } = consideration
      return { key: `node ${count(nodeId)} ${nodeId}`, node: nodeId }
    }
    case 'rejected_target':
      return { key: `target ${consideration.nodeId}`, node: consideration.nodeId }
    case 'verdict':
      return { key: 'verdict', node: null }
  }
}

interface Subject {
  readonly key: string
  readonly node: string | null
  readonly note: string
}

function subjectsOf(considerations: readonly Consideration[]): Subject[] {
  const seen = new Map<string, number>()
  return considerations.map((consideration) => {
    const subject = subjectOf(consideration, (node) => {
      const number = (seen.get(node) ?? 0) + 1
      seen.set(node, number)
      return number
    })
    return { ...subject, note: renderNote(consideration) }
  })
}

/**
 * The notes of two explanations of one role, side by side: what both look at in one row, what only one looks at in a
 * row of its own where it stands there. The verdicts share the last row.
 */
export function alignNotes(before: readonly Consideration[], after: readonly Consideration[]): NotePair[] {
  const left = subjectsOf(before)
  const right = subjectsOf(after)
  const rightKeys = new Set(right.map(({ key }) => key))
  const leftPlaces = new Map(left.map(({ key }, place) => [key, place]))
  const pairs: NotePair[] = []
  let next = 0
  const leftAlone = (until: string | null): void => {
    for (; next < left.length; next++) {
      const subject = left[next]
      if (subject === undefined || subject.key === until) return
      if (rightKeys.has(subject.key)) continue
      pairs.push({ before: subject.note, after: null, differs: true, node: subject.node })
    }
  }
  for (const { key, node, note } of right) {
    const at = leftPlaces.get(key) ?? -1
    const partner = left[at]
    // Rejected targets may stand in another order now; what was passed is not gone back to.
    if (at >= next) {
      leftAlone(key)
      next = at + 1
    }
    pairs.push({ before: partner?.note ?? null, after: note, differs: partner?.note !== note, node })
  }
  leftAlone(null)
  return pairs
}

/** The `most` pairs that tell most, in their order: the last one (the verdicts), those that differ, then the first ones. */
export function tellingPairs(pairs: readonly NotePair[], most: number): readonly NotePair[] {
  if (pairs.length <= most) return pairs
  const others = pairs.slice(0, -1)
  const bestFirst = [...others.filter(({ differs }) => differs), ...others.filter(({ differs }) => !differs)]
  const chosen = new Set([...bestFirst.slice(0, most - 1), ...pairs.slice(-1)])
  return pairs.filter((pair) => chosen.has(pair))
}
