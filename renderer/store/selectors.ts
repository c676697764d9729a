import type { ImportedSpec } from '../../shared/roster/types.ts'
import type { LabPlan, PlanInputs, RolePlan, Scenario } from '../../shared/plan/types.ts'
import type { Lab } from '../../shared/lab.ts'
import type { OverlayDocument } from '../../shared/overlay/types.ts'
import type { Problem } from '../../shared/problem.ts'
import { diffPlans, planOutline, type PlanDiff } from '../../shared/plan/plan-diff.ts'
import { planOf } from '../../shared/plan/planner.ts'
import { isUnsaved } from './overlay-state.ts'
import type { PlannerState } from './planner-state.ts'

/** Remembers the last answer for the last arguments, so that selectors return stable references. */
function remembered<Args extends readonly unknown[], Result>(compute: (...args: Args) => Result): (...args: Args) => Result {
  let last: { readonly args: Args; readonly result: Result } | null = null
  return (...args) => {
    if (last?.args.every((arg, i) => Object.is(arg, args[i]))) return last.result
    const result = compute(...args)
    last = { args, result }
    return result
  }
}

/** The what-if judged at the lab's reading; one object for as long as neither changes, so that decisions are kept. */
const scenarioAt = remembered((scenario: Scenario, nowSecs: number): Scenario => {
  return { ...scenario, nowSecs: scenario.nowSecs ?? nowSecs }
})

const inputsOf = remembered((lab: Lab, overlay: OverlayDocument | null, scenario: Scenario): PlanInputs => {
  return { lab, overlay, scenario }
})

/** All that the plan on screen is made from; null until a lab is open. */
export function selectInputs(state: PlannerState): PlanInputs | null {
  if (state.lab.status !== 'open') return null
  return inputsOf(state.lab.lab, state.overlay?.document ?? null, scenarioAt(state.scenario, state.lab.readAtSecs))
}

const planned = remembered((inputs: PlanInputs): LabPlan => planOf(inputs))

/** The plan of what is on screen: the lab, the last good overlay, the what-if. Null until a lab is open. */
export function selectPlan(state: PlannerState): LabPlan | null {
  const inputs = selectInputs(state)
  return inputs === null ? null : planned(inputs)
}

const NO_DIFF: PlanDiff = { policy: [], roles: [], compared: 0 }

const diffOf = remembered((before: LabPlan, after: LabPlan): PlanDiff =>
  before === after ? NO_DIFF : diffPlans(planOutline(before), planOutline(after)),
)

/** What the plan on screen has differently from the pinned one; null when none is pinned. */
export function selectDiff(state: PlannerState): PlanDiff | null {
  const plan = selectPlan(state)
  return state.baseline === null || plan === null ? null : diffOf(state.baseline.plan, plan)
}

/** Why the plan on screen may not be of the present files and text; empty when it is. */
const staleReasonsOf = remembered(
  (snapshotStale: string | null, rosterStale: string | null, overlayStale: boolean): readonly string[] => [
    ...(snapshotStale === null ? [] : [snapshotStale]),
    ...(rosterStale === null ? [] : [`the roster cannot be read: ${rosterStale}`]),
    ...(overlayStale ? ['the overlay text has errors, so the plan is of its last good version'] : []),
  ],
)

export function selectStaleReasons(state: PlannerState): readonly string[] {
  if (state.lab.status !== 'open') return NONE
  return staleReasonsOf(state.lab.snapshot.stale, state.lab.rosterStale, state.overlay?.stale ?? false)
}

const NONE: readonly never[] = []

const problemsOf = remembered((planned: readonly Problem[], overlay: readonly Problem[]): readonly Problem[] => {
  const order = { error: 0, warning: 1, info: 2 }
  return [...overlay, ...planned].toSorted((a, b) => order[a.severity] - order[b.severity])
})

/** Every problem on screen, errors first: of the files, of the cross-checks and of the overlay's present text. */
export function selectProblems(state: PlannerState): readonly Problem[] {
  return problemsOf(selectPlan(state)?.problems ?? NONE, state.overlay?.problems ?? NONE)
}

const roleOf = remembered((plan: LabPlan | null, role: string | null): RolePlan | null => {
  if (plan === null) return null
  return plan.roles.find((candidate) => candidate.role === role) ?? plan.roles[0] ?? null
})

/** The selected role's plan; the first role when the selected one is gone. */
export function selectRole(state: PlannerState): RolePlan | null {
  return roleOf(selectPlan(state), state.view.role)
}

export function selectUnsaved(state: PlannerState): boolean {
  return state.overlay !== null && isUnsaved(state.overlay)
}

const specsOf = remembered((plan: LabPlan | null): readonly ImportedSpec[] =>
  plan === null ? NONE : plan.roles.map((role) => role.imported),
)

/** The importable roles' specs, in roster order. */
export function selectSpecs(state: PlannerState): readonly ImportedSpec[] {
  return specsOf(selectPlan(state))
}
