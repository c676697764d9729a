import type { LabPlan } from '../../../shared/plan/types.ts'
import { ownNode } from '../../../shared/plan/outcome.ts'

/** Which nodes have a column: all, or those that a role runs on, would run on by itself, or is fetched from. */
type ColumnFilter = 'all' | 'in_use'

export interface LabOptions {
  readonly filter: ColumnFilter
  /** Part of a node's name, in whatever case; empty shows all. */
  readonly text: string
}

export const START_LAB_OPTIONS: LabOptions = { filter: 'all', text: '' }

/** The ids of nodes that roles run on or are fetched from, and of those that turned a role away. */
export function nodesInUse(plan: LabPlan): ReadonlySet<string> {
  const used = new Set<string>()
  for (const { outcome, holders } of plan.roles) {
    const own = ownNode(outcome)?.nodeId ?? null
    for (const node of [outcome.nodeId, own]) if (node !== null) used.add(node)
    if (outcome.bytes > 0n) for (const source of holders) used.add(source)
  }
  return used
}

/** The nodes to show, as numbers into `nodeIds`, in its order. */
export function nodeColumns(
  nodeIds: readonly string[],
  used: ReadonlySet<string>,
  { filter, text }: LabOptions,
): readonly number[] {
  const wanted = text.trim().toLowerCase()
  const shown: number[] = []
  nodeIds.forEach((id, node) => {
    if ((filter === 'all' || used.has(id)) && id.toLowerCase().includes(wanted)) shown.push(node)
  })
  return shown
}
