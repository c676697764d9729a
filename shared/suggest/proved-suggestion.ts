import { sumBytes } from '../bytes.ts'
import { LATENCY_TRAITS } from '../inference-spec.ts'
import { PlanMemo } from '../plan/plan-memo.ts'
import { plan as planLab } from '../plan/planner.ts'
import type { LabPlan, PlanInputs } from '../plan/types.ts'
import { compareScores, type Score } from './assignment.ts'
import type { Solver } from './mip.ts'
import { suggestPlan, type Suggestion } from './suggest-plan.ts'

/** What a whole plan is worth, over every role of it that is not switched off. */
export interface PlanTally extends Score {
  readonly roles: number
  /** Roles that run; the same as `placed`. */
  readonly running: number
}

/** A suggestion, and what planning with it gives. */
export interface ProvedSuggestion {
  readonly suggestion: Suggestion
  /** The plan it was asked for. */
  readonly plan: LabPlan
  readonly now: PlanTally
  /** Of the plan under the suggestion's scenario. */
  readonly then: PlanTally
  /** Whether anything gets better; otherwise there is nothing to take over. */
  readonly isBetter: boolean
}

/**
 * A suggestion for the lab of `inputs`, within `seconds` of the solver's time, held against the plan as it is: both are
 * counted from plans of the whole lab, so roles that the solver cannot give a node count as well.
 */
export async function proveSuggestion(
  inputs: PlanInputs,
  solver: Solver,
  seconds: number,
): Promise<ProvedSuggestion> {
  const memo = new PlanMemo()
  const plan = planLab(inputs.lab, inputs.overlay, inputs.scenario, memo)
  const suggestion = await suggestPlan(plan, solver, seconds)
  const suggested = planLab(inputs.lab, inputs.overlay, suggestion.scenario, memo)
  const now = tallyOf(plan, plan)
  const then = tallyOf(suggested, plan)
  return { suggestion, plan, now, then, isBetter: compareScores(then, now) < 0 }
}

/** Counts `plan`; a sticky role is at home where `before` runs it without moving anything. */
function tallyOf(plan: LabPlan, before: LabPlan): PlanTally {
  const on = plan.roles.filter(({ outcome }) => outcome.kind !== 'switched_off')
  const running = on.filter(({ outcome }) => outcome.nodeId !== null)
  const atHome = plan.roles.filter(({ imported, outcome }, i) => {
    const home = before.roles[i]?.outcome
    return (
      imported.spec.sticky && home?.bytes === 0n && home.nodeId !== null && outcome.nodeId === home.nodeId
    )
  })
  return {
    roles: on.length,
    running: running.length,
    interactivePlaced: running.filter(({ imported }) => LATENCY_TRAITS[imported.spec.latencyClass].hasBound)
      .length,
    placed: running.length,
    bytes: sumBytes(plan.residency.map(({ incomingBytes }) => incomingBytes)),
    stickyAtHome: atHome.length,
    portClashes: portClashes(plan),
  }
}

/** Pairs of roles that one node runs on one port. */
function portClashes({ roles }: LabPlan): number {
  const counts = new Map<string, number>()
  let clashes = 0
  for (const { outcome, imported } of roles) {
    const { port } = imported.spec.serve
    if (outcome.nodeId === null || port === null) continue
    const key = `${port} ${outcome.nodeId}`
    const count = counts.get(key) ?? 0
    clashes += count
    counts.set(key, count + 1)
  }
  return clashes
}
