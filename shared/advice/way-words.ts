import type { LabPlan, PlanInputs, RolePlan } from '../plan/types.ts'
import { adviceLines, changeText } from './advice-words.ts'
import { rankNodes } from './rank-nodes.ts'
import type { LabWay, WayAnswer } from './shortest-way.ts'
import { obstaclesTo } from './standing.ts'

/** A way as a sentence that ends in a colon, for the list of its changes, or as the reason why there is none. */
export function wayHeadline({ way, isComplete }: WayAnswer, role: RolePlan, reason: string): string {
  if (way === null) {
    return isComplete
      ? `No set of up to four changes lets ${role.role} run. ${reason}`
      : `No set of changes was found in the time; there may be one. ${reason}`
  }
  const { changes, nodeId, stops } = way
  const count = changes.length === 1 ? 'This one change runs' : `These ${changes.length} changes together run`
  const cheapest = isComplete ? '' : ' (found in the time; there may be a cheaper way)'
  const price = stops.length === 0 ? '' : `, but ${stops.join(', ')} would no longer run`
  return `${count} ${role.role} on ${nodeId}${price}${cheapest}:`
}

/** Why no change helps, by the node that is nearest to running the role. */
export function whyNoWay(inputs: PlanInputs, plan: LabPlan, role: number): string {
  const own = plan.roles[role]
  const [nearest] = rankNodes(inputs, plan, role)
  if (own === undefined || nearest === undefined) return 'The lab has no node.'
  const nodeId = plan.residency[nearest.node]?.nodeId ?? ''
  const obstacles = obstaclesTo(plan, role, nearest.node)
  const others = plan.residency.length - 1
  const rest =
    others === 0 ? '' : others === 1 ? ' (the other node is no nearer)' : ` (${others} others are no nearer)`
  return `On ${nodeId}: ${adviceLines({ kind: 'never', obstacles }, own).join('; ')}${rest}.`
}

/** {@link LabWay} as a sentence before the list of its changes. */
export function labWayHeadline({ changes, before, after, left, stops, isComplete }: LabWay): string {
  const more = left.length === 0 ? 'fewer changes may be enough' : 'there may be more to find'
  const time = isComplete ? '' : ` The time ran out: ${more}.`
  const rest = left.length === 0 ? '' : ` Nothing that stops no other role was found for ${left.join(', ')}.`
  const price = stops.length === 0 ? '' : ` ${stops.join(', ')} would no longer run.`
  if (changes.length === 0 && left.length === 0) return `Every role runs as things are.${time}`
  if (changes.length === 0) return `No changes were found that let more roles run.${rest}${time}`
  const every = left.length === 0 ? 'every role runs' : `${after} roles run instead of ${before}`
  return `With ${changes.length === 1 ? 'this change' : `these ${changes.length} changes`} ${every}.${price}${rest}${time}`
}

/** The changes of a way as a numbered list. */
export function wayLines({ way }: WayAnswer): string[] {
  return (way?.changes ?? []).map(changeText)
}
