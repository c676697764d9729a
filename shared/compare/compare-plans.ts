import { jsonText, type JsonInput } from '../json/json-text.ts'
import {
  diffPlans,
  planOutline,
  type PlanDiff,
  type PlanOutline,
  type RoleChange,
} from '../report/plan-diff.ts'
import { PlanMemo } from '../plan/plan-memo.ts'
import { planTask } from '../plan/planner.ts'
import type { PlanInputs } from '../plan/types.ts'
import { runSync, type Task } from '../task.ts'
import type { Difference } from './difference.ts'
import { inputDifferences, mixInputs } from './mix-inputs.ts'
import { smallestSet, type FoundSet } from './smallest-set.ts'

/** What made a role come out differently: with these alone changed, the first inputs plan it as the second do. */
export interface Causes {
  readonly differences: readonly Difference[]
  /** How small a set this is known to be; `bounded`: the search was cut off, some of it may have no part in it. */
  readonly proof: FoundSet['proof']
}

export interface ExplainedChange extends RoleChange {
  /** Null when replaying every difference does not give the second plan (which would be a fault of the replay). */
  readonly causes: Causes | null
}

/** Two plans compared, and what of their inputs made the difference. */
export interface Comparison extends PlanDiff {
  readonly roles: readonly ExplainedChange[]
  /** Every difference of the inputs, also those without effect. */
  readonly differences: readonly Difference[]
}

/** How many plans a comparison makes at most to find causes. */
const DEFAULT_REPLAYS = 600

/**
 * Compares the plans of inputs `a` and `b`, and finds for every role that changed the smallest set of input differences
 * that alone reproduces its change: they are replayed over `a` one by one, then in pairs, then by delta debugging. Never
 * a guess: each answer was planned. At most `replays` plans are made.
 */
export function comparePlans(
  a: PlanInputs,
  b: PlanInputs,
  memo = new PlanMemo(),
  replays = DEFAULT_REPLAYS,
): Comparison {
  return runSync(compareTask(a, b, memo, replays))
}

/**
 * {@link comparePlans} in small steps: hundreds of plans take a while in a large lab.
 *
 * @param memo What earlier plans found out, such as those on screen; what is tried here displaces nothing in it.
 */
export function* compareTask(
  a: PlanInputs,
  b: PlanInputs,
  memo: PlanMemo,
  replays = DEFAULT_REPLAYS,
): Task<Comparison> {
  const after = planOutline(yield* planTask(b, memo))
  const diff = diffPlans(planOutline(yield* planTask(a, memo)), after)
  const differences = inputDifferences(a, b)
  const replay = new Replay(a, b, differences, memo.branch(), replays)
  const goal = outcomesOf(after)
  const roles: ExplainedChange[] = []
  for (const change of diff.roles)
    roles.push({ ...change, causes: yield* causesOf(change.role, goal, replay) })
  return { ...diff, differences, roles }
}

function* causesOf(role: string, goal: Outcomes, replay: Replay): Task<Causes | null> {
  const { differences } = replay
  function* holds(members: readonly number[]): Task<boolean> {
    return (yield* replay.outcomes(members)).get(role) === goal.get(role)
  }
  const all = differences.map((_, i) => i)
  if (all.length === 0 || !(yield* holds(all))) return null
  const { members, proof } = yield* smallestSet(all.length, holds, () => replay.mayGoOn())
  return { differences: members.flatMap((i) => differences[i] ?? []), proof }
}

/** What became of each roster id, as a text to compare by. */
type Outcomes = ReadonlyMap<string, string>

function outcomesOf(plan: PlanOutline): Outcomes {
  const outcomes = new Map<string, string>()
  const add = (id: string, outcome: JsonInput): void => {
    outcomes.set(id, `${outcomes.get(id) ?? ''}${jsonText(outcome)}\n`)
  }
  // What the other roles hold on a node, as a reason states it, is no outcome of the role's own.
  for (const role of plan.roles) {
    const { outcome } = role
    add(role.role, { ...role, outcome: outcome && { ...outcome, reason: null } })
  }
  for (const skipped of plan.skipped) add(skipped.id, skipped)
  return outcomes
}

/** Plans of `a` with some of the differences, each made once for all roles. */
class Replay {
  readonly differences: readonly Difference[]
  readonly #a: PlanInputs
  readonly #b: PlanInputs
  readonly #trials: PlanMemo
  readonly #known = new Map<string, Outcomes>()
  #left: number

  constructor(
    a: PlanInputs,
    b: PlanInputs,
    differences: readonly Difference[],
    trials: PlanMemo,
    replays: number,
  ) {
    this.#trials = trials
    this.#a = a
    this.#b = b
    this.differences = differences
    this.#left = replays
  }

  mayGoOn(): boolean {
    return this.#left > 0
  }

  *outcomes(members: readonly number[]): Task<Outcomes> {
    const key = members.join(' ')
    const known = this.#known.get(key)
    if (known) return known
    this.#left--
    const taken = members.flatMap((i) => this.differences[i] ?? [])
    const mixed = mixInputs(this.#a, this.#b, taken)
    const outcomes = outcomesOf(planOutline(yield* planTask(mixed, this.#trials)))
    this.#known.set(key, outcomes)
    return outcomes
  }
}
