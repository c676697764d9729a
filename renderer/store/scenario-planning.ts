import type { StoreApi } from 'zustand/vanilla'
import { precomputePlan } from '../../shared/plan/planner.ts'
import type { LabPlan, PlanInputs } from '../../shared/plan/types.ts'
import type { Task } from '../../shared/task.ts'
import { runInSlices, LONG_MS, yieldToEventLoop, runSlice } from './run-in-slices.ts'
import type { PlannerState } from './planner-state.ts'
import { isPlanned, keepPlan, selectWantedInputs } from './selectors.ts'

/** The part of the state that a change of the scenario is. */
export type ScenarioState = Pick<PlannerState, 'scenario' | 'scenarioPast' | 'scenarioFuture'>

/**
 * The way to turn to another scenario. The controls show it at once; so does the plan where planning takes no longer
 * than a slice. Else the plan before stays on screen, known to be {@link PlannerState.behind}, while the wanted one is
 * made in slices. The latest change wins; a change of the lab or the overlay starts its planning again.
 */
export function createScenarioPlanning(
  store: StoreApi<PlannerState>,
): (patch: Partial<ScenarioState>) => void {
  /** Counts changes: the planning of an older one is given up. */
  let latest = 0

  return (patch) => {
    const change = ++latest
    const before = store.getState()
    const wanted = selectWantedInputs({ ...before, ...patch })
    if (wanted === null || isPlanned(wanted)) {
      store.setState({ ...patch, behind: null })
      return
    }
    const steps = precomputePlan(wanted, before.memo, before.view.role)
    const done = runSlice(steps)
    if (done !== null) {
      keepPlan(wanted, done.value)
      store.setState({ ...patch, behind: null })
      return
    }
    if (before.lab.status !== 'open') return
    const { lab } = before.lab
    const shown = before.behind?.lab === lab ? before.behind.shown : before.scenario
    store.setState({ ...patch, behind: { lab, shown, isLong: false } })
    void continuePlanning(store, wanted, steps, {
      since: performance.now(),
      isOvertaken: () => change !== latest,
    })
  }
}

interface Run {
  /** When it began, by `performance.now`. */
  readonly since: number
  /** Whether a later change has taken its place. */
  readonly isOvertaken: () => boolean
}

/** Goes on with `steps`, begun for `wanted`, until what is wanted by then is planned, and shows it. */
async function continuePlanning(
  store: StoreApi<PlannerState>,
  wanted: PlanInputs,
  steps: Task<LabPlan>,
  run: Run,
): Promise<void> {
  const wantedNow = (): PlanInputs | null => selectWantedInputs(store.getState())
  const tellWhenLong = (): void => {
    const { behind } = store.getState()
    if (behind === null || behind.isLong || performance.now() - run.since < LONG_MS) return
    store.setState({ behind: { ...behind, isLong: true } })
  }
  await yieldToEventLoop()
  const made = await runInSlices(steps, () => run.isOvertaken() || wantedNow() !== wanted, tellWhenLong)
  if (run.isOvertaken()) return
  if (made !== null) keepPlan(wanted, made.value)
  const now = wantedNow()
  if (now === null || isPlanned(now)) store.setState({ behind: null })
  else {
    const { memo, view } = store.getState()
    await continuePlanning(store, now, precomputePlan(now, memo, view.role), run)
  }
}
