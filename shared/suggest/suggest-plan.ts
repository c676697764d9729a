import type { LabPlan } from '../plan/types.ts'
import type { Scenario } from '../scenario/scenario.ts'
import {
  assignmentOfPlan,
  compareScores,
  greedyAssignment,
  optionOf,
  scoreOf,
  violations,
  type Assignment,
  type Score,
} from './assignment.ts'
import { MipModel, type Stage } from './mip-model.ts'
import type { Solver } from './mip.ts'
import { problemOf, type AssignmentProblem } from './assignment-problem.ts'

/** How much is known of how good a suggestion is. */
export type Proof =
  /** There is none better. */
  | { readonly kind: 'optimal' }
  /** At `stage` the time ran out, or the solver failed; what was found until then stands. */
  | {
      readonly kind: 'open'
      readonly stage: Stage
      /**
       * What no assignment can be better than at that stage: roles placed (an interactive one counting for more than
       * all others), megabytes moved, or sticky roles kept; null when nothing is known.
       */
      readonly bound: number | null
    }

/** An assignment of nodes to roles, as a scenario to look at; nothing is applied by itself. */
export interface Suggestion {
  readonly problem: AssignmentProblem
  readonly assignment: Assignment
  readonly score: Score
  /** What placing the roles one by one reaches, for comparison. */
  readonly greedy: Score
  readonly proof: Proof
  /** The plan's scenario with every assigned role pinned to its node. */
  readonly scenario: Scenario
}

/** Seconds that a suggestion may take by default. */
export const DEFAULT_TIME_LIMIT = 5

const STAGES: readonly Stage[] = ['placed', 'bytes', 'kept']

/** How much of the time left a stage may take: the last bytes are not worth leaving every sticky role cold. */
const SHARES: Readonly<Record<Stage, number>> = { placed: 0.5, bytes: 0.75, kept: 1 }

/**
 * Suggests nodes for all roles of `plan` together: as many interactive roles as can be, then as many roles, then the
 * fewest bytes moved, then as many sticky roles at home and as few clashes of ports, each without giving up the ones
 * before. Memory, excludes, ceilings and space hold exactly: what the solver finds is checked in whole bytes, and a
 * combination that rounding let through is forbidden and solved again. Never worse than placing one by one.
 */
export async function suggestPlan(
  plan: LabPlan,
  solver: Solver,
  timeLimitSecs: number = DEFAULT_TIME_LIMIT,
): Promise<Suggestion> {
  const problem = problemOf(plan)
  const greedy = bestOf(problem, [
    greedyAssignment(problem),
    assignmentOfPlan(problem, (role) => plan.roles[role]?.outcome.nodeId ?? null),
  ])
  const model = new MipModel(problem)
  let best = greedy
  let left = timeLimitSecs
  let proof: Proof = { kind: 'optimal' }
  if (problem.roles.length > 0) {
    for (const stage of STAGES) {
      const found = await solveStage(problem, model, stage, best, solver, left * SHARES[stage])
      best = found.best
      left -= found.seconds
      if (!found.isOptimal && proof.kind === 'optimal') proof = { kind: 'open', stage, bound: found.bound }
    }
  }
  return {
    problem,
    assignment: best,
    score: scoreOf(problem, best),
    greedy: scoreOf(problem, greedy),
    proof,
    scenario: pinnedScenario(plan.scenario, problem, best),
  }
}

interface StageResult {
  readonly best: Assignment
  readonly isOptimal: boolean
  readonly bound: number | null
  readonly seconds: number
}

/** Rounding is forbidden at most so often a stage. */
const MOST_ROUNDS = 20

async function solveStage(
  problem: AssignmentProblem,
  model: MipModel,
  stage: Stage,
  start: Assignment,
  solver: Solver,
  timeLimitSecs: number,
): Promise<StageResult> {
  let seconds = 0
  for (let round = 0; round < MOST_ROUNDS && seconds < timeLimitSecs; round++) {
    const answer = await solver(model.mip(stage, scoreOf(problem, start), start), timeLimitSecs - seconds)
    seconds += answer.seconds
    if (answer.values === null) return { best: start, isOptimal: false, bound: answer.bound, seconds }
    const found = model.decode(answer.values)
    const wrong = violations(problem, found)
    if (wrong.length === 0) {
      return {
        best: bestOf(problem, [start, found]),
        isOptimal: answer.status === 'optimal',
        bound: answer.bound,
        seconds,
      }
    }
    for (const violation of wrong) model.forbid(violation)
  }
  return { best: start, isOptimal: false, bound: null, seconds }
}

function bestOf(problem: AssignmentProblem, assignments: readonly [Assignment, ...Assignment[]]): Assignment {
  return assignments.reduce((best, each) =>
    compareScores(scoreOf(problem, each), scoreOf(problem, best)) < 0 ? each : best,
  )
}

function pinnedScenario(scenario: Scenario, problem: AssignmentProblem, assignment: Assignment): Scenario {
  const pinned = new Map(scenario.pinned)
  problem.roles.forEach(({ name }, role) => {
    const option = optionOf(problem, assignment, role)
    const nodeId = option === null ? undefined : problem.nodes[option.node]?.nodeId
    if (nodeId !== undefined) pinned.set(name, nodeId)
  })
  return { ...scenario, pinned }
}
