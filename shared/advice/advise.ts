import { PlanMemo } from '../plan/plan-memo.ts'
import { planTask } from '../plan/planner.ts'
import type { LabPlan, PlanInputs, RolePlan } from '../plan/types.ts'
import { runSync, type Task } from '../task.ts'
import { applyChange } from './apply-change.ts'
import { candidateChanges, changeKey, memoryOf, type Question } from './candidates.ts'
import { compareCosts, type Change } from './change.ts'
import { isHard, obstaclesTo, type Obstacle } from './standing.ts'

/** What would let a role run on a node. */
export type Advice =
  /** It could run there as things are (though it may be placed elsewhere). */
  | { readonly kind: 'placeable' }
  /** Each of these alone would do, proved by a plan; cheapest first. */
  | { readonly kind: 'changes'; readonly changes: readonly Change[]; readonly obstacles: readonly Obstacle[] }
  /** No single change to what stands in the way would do (roundabout ones, such as making room elsewhere, are not tried). */
  | { readonly kind: 'never'; readonly obstacles: readonly Obstacle[] }

/** Answers questions about one plan; plans made for one question serve the others. */
export interface Adviser {
  readonly plan: LabPlan
  /**
   * What would make role number `role` placeable on node number `node`. `most`: how many changes are enough; the
   * cheapest alone is found much faster than all.
   */
  readonly advise: (role: number, node: number, most?: number) => Advice
  /** {@link Adviser.advise} in small steps: each change takes a plan of the whole lab to prove. */
  readonly adviseTask: (role: number, node: number, most?: number) => Task<Advice>
}

/** Plans of changed inputs kept at most: each holds a whole lab planned. */
const MOST_KEPT = 4

/**
 * An adviser on the plan of `inputs`. Nothing it says is reasoned only: every change was applied to the inputs and
 * planned, and the role found placeable on the node in that plan, beside every role placed there.
 *
 * @param memo The memo that `plan` was made with; what is tried here displaces nothing in it.
 * @param plan The plan of `inputs`, if it was made already.
 */
export function createAdviser(
  inputs: PlanInputs,
  memo = new PlanMemo(),
  plan: LabPlan = runSync(planTask(inputs, memo)),
): Adviser {
  const trials = memo.branch()
  const kept = new Map<string, LabPlan>()
  const planAfter: PlanAfter = function* (change, after, { node }) {
    const key = changeKey(change)
    const made = kept.get(key) ?? (yield* planTask(after, trials))
    if (isOfThatNode(change, plan.residency[node]?.nodeId)) return made
    // What was used last stands last.
    kept.delete(key)
    kept.set(key, made)
    const [oldest] = kept.keys()
    if (kept.size > MOST_KEPT && oldest !== undefined) kept.delete(oldest)
    return made
  }
  function* adviseTask(role: number, node: number, most = Infinity): Task<Advice> {
    const obstacles = obstaclesTo(plan, role, node)
    if (obstacles.length === 0) return { kind: 'placeable' }
    const own = plan.roles[role]
    if (own === undefined || isHopeless(obstacles, own)) return { kind: 'never', obstacles }
    const question: Question = { inputs, plan, role, node }
    const changes: Change[] = []
    for (const candidate of candidateChanges(question, obstacles).sort(compareCosts)) {
      if (changes.length >= most) break
      const proved = yield* proveChange(candidate, own, question, planAfter, trials)
      if (proved !== null) changes.push(proved)
    }
    return changes.length === 0 ? { kind: 'never', obstacles } : { kind: 'changes', changes, obstacles }
  }
  return { plan, adviseTask, advise: (role, node, most) => runSync(adviseTask(role, node, most)) }
}

/** The plan of `after`, which is the inputs of the question after the change. */
type PlanAfter = (change: Change, after: PlanInputs, question: Question) => Task<LabPlan>

/** Whether the change concerns that node alone, so that asking about another node never suggests it. */
function isOfThatNode(change: Change, nodeId: string | undefined): boolean {
  return 'node' in change && change.node === nodeId
}

/**
 * Whether something hard is in the way, for good: where a word of the operator's puts the node out, taking that back
 * may leave it to another word that puts it in despite its failures.
 */
function isHopeless(obstacles: readonly Obstacle[], role: RolePlan): boolean {
  const onAWord = obstacles.some(
    (obstacle) =>
      obstacle.kind === 'constraint' &&
      obstacle.failure.constraint === 'override' &&
      obstacle.failure.by !== 'declaration',
  )
  return !onAWord && obstacles.some((obstacle) => isHard(obstacle, role))
}

/**
 * Whether the role would be placeable there after the change if it were the only one of the roster. A change that is
 * not enough even then need not be planned with all of them, which takes a hundred times as long.
 */
function* doesAlone(
  after: PlanInputs,
  { imported }: RolePlan,
  node: number,
  trials: PlanMemo,
): Task<boolean> {
  const { roster } = after.lab
  if (roster === null) return false
  const lab = { ...after.lab, roster: { ...roster, entries: [imported.entry] } }
  return obstaclesTo(yield* planTask({ ...after, lab }, trials), 0, node).length === 0
}

/** More free memory may bring other roles to the node; so many times what they take is asked for on top. */
const MEMORY_ROUNDS = 4

/** The change, when the role is placeable in the plan made with it (asking for more memory where other roles came too). */
function* proveChange(
  candidate: Change,
  own: RolePlan,
  question: Question,
  planAfter: PlanAfter,
  trials: PlanMemo,
): Task<Change | null> {
  const { inputs, role, node } = question
  const verdict = own.verdictAt(node)
  let change = candidate
  for (let round = 0; round < MEMORY_ROUNDS; round++) {
    const after = applyChange(inputs, change)
    if (round === 0 && !(yield* doesAlone(after, own, node, trials))) return null
    const obstacles = obstaclesTo(yield* planAfter(change, after, question), role, node)
    if (obstacles.length === 0) return change
    const [only, ...others] = obstacles
    if (change.kind !== 'free_memory' || others.length > 0) return null
    if (!verdict || only?.kind !== 'co_residency' || only.refusal.kind !== 'over_budget') return null
    const larger = memoryOf(verdict, change.bytes + only.refusal.needed - only.refusal.free)
    if (larger === null) return null
    change = larger
  }
  return null
}
