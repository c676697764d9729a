import { sumBytes } from '../bytes.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { LabPlan } from '../plan/types.ts'

/** One scenario of a table, planned. */
interface ScenarioColumn {
  readonly name: string
  readonly running: number
  readonly cannotRun: number
  /** Everything that moves, each model once a node. */
  readonly bytes: bigint
}

export interface ScenarioRow {
  readonly role: string
  /** The role's outcome under each scenario, in the order of the columns. */
  readonly outcomes: readonly Outcome[]
  /** Whether it is not the same under all of them. */
  readonly differs: boolean
}

/** Roles × scenarios. */
export interface ScenarioTable {
  readonly columns: readonly ScenarioColumn[]
  /** In roster order. */
  readonly rows: readonly ScenarioRow[]
}

/** Holds plans of one lab and overlay, each under another scenario, against each other. */
export function scenarioTable(
  plans: readonly { readonly name: string; readonly plan: LabPlan }[],
): ScenarioTable {
  const [first] = plans
  return {
    columns: plans.map(({ name, plan }) => ({
      name,
      running: plan.roles.filter(({ outcome }) => outcome.nodeId !== null).length,
      cannotRun: plan.roles.filter(({ outcome }) => outcome.kind === 'cannot_run').length,
      bytes: sumBytes(plan.residency.map(({ incomingBytes }) => incomingBytes)),
    })),
    rows: (first?.plan.roles ?? []).map(({ role }, i) => {
      const outcomes = plans.flatMap(({ plan }) => plan.roles[i]?.outcome ?? [])
      return { role, outcomes, differs: outcomes.some((outcome) => !isSame(outcome, outcomes[0])) }
    }),
  }
}

function isSame(a: Outcome, b: Outcome | undefined): boolean {
  return a.kind === b?.kind && a.nodeId === b.nodeId && a.bytes === b.bytes
}
