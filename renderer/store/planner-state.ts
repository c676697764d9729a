import type { HostInfo, Settings } from '../../shared/host-api.ts'
import type { ScanReport } from '../../shared/scan/scan-report.ts'
import type { MachineReport } from '../../shared/gather/report.ts'
import type { LiveChange } from '../../shared/live/history.ts'
import type { ObservedAddress } from '../../shared/live/types.ts'
import type { LiveReport } from '../../shared/live/observed-json.ts'
import type { Lab } from '../../shared/lab/lab.ts'
import { DEFAULT_SCENARIO } from '../../shared/scenario/scenario.ts'
import { PlanMemo } from '../../shared/plan/plan-memo.ts'
import type { LabPlan, PlanInputs } from '../../shared/plan/types.ts'
import type { Scenario } from '../../shared/scenario/scenario.ts'
import type { Connection } from './connection.ts'
import type { LabState } from './lab-state.ts'
import type { CurrentScenario } from './named-scenarios.ts'
import type { OverlayState } from './overlay-state.ts'
import { START_VIEW, type Dialog, type Toast, type ViewState } from './view-state.ts'

/** A plan that was pinned, with all it was made from. */
interface Baseline {
  readonly inputs: PlanInputs
  readonly plan: LabPlan
}

/** That the plan on screen is of an earlier scenario than the wanted one, whose plan is being made. */
interface Behind {
  /** The lab that is meant: of another one, opened meanwhile, the wanted plan is shown from the first. */
  readonly lab: Lab
  /** What the plan on screen is of. */
  readonly shown: Scenario
  /** Whether it takes so long that a person wonders. */
  readonly isLong: boolean
}

/** Watching what the lab's servers run. */
export interface LiveWatch {
  readonly on: boolean
  /** Null before the first round. */
  readonly report: LiveReport | null
  /** What servers answered that they run: the plan counts with it. The same object while it says the same. */
  readonly running: readonly ObservedAddress[]
  /** Changes of state that the host keeps, oldest first. */
  readonly history: readonly LiveChange[]
}

export const NOT_WATCHING: LiveWatch = { on: false, report: null, running: [], history: [] }

/** Everything the page knows. The plan is not here: it is derived (`selectors.ts`). */
export interface PlannerState {
  readonly host: HostInfo | null
  readonly connection: Connection
  readonly lab: LabState
  /** What planning remembers from one plan to the next; dropped with the page. */
  readonly memo: PlanMemo
  /**
   * How much of a lab that is being read has been read, 0 to 1 (null while nothing is known); null when none is, or not
   * for long.
   */
  readonly reading: { readonly share: number | null } | null
  /** Null until a lab is open. */
  readonly overlay: OverlayState | null
  /** The scenario that is wanted, as the controls show it; `nowSecs` is filled in from the lab's reading when planning. */
  readonly scenario: Scenario
  /** Null when the plan on screen is of `scenario`: always, but for a moment in a lab of thousands of nodes. */
  readonly behind: Behind | null
  /** What was assumed before, and what was undone; the last one of each is the next to come back. */
  readonly scenarioPast: readonly Scenario[]
  readonly scenarioFuture: readonly Scenario[]
  /** The scenario kept beside the lab that was switched to; null where none was. */
  readonly named: CurrentScenario | null
  /** What the present plan is compared with; null when nothing is pinned. */
  readonly baseline: Baseline | null
  readonly view: ViewState
  readonly dialog: Dialog | null
  readonly toasts: readonly Toast[]
  readonly settings: Settings
  readonly saving: boolean
  /** The scan that runs or was the last to run; null when none was started or its outcome was put away. */
  readonly scan: ScanReport | null
  /** The lab's machines, as the host last said; null before the first time. */
  readonly machines: MachineReport | null
  /** What the lab's servers run: asked only while it is on. `report` is the last round's; null before the first. */
  readonly live: LiveWatch
}

/** The state of a page that has just opened. */
export function startState(): PlannerState {
  return {
    host: null,
    memo: new PlanMemo(),
    connection: 'connected',
    lab: { status: 'opening' },
    reading: null,
    overlay: null,
    scenario: DEFAULT_SCENARIO,
    behind: null,
    scenarioPast: [],
    scenarioFuture: [],
    named: null,
    baseline: null,
    view: START_VIEW,
    dialog: null,
    toasts: [],
    settings: { theme: 'system', zoom: 1, layout: {} },
    saving: false,
    scan: null,
    machines: null,
    live: NOT_WATCHING,
  }
}
