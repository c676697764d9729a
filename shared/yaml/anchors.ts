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
 * Finds the node of every alias below `root`: the last one before it that bears its name, which may be a collection
 * that the alias itself is in.
 */
export function resolveAliases(root: Slot): Aliases {
  const anchors = new Map<string, Slot>()
  const targets = new Map<Alias, Slot>()
  const unknown: Alias.Parsed[] = []
  const visit = (slot: Slot): void => {
    const { node } = slot
    if (node === null) return
    if (isAlias(node)) {
      const target = anchors.get(node.source)
      if (target) targets.set(node, target)
      else unknown.push(node)
      return
    }
    if (node.anchor !== undefined) anchors.set(node.anchor, slot)
    if (isMap(node)) {
      for (const { key, value } of entriesOf(node)) {
        visit(key)
        visit(value)
      }
    } else if (isSeq(node)) for (const item of itemsOf(node)) visit(item)
  }
  visit(root)
  return { targets, unknown }
}
