import type { NodeTable } from './node-table.ts'

export type NodeRowSort = 'name' | 'free_memory' | 'placed'
export const NODE_ROW_SORTS: readonly { readonly id: NodeRowSort; readonly label: string }[] = [
  { id: 'name', label: 'Name' },
  { id: 'free_memory', label: 'Free memory' },
  { id: 'placed', label: 'Memory asked for' },
]

/** All nodes, those with a role placed on them, or those that have more placed than fits. */
export type NodeRowFilter = 'all' | 'in_use' | 'over_full'

export interface NodeRowOptions {
  readonly sort: NodeRowSort
  readonly filter: NodeRowFilter
  /** Part of a node's name, in whatever case; empty shows all. */
  readonly text: string
}

export const START_NODE_ROW_OPTIONS: NodeRowOptions = { sort: 'name', filter: 'all', text: '' }

/** Whether more is placed on the node than its free memory; also when it has no memory to tell of. */
export function isOverFull(table: NodeTable, node: number): boolean {
  const entry = table.entry(node)
  if (entry === null || entry.placed.roles.length === 0) return false
  return entry.load === null || entry.load.over > 0n
}

function passes(table: NodeTable, node: number, filter: NodeRowFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'in_use':
      return table.placed.has(table.nodes[node]?.nodeId ?? '')
    case 'over_full':
      return isOverFull(table, node)
  }
}

export function countOverFull(table: NodeTable): number {
  return table.nodes.reduce((count, { nodeId }, node) => {
    return table.placed.has(nodeId) && isOverFull(table, node) ? count + 1 : count
  }, 0)
}

const NAMES = new Intl.Collator('en', { numeric: true })

/** The nodes to show, as numbers into the table's, in the order to show them; most memory first, unknown last. */
export function nodeRows(table: NodeTable, { sort, filter, text }: NodeRowOptions): readonly number[] {
  const wanted = text.trim().toLowerCase()
  const shown: number[] = []
  table.nodes.forEach(({ nodeId }, node) => {
    if (nodeId.toLowerCase().includes(wanted) && passes(table, node, filter)) shown.push(node)
  })
  const mostFirst = (bytesOf: (node: number) => bigint): readonly number[] =>
    shown.sort((a, b) => {
      const [x, y] = [bytesOf(a), bytesOf(b)]
      return x === y ? 0 : x > y ? -1 : 1
    })
  switch (sort) {
    case 'name':
      return shown.sort((a, b) => NAMES.compare(table.nodes[a]?.nodeId ?? '', table.nodes[b]?.nodeId ?? ''))
    case 'free_memory':
      return mostFirst((node) => table.entry(node)?.load?.free ?? -1n)
    case 'placed':
      return mostFirst((node) => table.entry(node)?.placed.memoryBytes ?? 0n)
  }
}
