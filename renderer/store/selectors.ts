import { memoize } from './memoize.ts'
import type { LiveComparison, LiveRole } from '../../shared/live/compare-live.ts'
import { compareToPlan } from '../../shared/live/expected-roles.ts'
import { nodesNow, withServersSeen, type NodeNow } from '../../shared/live/servers-seen.ts'
import { observedFromJson, type LiveReport } from '../../shared/live/observed-json.ts'
import type { LabPlan, PlanInputs, RolePlan } from '../../shared/plan/types.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import type { Lab } from '../../shared/lab/lab.ts'
import type { OverlayDocument } from '../../shared/overlay/types.ts'
import type { Problem } from '../../shared/problem.ts'
import { diffPlans, planOutline, type PlanDiff } from '../../shared/report/plan-diff.ts'
import type { PlanMemo } from '../../shared/plan/plan-memo.ts'
import { plan } from '../../shared/plan/planner.ts'
import { selectScenarioProblems } from './named-scenarios.ts'
import { isUnsaved } from './overlay-state.ts'
import type { PlannerState } from './planner-state.ts'

/** Scenarios whose inputs stay the same objects: that of the plan on screen, and the wanted one or the one before. */
const SCENARIOS_KEPT = 2

/** The scenario judged at the lab's reading. */
const scenarioAt = memoize((scenario: Scenario, nowSecs: number): Scenario => {
  return { ...scenario, nowSecs: scenario.nowSecs ?? nowSecs }
}, SCENARIOS_KEPT)

const inputsOf = memoize((lab: Lab, overlay: OverlayDocument | null, scenario: Scenario): PlanInputs => {
  return { lab, overlay, scenario }
}, SCENARIOS_KEPT)

/** All that the plan on screen is made from; null until a lab is open. */
export function selectInputs(state: PlannerState): PlanInputs | null {
  if (state.lab.status !== 'open') return null
  const { behind } = state
  return inputsUnder(behind?.lab === state.lab.lab ? behind.shown : state.scenario, state)
}

/** All that the plan of the wanted scenario is made from; mostly the same as {@link selectInputs}. */
export function selectWantedInputs(state: PlannerState): PlanInputs | null {
  return inputsUnder(state.scenario, state)
}

const labRunning = memoize(withServersSeen, SCENARIOS_KEPT)

function inputsUnder(scenario: Scenario, { lab, overlay, live }: PlannerState): PlanInputs | null {
  if (lab.status !== 'open') return null
  return inputsOf(
    labRunning(lab.lab, live.running),
    overlay?.document ?? null,
    scenarioAt(scenario, lab.readAtSecs),
  )
}

/** Plans stay for as long as what they are made from. */
const plans = new WeakMap<PlanInputs, LabPlan>()

/** Keeps a plan of `inputs` that was made before anybody shows it. */
export function keepPlan(inputs: PlanInputs, plan: LabPlan): void {
  plans.set(inputs, plan)
}

export function isPlanned(inputs: PlanInputs): boolean {
  return plans.has(inputs)
}

function planned(inputs: PlanInputs, memo: PlanMemo): LabPlan {
  const made = plans.get(inputs) ?? plan(inputs.lab, inputs.overlay, inputs.scenario, memo)
  plans.set(inputs, made)
  return made
}

/** The plan on screen: of the lab, the last good overlay, the scenario. Null until a lab is open. */
export function selectPlan(state: PlannerState): LabPlan | null {
  const inputs = selectInputs(state)
  return inputs === null ? null : planned(inputs, state.memo)
}

/** Faults of a file that is not there; with any other something is in its place. */
const NOT_THERE: readonly string[] = ['file-missing', 'file-dangling-link']

/** Why what is in the overlay's place cannot be read (a folder, bytes that are no text), in a sentence; else null. */
export function selectOverlayFault({ lab }: PlannerState): string | null {
  if (lab.status !== 'open') return null
  const { problems, overlayFile } = lab.snapshot.lab
  const fault = problems.find(
    ({ file, severity, code }) =>
      file === overlayFile && severity === 'error' && code.startsWith('file-') && !NOT_THERE.includes(code),
  )
  return fault?.message ?? null
}

/** Whether the plan on screen is not yet of the scenario that the controls show, and for long enough to show it. */
export function selectIsPlanning(state: PlannerState): boolean {
  return state.lab.status === 'open' && state.behind?.lab === state.lab.lab && state.behind.isLong
}

const NO_DIFF: PlanDiff = { policy: [], roles: [], compared: 0 }

const diffOf = memoize((before: LabPlan, after: LabPlan): PlanDiff =>
  before === after ? NO_DIFF : diffPlans(planOutline(before), planOutline(after)),
)

/** What the plan on screen has differently from the pinned one; null when none is pinned. */
export function selectDiff(state: PlannerState): PlanDiff | null {
  const plan = selectPlan(state)
  return state.baseline === null || plan === null ? null : diffOf(state.baseline.plan, plan)
}

/** Why the plan on screen may not be of the present files and text; empty when it is. */
const staleReasonsOf = memoize(
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

const problemsOf = memoize(
  (
    planned: readonly Problem[],
    overlay: readonly Problem[],
    scenarios: readonly Problem[],
  ): readonly Problem[] => {
    const order = { error: 0, warning: 1, info: 2 }
    return [...overlay, ...planned, ...scenarios].toSorted((a, b) => order[a.severity] - order[b.severity])
  },
)

/** Every problem on screen, errors first: of the files, of the cross-checks and of the overlay's present text. */
export function selectProblems(state: PlannerState): readonly Problem[] {
  return problemsOf(
    selectPlan(state)?.problems ?? NONE,
    state.overlay?.problems ?? NONE,
    selectScenarioProblems(state),
  )
}

const roleOf = memoize((plan: LabPlan | null, role: string | null): RolePlan | null => {
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

const liveOf = memoize((plan: LabPlan, report: LiveReport): LiveComparison =>
  compareToPlan(plan, report.addresses.map(observedFromJson)),
)

/** What runs now against the plan on screen; null while nothing was observed. */
export function selectLive(state: PlannerState): LiveComparison | null {
  const plan = selectPlan(state)
  const { report } = state.live
  return plan === null || report === null ? null : liveOf(plan, report)
}

const liveRolesOf = memoize((live: LiveComparison | null): ReadonlyMap<string, LiveRole> | null =>
  live === null ? null : new Map(live.roles.map((role) => [role.role, role])),
)

/** What each role does now, by its id; null while nothing was observed. */
export function selectLiveRoles(state: PlannerState): ReadonlyMap<string, LiveRole> | null {
  return liveRolesOf(selectLive(state))
}

const nodesNowOf = memoize((report: LiveReport): ReadonlyMap<string, NodeNow> =>
  nodesNow(report.addresses.map(observedFromJson)),
)

/** What the servers of each node hold now, by node id; null while nothing was observed. */
export function selectNodesNow({ live: { report } }: PlannerState): ReadonlyMap<string, NodeNow> | null {
  return report === null ? null : nodesNowOf(report)
}
