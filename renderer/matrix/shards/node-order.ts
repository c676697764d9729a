import type { ShardMatrix } from '../../../shared/plan/matrix.ts'
import type { NodeVerdict } from '../../../shared/plan/types.ts'

/** The orders a person can ask for. */
export type NodeSort = 'decision' | 'name' | 'missing' | 'free'
export const NODE_SORTS: readonly { readonly id: NodeSort; readonly label: string }[] = [
  { id: 'decision', label: 'Decision order' },
  { id: 'name', label: 'Name' },
  { id: 'missing', label: 'Missing bytes' },
  { id: 'free', label: 'Free space' },
]

/** Which nodes are shown; holders have at least one shard, or the whole model on storage that is away. */
export type NodeFilter = 'all' | 'eligible' | 'holders'

export interface NodeOptions {
  readonly sort: NodeSort
  readonly filter: NodeFilter
  /** Part of a node's name, in whatever case; empty shows all. */
  readonly text: string
}

export const START_NODE_OPTIONS: NodeOptions = { sort: 'decision', filter: 'all', text: '' }

function isHolder({ presence, heldShards }: NodeVerdict): boolean {
  return presence !== null && (heldShards > 0 || presence.detached)
}

function passes(verdict: NodeVerdict, filter: NodeFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'eligible':
      return verdict.eligible
    case 'holders':
      return isHolder(verdict)
  }
}

/** How many nodes each filter would show, whatever text is asked for. */
export function countNodes(nodes: readonly NodeVerdict[]): Readonly<Record<NodeFilter, number>> {
  let eligible = 0
  let holders = 0
  for (const verdict of nodes) {
    if (verdict.eligible) eligible++
    if (isHolder(verdict)) holders++
  }
  return { all: nodes.length, eligible, holders }
}

/** `node-9` before `node-10`, and upper case among lower; built once, since making one is slow. */
const NAMES = new Intl.Collator('en', { numeric: true })

/** Fewest first, or most first by swapping; null (unknown) is last either way. */
function compareBytes(a: bigint | null, b: bigint | null, most: boolean): number {
  if (a === b) return 0
  if (a === null) return 1
  if (b === null) return -1
  return a < b === most ? 1 : -1
}

/**
 * How near a node is to the decision: where the role would run, where the bytes would come from, nodes that
 * could run it, the others.
 */
function decisionRank(matrix: ShardMatrix, node: number): number {
  switch (matrix.part(node)) {
    case 'runs':
    case 'target':
      return 0
    case 'source':
      return 1
    case null:
      return matrix.nodes[node]?.eligible ? 2 : 3
  }
}

/**
 * The nodes to show, as numbers into `matrix.nodes`, in the order to show them. In decision order the
 * candidates come as the decision tries them: fewest missing bytes first, then by id (docs/reference.md D6).
 */
export function orderNodes(matrix: ShardMatrix, { sort, filter, text }: NodeOptions): readonly number[] {
  const wanted = text.trim().toLowerCase()
  const shown: number[] = []
  matrix.nodes.forEach((verdict, node) => {
    if (passes(verdict, filter) && verdict.nodeId.toLowerCase().includes(wanted)) shown.push(node)
  })
  // `nodes` is in id order and sorting is stable, so what compares equal stays in id order.
  const verdictOf = (node: number): NodeVerdict | null => matrix.nodes[node] ?? null
  const missing = (node: number): bigint | null => verdictOf(node)?.missingBytes ?? null
  switch (sort) {
    case 'decision': {
      const ranks = new Map(shown.map((node) => [node, decisionRank(matrix, node)]))
      const rank = (node: number): number => ranks.get(node) ?? 3
      return shown.sort((a, b) => {
        const apart = rank(a) - rank(b)
        return apart !== 0 || rank(a) !== 2 ? apart : compareBytes(missing(a), missing(b), false)
      })
    }
    case 'name':
      return shown.sort((a, b) => NAMES.compare(verdictOf(a)?.nodeId ?? '', verdictOf(b)?.nodeId ?? ''))
    case 'missing':
      return shown.sort((a, b) => compareBytes(missing(a), missing(b), false))
    case 'free':
      return shown.sort((a, b) =>
        compareBytes(verdictOf(a)?.freeBytes ?? null, verdictOf(b)?.freeBytes ?? null, true),
      )
  }
}
