import type { Span } from '../text-lines.ts'
import { spanOf, type YamlNode } from '../yaml/nodes.ts'

/** A construct of YAML that edits leave to a person. */
export interface ByHand {
  /** What stands there, as a part of a sentence. */
  readonly what: string
  readonly span: Span
}

/**
 * The first tag, anchor, alias or `?` key in an entry of a mapping; null when there is none. An edit beside one would have
 * to know who else repeats a value, or rewrite how it is written: rare enough in an overlay to leave it to a person.
 *
 * @param start Where the entry begins in the text: at its `?`, or else at its key.
 */
export function findByHand(start: number, key: YamlNode | null, value: YamlNode): ByHand | null {
  if (key && start < spanOf(key).start) return { what: 'a `?` key', span: { start, end: start + 1 } }
  return (key && inNode(key)) ?? inNode(value)
}

function inNode(node: YamlNode): ByHand | null {
  if (node.kind === 'alias') return { what: `the alias \`*${node.name}\``, span: spanOf(node) }
  const { properties } = node
  if (properties) {
    const what = properties.anchor === null ? 'a tag' : `the anchor \`&${properties.anchor}\``
    return { what, span: properties.span }
  }
  switch (node.kind) {
    case 'scalar':
      return null
    case 'list':
      return firstOf(node.items, inNode)
    case 'mapping':
      return firstOf(node.entries, ({ start, key, value }) => findByHand(start, key, value))
  }
}

function firstOf<T>(all: readonly T[], find: (one: T) => ByHand | null): ByHand | null {
  for (const one of all) {
    const found = find(one)
    if (found) return found
  }
  return null
}
