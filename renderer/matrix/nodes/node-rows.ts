import type { NodeTable } from './node-table.ts'

export type NodeRowSort = 'name' | 'free_memory' | 'used'
export const NODE_ROW_SORTS: readonly { readonly id: NodeRowSort; readonly label: string }[] = [
  { id: 'name', label: 'Name' },
  { id: 'free_memory', label: 'Free memory' },
  { id: 'used', label: 'Memory in use' },
]

/** All nodes, those that a role runs on, or those that had no room for a role. */
export type NodeRowFilter = 'all' | 'in_use' | 'turns_away'

export interface NodeRowOptions {
  readonly sort: NodeRowSort
  readonly filter: NodeRowFilter
  /** Part of a node's name, in whatever case; empty shows all. */
  readonly text: string
}

export const START_NODE_ROW_OPTIONS: NodeRowOptions = { sort: 'name', filter: 'all', text: '' }

function passes(table: NodeTable, node: number, filter: NodeRowFilter): boolean {
  switch (filter) {
    case 'all':
      return true
    case 'in_use':
      return table.inUse(node)
    case 'turns_away':
      return table.turnsAway(node)
  }
}

/** How many nodes each filter would show, whatever text is asked for. */
export function countNodeRows(table: NodeTable): Readonly<Record<NodeRowFilter, number>> {
  let used = 0
  let away = 0
  for (let node = 0; node < table.nodes.length; node++) {
    if (table.inUse(node)) used++
    if (table.turnsAway(node)) away++
  }
  return { all: table.nodes.length, in_use: used, turns_away: away }
}

const NAMES = new Intl.Collator('en', { numeric: true })

/**
 * The nodes to show, as numbers into the table's, in the order to show them; most memory first, unknown last.
 */
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
      return mostFirst((node) => table.entry(node)?.load?.budget ?? -1n)
    case 'used':
      return mostFirst((node) => table.entry(node)?.load?.used ?? -1n)
  }
}
