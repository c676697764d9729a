import type { Span } from '../text-lines.ts'
import type { YamlNode } from '../yaml/nodes.ts'
import type { EditSource } from './edit-source.ts'

/**
 * The first alias, outside of `nodes` themselves, that stands for one of `nodes`: to change or remove that
 * one would change what the alias says as well. Null when each of them is only itself.
 */
export function findAliasOf(
  source: EditSource,
  nodes: readonly YamlNode[],
): { name: string; span: Span } | null {
  const touched = new Set<YamlNode>(nodes)
  for (const node of withInner(source.yaml.root)) {
    if (node.kind !== 'alias' || node.target === null || touched.has(node)) continue
    const target = source.yaml.anchored[node.target]
    if (target && touched.has(target)) return { name: node.name, span: { start: node.start, end: node.end } }
  }
  return null
}

/** `node` and every node in it, in the order of the text. */
export function withInner(node: YamlNode | null): YamlNode[] {
  if (node === null) return []
  switch (node.kind) {
    case 'scalar':
    case 'alias':
      return [node]
    case 'list':
      return [node, ...node.items.flatMap(withInner)]
    case 'mapping':
      return [node, ...node.entries.flatMap(({ key, value }) => [...withInner(key), ...withInner(value)])]
  }
}
