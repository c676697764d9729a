import type { PlanMemo } from '../plan/plan-memo.ts'
import { planTask } from '../plan/planner.ts'
import type { LabPlan, PlanInputs } from '../plan/types.ts'
import type { Task } from '../task.ts'
import { applyChange } from './apply-change.ts'
import { changeKey, changesAgainstOne, type Question } from './candidates.ts'
import { compareCosts, costOf, type Change } from './change.ts'
import { leastCost, rankNodesTask } from './rank-nodes.ts'
import { obstaclesTo, type Obstacle } from './standing.ts'

/** Changes that together let a role run, proved by a plan with all of them. */
interface Way {
  readonly changes: readonly Change[]
  /** The node the role then runs on. */
  readonly nodeId: string
  /** Roles that run now and would not run then, besides those that a change stops; in roster order. */
  readonly stops: readonly string[]
}

/** The cheapest way to run a role. */
export interface WayAnswer {
  /** Null: none was found. With no changes, the role runs already. */
  readonly way: Way | null
  /** Whether the search came to its end; if not, there may be a cheaper way, or one at all. */
  readonly isComplete: boolean
}

/** Changes that one way has at most. */
const MOST_CHANGES = 4

/** Nodes that are looked at, the most useful first. A lab has many of a kind. */
const MOST_NODES = 40

/** States that wait at most: a bound on memory, far beyond what a few seconds reach. */
const MOST_WAITING = 20_000

/** A role that stops without a change that says so is as dear as stopping it. */
const STOP_COST = costOf({ kind: 'switch_off', role: '', node: '', bytes: 0n })

export interface WaySearch {
  readonly memo: PlanMemo
  /** Whether the time is up; what was found by then is the answer. */
  readonly isOver: () => boolean
}

/** Inputs after some changes, as far as they are known for one node. */
interface State {
  readonly node: number
  readonly inputs: PlanInputs
  readonly changes: readonly Change[]
  /** No way that goes on from here costs less. */
  readonly bound: number
  /** Null until it is planned. `plan` is what the obstacles were found in. */
  readonly found: {
    readonly plan: LabPlan
    readonly role: number
    readonly obstacles: readonly Obstacle[]
  } | null
  readonly way: Way | null
}

/**
 * The cheapest way to run role number `role` of `plan` (the plan of `inputs`): up to {@link MOST_CHANGES} changes, found
 * by looking at combinations in order of their least cost. Each is planned with the role alone first, which is quick,
 * and then with the whole lab.
 */
export function* findWayTask(
  inputs: PlanInputs,
  plan: LabPlan,
  role: number,
  { memo, isOver }: WaySearch,
): Task<WayAnswer> {
  const own = plan.roles[role]
  if (own === undefined) return { way: null, isComplete: true }
  if (own.outcome.nodeId !== null)
    return { way: { changes: [], nodeId: own.outcome.nodeId, stops: [] }, isComplete: true }
  const trials = memo.branch()
  const ranked = (yield* rankNodesTask(inputs, plan, role)).filter(({ cost }) => cost < Infinity)
  let waiting = ranked.slice(0, MOST_NODES).map(({ node, cost }): State => ({
    ...{ node, inputs, changes: [], bound: cost, way: null },
    found: { plan, role, obstacles: obstaclesTo(plan, role, node) },
  }))
  const seen = new Set<string>()
  let isCut = ranked.length > MOST_NODES
  for (;;) {
    yield
    const state = cheapest(waiting)
    if (state === undefined) return { way: null, isComplete: !isCut }
    if (state.way !== null) return { way: state.way, isComplete: true }
    if (isOver()) {
      const best = cheapest(waiting.filter(({ way }) => way !== null))
      return { way: best?.way ?? null, isComplete: false }
    }
    waiting = waiting.filter((other) => other !== state)
    if (state.found === null) {
      waiting.push(...(yield* planned(state, role, plan, trials)))
      continue
    }
    for (const next of following(state, state.found)) {
      const key = stateKey(next)
      if (seen.has(key)) continue
      seen.add(key)
      if (waiting.length < MOST_WAITING) waiting.push(next)
      else isCut = true
    }
  }
}

function cheapest(states: readonly State[]): State | undefined {
  let best: State | undefined
  for (const state of states) {
    if (best === undefined || isBefore(state, best)) best = state
  }
  return best
}

/** Of equal bounds what is found already comes first, then fewer changes. */
function isBefore(a: State, b: State): boolean {
  if (a.bound !== b.bound) return a.bound < b.bound
  if ((a.way === null) !== (b.way === null)) return a.way !== null
  return a.changes.length < b.changes.length
}

function stateKey({ node, changes }: State): string {
  return `${node} ${changes.map(changeKey).sort().join(' ')}`
}

/** The state with its obstacles known, as a way when there is none left; nothing when it leads nowhere. */
function* planned(state: State, role: number, before: LabPlan, trials: PlanMemo): Task<State[]> {
  const { inputs, node, changes } = state
  const own = before.roles[role]
  const { roster } = inputs.lab
  if (own === undefined || roster === null) return []
  const cost = changes.reduce((sum, change) => sum + costOf(change), 0)
  const withObstacles = (plan: LabPlan, number: number, obstacles: readonly Obstacle[]): State[] => {
    const bound = cost + leastCost({ inputs, plan, role: number, node }, obstacles)
    return bound === Infinity ? [] : [{ ...state, bound, found: { plan, role: number, obstacles } }]
  }
  const lab = { ...inputs.lab, roster: { ...roster, entries: [own.imported.entry] } }
  const alone = yield* planTask({ ...inputs, lab }, trials)
  const obstaclesAlone = obstaclesTo(alone, 0, node)
  if (obstaclesAlone.length > 0) return withObstacles(alone, 0, obstaclesAlone)
  const after = yield* planTask(inputs, trials)
  const obstacles = obstaclesTo(after, role, node)
  const nodeId = after.roles[role]?.outcome.nodeId ?? null
  if (nodeId === null) return obstacles.length === 0 ? [] : withObstacles(after, role, obstacles)
  const stops = stoppedRoles(before, after, changes)
  return [{ ...state, bound: cost + stops.length * STOP_COST, way: { changes, nodeId, stops } }]
}

/** Roles that ran and do not run after the changes, without those that a change stops. */
function stoppedRoles(before: LabPlan, after: LabPlan, changes: readonly Change[]): string[] {
  const meant = new Set(changes.flatMap((change) => (change.kind === 'switch_off' ? [change.role] : [])))
  return before.roles.flatMap(({ role, outcome }, i) => {
    const stops = outcome.nodeId !== null && after.roles[i]?.outcome.nodeId === null
    return stops && !meant.has(role) ? [role] : []
  })
}

/** What can be done about the first obstacle: every way has to do away with it. */
function following(state: State, { plan, role, obstacles }: NonNullable<State['found']>): State[] {
  const [first] = obstacles
  if (first === undefined) return []
  const question: Question = { inputs: state.inputs, plan, role, node: state.node }
  return changesAgainstOne(question, first)
    .sort(compareCosts)
    .flatMap((change): State[] => {
      const changes = withChange(state.changes, change)
      if (changes.length > MOST_CHANGES) return []
      const bound = changes.reduce((sum, each) => sum + costOf(each), 0)
      return [{ ...state, inputs: applyChange(state.inputs, change), changes, bound, found: null }]
    })
}

/** The changes with one more; asking a second time for room on a node asks for more of it. */
function withChange(changes: readonly Change[], change: Change): readonly Change[] {
  if (change.kind !== 'free_memory' && change.kind !== 'free_storage') return [...changes, change]
  const { node, kind } = change
  const before = changes.find((each) => each.kind === kind && each.node === node)
  if (before?.kind !== kind) return [...changes, change]
  const more = before.more === null || change.more === null ? before.more : before.more + change.more
  return changes.map((each) => (each === before ? { ...change, more } : each))
}

/** What it would take to run every role. */
export interface LabWay {
  readonly changes: readonly Change[]
  /** Roles that run now, and that run with all of the changes. */
  readonly before: number
  readonly after: number
  /** Roles that no way was found for. */
  readonly left: readonly string[]
  /** Roles that run now and would not run then. */
  readonly stops: readonly string[]
  readonly isComplete: boolean
}

/**
 * What it would take to run every role of the lab: a way for one role after the other, each beside what was changed for
 * those before, and then without every change that turned out not to be needed. Each role's own way is the cheapest; all
 * of them together need not be.
 */
export function* findLabWayTask(inputs: PlanInputs, plan: LabPlan, search: WaySearch): Task<LabWay> {
  const trials = search.memo.branch()
  const running = (of: LabPlan): number => of.roles.filter(({ outcome }) => outcome.nodeId !== null).length
  let changes: readonly Change[] = []
  let now = { inputs, plan }
  let isComplete = true
  for (let role = 0; role < plan.roles.length; role++) {
    if (now.plan.roles[role]?.outcome.kind !== 'cannot_run') continue
    if (search.isOver()) {
      isComplete = false
      break
    }
    const found = yield* findWayTask(now.inputs, now.plan, role, search)
    isComplete &&= found.isComplete
    if (found.way === null || found.way.stops.length > 0) continue
    const stopsOther = found.way.changes.some(({ kind }) => kind === 'switch_off')
    if (stopsOther) continue
    changes = [...changes, ...found.way.changes]
    const after = applyChanges(now.inputs, found.way.changes)
    now = { inputs: after, plan: yield* planTask(after, trials) }
  }
  for (const change of changes.toSorted((a, b) => compareCosts(b, a))) {
    if (search.isOver()) {
      // Some of these may not be needed.
      isComplete = false
      break
    }
    const fewer = changes.filter((each) => each !== change)
    const after = applyChanges(inputs, fewer)
    const without = yield* planTask(after, trials)
    if (running(without) < running(now.plan)) continue
    changes = fewer
    now = { inputs: after, plan: without }
  }
  return {
    changes,
    before: running(plan),
    after: running(now.plan),
    left: now.plan.roles.flatMap(({ role, outcome }) => (outcome.kind === 'cannot_run' ? [role] : [])),
    stops: stoppedRoles(plan, now.plan, changes),
    isComplete,
  }
}

/** `inputs` after all of `changes`. */
export function applyChanges(inputs: PlanInputs, changes: readonly Change[]): PlanInputs {
  return changes.reduce(applyChange, inputs)
}
