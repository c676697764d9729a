import type { LabPlan, PlanInputs } from '../plan/types.ts'
import { runSync, type Task } from '../task.ts'
import { changesAgainstOne, type Question } from './candidates.ts'
import { costOf } from './change.ts'
import { isHard, obstaclesTo, type Obstacle } from './standing.ts'

/**
 * The least that doing away with all of `obstacles` can cost: what the dearest of them costs by its cheapest change.
 * Infinity where one of them cannot be done away with.
 */
export function leastCost(question: Question, obstacles: readonly Obstacle[]): number {
  const own = question.plan.roles[question.role]
  if (own === undefined) return Infinity
  return obstacles.reduce((least, obstacle) => {
    if (least === Infinity || isHard(obstacle, own)) return Infinity
    const costs = changesAgainstOne(question, obstacle).map(costOf)
    return Math.max(least, Math.min(Infinity, ...costs))
  }, 0)
}

/** A node and the least that it can cost to run the role there; 0 where it could run as things are. */
export interface RankedNode {
  /** Number into the plan's nodes. */
  readonly node: number
  readonly cost: number
}

/**
 * The plan's nodes, the most useful to look at for role number `role` first: where it runs, where it could run, then by
 * what running there costs at least, and last those that are out for good.
 */
export function* rankNodesTask(inputs: PlanInputs, plan: LabPlan, role: number): Task<RankedNode[]> {
  const here = plan.roles[role]?.outcome.nodeId
  const runsHere = ({ node }: RankedNode): number => (plan.residency[node]?.nodeId === here ? 0 : 1)
  const ranked: RankedNode[] = []
  for (const node of plan.residency.keys()) {
    const question: Question = { inputs, plan, role, node }
    ranked.push({ node, cost: leastCost(question, obstaclesTo(plan, role, node)) })
    yield
  }
  return ranked.sort((a, b) => runsHere(a) - runsHere(b) || compareNumbers(a.cost, b.cost) || a.node - b.node)
}

/** {@link rankNodesTask} at once. */
export function rankNodes(inputs: PlanInputs, plan: LabPlan, role: number): RankedNode[] {
  return runSync(rankNodesTask(inputs, plan, role))
}

/** Infinity minus itself is no number. */
function compareNumbers(a: number, b: number): number {
  return a === b ? 0 : a < b ? -1 : 1
}
