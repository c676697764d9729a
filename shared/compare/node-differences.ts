import type { AttrValue, Capability, LabNode, NodeFacts } from '../node/types.ts'
import { compareCodePoints } from '../token.ts'
import { sameValue } from './equal.ts'

/** One thing that two labs know differently of a node. `file` is where the later lab has it from. */
export type NodeDifference =
  | {
      readonly of: 'node'
      readonly node: string
      readonly change: 'added' | 'removed'
      readonly file: string | null
    }
  | {
      readonly of: 'node_fact'
      readonly node: string
      /** The id of the capabilities that differ. */
      readonly capability: string
      readonly change: 'added' | 'removed' | 'changed'
      /** What of it differs, where it is one capability in both. */
      readonly details: readonly FactDetail[]
      readonly file: string | null
    }
  /** When the facts were issued, how long they hold, or whether there are any. */
  | { readonly of: 'node_facts_age'; readonly node: string; readonly file: string | null }
  /** What a person declares of it. */
  | { readonly of: 'declaration'; readonly node: string; readonly file: string | null }

export interface FactDetail {
  /** An attribute's name, `state` or `exclusive`. */
  readonly name: string
  readonly from: AttrValue | null
  readonly to: AttrValue | null
}

/** Everything that is known differently of the nodes `b` from the nodes `a`. */
export function nodeDifferences(a: readonly LabNode[], b: readonly LabNode[]): NodeDifference[] {
  const before = new Map(a.map((node) => [node.nodeId, node]))
  const after = new Map(b.map((node) => [node.nodeId, node]))
  const ids = [...new Set([...before.keys(), ...after.keys()])].sort(compareCodePoints)
  return ids.flatMap((node): NodeDifference[] => {
    const from = before.get(node)
    const to = after.get(node)
    if (from === undefined) return [{ of: 'node', node, change: 'added', file: to?.file ?? null }]
    if (to === undefined) return [{ of: 'node', node, change: 'removed', file: from.file }]
    return from === to ? [] : differencesOfOne(from, to)
  })
}

function differencesOfOne(from: LabNode, to: LabNode): NodeDifference[] {
  const { nodeId: node, file } = to
  const differences: NodeDifference[] = []
  for (const capability of capabilityIds(from, to)) {
    const before = ofId(from.facts, capability)
    const after = ofId(to.facts, capability)
    if (sameValue(before, after)) continue
    const change = before.length === 0 ? 'added' : after.length === 0 ? 'removed' : 'changed'
    differences.push({ of: 'node_fact', node, capability, change, details: factDetails(before, after), file })
  }
  if (!sameAge(from.facts, to.facts)) differences.push({ of: 'node_facts_age', node, file })
  if (!sameValue(from.declared, to.declared)) differences.push({ of: 'declaration', node, file })
  return differences
}

function capabilityIds(...nodes: readonly LabNode[]): string[] {
  return [...new Set(nodes.flatMap(({ facts }) => facts?.capabilities.map(({ id }) => id) ?? []))]
}

function ofId(facts: NodeFacts | null, capability: string): readonly Capability[] {
  return facts?.capabilities.filter(({ id }) => id === capability) ?? []
}

function sameAge(a: NodeFacts | null, b: NodeFacts | null): boolean {
  return a === null || b === null ? a === b : a.issuedAt === b.issuedAt && a.ttlSecs === b.ttlSecs
}

function factDetails(before: readonly Capability[], after: readonly Capability[]): FactDetail[] {
  const [from] = before
  const [to] = after
  if (!from || !to || before.length > 1 || after.length > 1) return []
  const names = [...new Set([...from.attrs.keys(), ...to.attrs.keys()])]
  const details: FactDetail[] = [
    { name: 'state', from: from.state, to: to.state },
    { name: 'exclusive', from: from.exclusive, to: to.exclusive },
    ...names.map((name) => ({ name, from: from.attrs.get(name) ?? null, to: to.attrs.get(name) ?? null })),
  ]
  return details.filter((detail) => !sameValue(detail.from, detail.to))
}

/** The nodes `a` with those of their differences to `b` that are in `taken`. */
export function mixNodes(
  a: readonly LabNode[],
  b: readonly LabNode[],
  taken: readonly NodeDifference[],
): readonly LabNode[] {
  if (taken.length === 0) return a
  const after = new Map(b.map((node) => [node.nodeId, node]))
  const nodes = new Map(a.map((node) => [node.nodeId, node]))
  for (const difference of taken) {
    const { node: nodeId } = difference
    const here = nodes.get(nodeId)
    const there = after.get(nodeId)
    if (difference.of === 'node') {
      if (difference.change === 'added' && there) nodes.set(nodeId, there)
      else nodes.delete(nodeId)
    } else if (here && there) nodes.set(nodeId, withDifference(here, there, difference))
  }
  return [...nodes.values()].sort((x, y) => compareCodePoints(x.nodeId, y.nodeId))
}

function withDifference(
  here: LabNode,
  there: LabNode,
  difference: Exclude<NodeDifference, { of: 'node' }>,
): LabNode {
  switch (difference.of) {
    case 'declaration':
      return { ...here, declared: there.declared }
    case 'node_facts_age':
      // Facts that are gone, or new, leave their capabilities to the differences of those.
      return {
        ...here,
        facts: there.facts && { ...there.facts, capabilities: here.facts?.capabilities ?? [] },
      }
    case 'node_fact': {
      const facts = here.facts ?? there.facts
      if (facts === null) return here
      const kept = (here.facts?.capabilities ?? []).filter(({ id }) => id !== difference.capability)
      return {
        ...here,
        facts: { ...facts, capabilities: [...kept, ...ofId(there.facts, difference.capability)] },
      }
    }
  }
}
