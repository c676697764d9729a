import { CELL_STEP } from '../memory/cells.ts'
import { MAX_COUNT, type ModelShape } from '../memory/shape.ts'
import type { Outcome } from '../plan/outcome.ts'
import type { PlanMemo } from '../plan/plan-memo.ts'
import { planTask } from '../plan/planner.ts'
import { roleMemory } from '../plan/role-memory.ts'
import type { LabPlan, PlanInputs } from '../plan/types.ts'
import { withContexts } from '../scenario/with-contexts.ts'
import type { Task } from '../task.ts'

/** A role that runs elsewhere, or no longer, under other inputs. */
export interface Displaced {
  readonly role: string
  readonly before: Outcome
  readonly after: Outcome
}

/** What a context of a role makes of the plan. */
export interface ContextEffect {
  readonly context: number
  /** What the role then takes where it runs, in bytes. */
  readonly bytes: bigint
  /** What becomes of the role itself. */
  readonly own: Outcome
  /** The other roles that then run elsewhere or not at all, in roster order. */
  readonly displaced: readonly Displaced[]
}

/**
 * What planning role number `role` with `context` tokens, by what its model's files say it then takes, makes of `plan`,
 * which was made from `inputs`; null where that is not known.
 */
export function* contextEffectTask(
  inputs: PlanInputs,
  plan: LabPlan,
  role: number,
  context: number,
  memo: PlanMemo,
): Task<ContextEffect | null> {
  const own = plan.roles[role]
  if (own === undefined || context > MAX_COUNT) return null
  const scenario = withContexts(inputs.scenario, new Map([[own.role, context]]))
  const memory = roleMemory(inputs.lab, own.imported, own.manifest, scenario)
  if (memory === null || memory.need.missing.length > 0) return null
  const then = yield* planTask({ ...inputs, scenario }, memo)
  const outcome = then.roles[role]?.outcome
  if (outcome === undefined) return null
  const displaced = displacedBy(plan, then).filter(({ role: other }) => other !== own.role)
  return { context, bytes: memory.need.runBytes, own: outcome, displaced }
}

/** The roles that run in `before` and run elsewhere or not at all in `after`, a plan of the same roster. */
function displacedBy(before: LabPlan, after: LabPlan): Displaced[] {
  return before.roles.flatMap((role, i) => {
    const then = after.roles[i]?.outcome
    const { outcome } = role
    if (then === undefined || outcome.nodeId === null || then.nodeId === outcome.nodeId) return []
    return [{ role: role.role, before: outcome, after: then }]
  })
}

/** The largest context that all roles of a lab can have at once. */
export type LabContext =
  | {
      readonly kind: 'fits'
      /** Tokens: whole steps of cells. A role whose model was trained for less has that. */
      readonly context: number
      /** The context of each role that counts. */
      readonly contexts: ReadonlyMap<string, number>
      /** What ends it: memory, or no model was trained for more. */
      readonly limit: 'memory' | 'trained'
      /** Roles that would no longer run with one step of cells more; empty when memory is not what ends it. */
      readonly first: readonly string[]
      /** Running roles whose need is not known: they keep what they are planned with. */
      readonly unknown: readonly string[]
    }
  /** Even with the smallest context these would no longer run. */
  | { readonly kind: 'none'; readonly first: readonly string[]; readonly unknown: readonly string[] }
  /** The need of no running role is known. */
  | { readonly kind: 'unknown' }

/**
 * The largest context that all running roles of `plan` (made from `inputs`) can have at once, by what their models' files
 * say they then take, with each of them still running somewhere. Found by halving and proved by planning with it, so
 * that it holds; where more context lets roles run that do not run with less, there may be a larger one.
 */
export function* largestContextForAll(inputs: PlanInputs, plan: LabPlan, memo: PlanMemo): Task<LabContext> {
  const shapes = new Map<string, ModelShape>()
  const unknown: string[] = []
  for (const { role, imported, manifest, outcome } of plan.roles) {
    if (outcome.nodeId === null) continue
    const memory = roleMemory(inputs.lab, imported, manifest, inputs.scenario)
    if (memory === null || memory.need.missing.length > 0) unknown.push(role)
    else shapes.set(role, memory.shape)
  }
  if (shapes.size === 0) return { kind: 'unknown' }
  const most = Math.max(...[...shapes.values()].map(({ trainedContext }) => trainedContext ?? MAX_COUNT))
  const contextsAt = (context: number): ReadonlyMap<string, number> =>
    new Map(
      [...shapes].map(([role, { trainedContext }]) => [role, Math.min(context, trainedContext ?? context)]),
    )
  const lostAt = function* (context: number): Task<readonly string[]> {
    const scenario = withContexts(inputs.scenario, contextsAt(context))
    const then = yield* planTask({ ...inputs, scenario }, memo)
    return plan.roles.flatMap(({ role, outcome }, i) =>
      outcome.nodeId !== null && then.roles[i]?.outcome.nodeId === null ? [role] : [],
    )
  }
  if ((yield* lostAt(most)).length === 0)
    return { kind: 'fits', context: most, contexts: contextsAt(most), limit: 'trained', first: [], unknown }
  const lostAtOnce = yield* lostAt(CELL_STEP)
  if (lostAtOnce.length > 0) return { kind: 'none', first: lostAtOnce, unknown }
  let fits = 1
  let tooMany = Math.ceil(most / CELL_STEP)
  let first: readonly string[] = []
  while (tooMany - fits > 1) {
    const middle = Math.floor((fits + tooMany) / 2)
    const lost = yield* lostAt(middle * CELL_STEP)
    if (lost.length === 0) fits = middle
    else {
      tooMany = middle
      first = lost
    }
  }
  const context = fits * CELL_STEP
  if (first.length === 0) first = yield* lostAt(most)
  return { kind: 'fits', context, contexts: contextsAt(context), limit: 'memory', first, unknown }
}
