import { isAlias, isMap, isSeq, type Node, type ParsedNode } from 'yaml'
import type { Span } from '../text-lines.ts'
import { entriesOf, itemsOf } from '../yaml/slots.ts'
import type { EditSource } from './edit-source.ts'

/**
 * The first alias, outside of `nodes` themselves, that stands for one of `nodes`: to change or remove that
 * one would change what the alias says as well. Null when each of them is only itself.
 */
export function findAliasOf(
  source: EditSource,
  nodes: readonly ParsedNode[],
): { name: string; span: Span } | null {
  const touched = new Set<Node>(nodes)
  for (const [alias, target] of source.yaml.aliases.targets) {
    if (!target.node || !touched.has(target.node) || touched.has(alias)) continue
    const [start, end] = alias.range ?? [0, 0]
    return { name: alias.source, span: { start, end } }
  }
  return null
}

/** `node` and every node in it. */
export function withInner(node: ParsedNode | null): ParsedNode[] {
  if (node === null) return []
  if (isAlias(node)) return [node]
  if (isMap(node)) {
    const inner = entriesOf(node).flatMap(({ key, value }) => [
      ...withInner(key.node),
      ...withInner(value.node),
    ])
    return [node, ...inner]
  }
  if (isSeq(node)) return [node, ...itemsOf(node).flatMap((item) => withInner(item.node))]
  return [node]
}
