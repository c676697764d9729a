import type { Task } from '../task.ts'

/** What was found, as numbers of the candidates in ascending order. */
export interface FoundSet {
  readonly members: readonly number[]
  /** `smallest`: no smaller set does. `minimal`: leaving out any one of it does not. `bounded`: the search was cut off. */
  readonly proof: 'smallest' | 'minimal' | 'bounded'
}

/** Up to this many candidates every pair is tried before the search by halves. */
const MAX_FOR_PAIRS = 24

/**
 * A small set of the candidates `0` to `count - 1` for which `holds`, given that it holds for all of them together and
 * not for none: each alone is tried, then (if they are few) each pair, then sets are thinned by leaving out halves,
 * quarters and so on (delta debugging). `mayGoOn` is asked before every trial; once it says no the smallest set found
 * so far is given. A trial may take many steps.
 */
export function* smallestSet(
  count: number,
  holds: (members: readonly number[]) => Task<boolean>,
  mayGoOn: () => boolean = () => true,
): Task<FoundSet> {
  const all = Array.from({ length: count }, (_, i) => i)
  for (const single of all) {
    if (!mayGoOn()) return { members: all, proof: 'bounded' }
    if (yield* holds([single])) return { members: [single], proof: 'smallest' }
  }
  const triesPairs = count <= MAX_FOR_PAIRS
  if (triesPairs) {
    for (const first of all) {
      for (const second of all.slice(first + 1)) {
        if (!mayGoOn()) return { members: all, proof: 'bounded' }
        if (yield* holds([first, second])) return { members: [first, second], proof: 'smallest' }
      }
    }
  }
  const thinned = yield* thin(all, holds, mayGoOn)
  // With all pairs ruled out, three are as few as can be.
  if (thinned.proof === 'minimal' && triesPairs && thinned.members.length === 3)
    return { ...thinned, proof: 'smallest' }
  return thinned
}

function* thin(
  all: readonly number[],
  holds: (members: readonly number[]) => Task<boolean>,
  mayGoOn: () => boolean,
): Task<FoundSet> {
  let members = all
  let parts = 2
  while (members.length > 1) {
    const size = Math.ceil(members.length / parts)
    let smaller: readonly number[] | null = null
    for (let start = 0; start < members.length && smaller === null; start += size) {
      const without = [...members.slice(0, start), ...members.slice(start + size)]
      if (!mayGoOn()) return { members, proof: 'bounded' }
      if (yield* holds(without)) smaller = without
    }
    if (smaller !== null) {
      members = smaller
      parts = Math.max(2, parts - 1)
    } else if (size === 1) break
    else parts = Math.min(members.length, parts * 2)
  }
  return { members, proof: 'minimal' }
}
