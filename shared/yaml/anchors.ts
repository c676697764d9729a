import { isAlias, isMap, isSeq, type Alias } from 'yaml'
import { entriesOf, itemsOf, type Slot } from './slots.ts'

/** What each alias of a document stands for, and the aliases that stand for nothing. */
export interface Aliases {
  readonly targets: ReadonlyMap<Alias, Slot>
  /** In the order of the text. */
  readonly unknown: readonly Alias.Parsed[]
}

export const NO_ALIASES: Aliases = { targets: new Map(), unknown: [] }

/**
 * Finds the node of every alias below `root`. The reference numbers anchors by how many names it knows: where
 * a name is given anew, the next new name gets the same number, and the aliases of both then stand for its
 * node.
 */
export function resolveAliases(root: Slot): Aliases {
  const numbers = new Map<string, number>()
  const anchored: Slot[] = []
  const known: (readonly [Alias, number])[] = []
  const unknown: Alias.Parsed[] = []
  const visit = (slot: Slot): void => {
    const { node } = slot
    if (node === null) return
    if (isAlias(node)) {
      const number = numbers.get(node.source)
      if (number === undefined) unknown.push(node)
      else known.push([node, number])
      return
    }
    if (node.anchor !== undefined) {
      const number = numbers.size
      numbers.set(node.anchor, number)
      anchored[number] = slot
    }
    if (isMap(node)) {
      for (const { key, value } of entriesOf(node)) {
        visit(key)
        visit(value)
      }
    } else if (isSeq(node)) for (const item of itemsOf(node)) visit(item)
  }
  visit(root)
  const targets = new Map<Alias, Slot>()
  for (const [alias, number] of known) {
    const target = anchored[number]
    if (target) targets.set(alias, target)
  }
  return { targets, unknown }
}
