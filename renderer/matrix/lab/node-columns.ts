import type { LabPlan } from '../../../shared/plan/types.ts'
import { placedNode } from '../../../shared/plan/outcome.ts'
import { decidedNode } from '../../../shared/plan/outcome.ts'

/** Which nodes have a column: all, or those that a role runs on, is decided for, or is fetched from. */
export type ColumnFilter = 'all' | 'in_use'

export interface LabOptions {
  readonly filter: ColumnFilter
  /** Part of a node's name, in whatever case; empty shows all. */
  readonly text: string
}

export const START_LAB_OPTIONS: LabOptions = { filter: 'all', text: '' }

/** The ids of nodes that a decision of the plan names, or that a role was placed on instead. */
export function nodesInUse(plan: LabPlan): ReadonlySet<string> {
  const used = new Set<string>()
  for (const role of plan.roles) {
    const { decision } = role
    for (const node of [decidedNode(decision), placedNode(role)]) if (node !== null) used.add(node)
    if (decision.kind === 'fetch_then_place') for (const source of decision.sources) used.add(source)
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
