import type { JsonInput } from '../json/json-text.ts'
import { decisionToJson, manifestToJson, outcomeToJson, policyToJson, skippedToJson } from './plan-json.ts'
import type { DecisionJson, OutcomeJson, PolicyJson, RolePlanJson, SkippedJson } from './plan-json.ts'
import { specToJson } from '../inference-spec.ts'
import type { LabPlan, RolePlan } from '../plan/types.ts'

/** What of a plan is compared: its outcomes, not how they were reached. A whole `PlanJson` is one too. */
export interface PlanOutline {
  readonly policy: PolicyJson
  readonly roles: readonly RoleOutline[]
  readonly skipped: readonly SkippedJson[]
}

export type RoleOutline = Pick<
  RolePlanJson,
  'role' | 'spec' | 'repo' | 'status' | 'manifest' | 'decision'
> & {
  /** Null in plan files that were written before there were outcomes; then decisions are compared. */
  readonly outcome: OutcomeOutline | null
}

/** Where a role runs beside the others, without what it would be by itself. */
export type OutcomeOutline = Omit<OutcomeJson, 'alone'>

/** What one plan has of a roster id. */
export type Standing =
  | { readonly kind: 'planned'; readonly role: RoleOutline }
  | { readonly kind: 'skipped'; readonly reason: string }
  | { readonly kind: 'absent' }

/** One field that two plans have differently; null stands for a field that is not there. */
export interface FieldChange {
  /** Such as `node`, `bytes` or `spec.memory.weights_bytes`. */
  readonly field: string
  readonly from: JsonInput
  readonly to: JsonInput
}

/** A roster id that two plans have differently. */
export interface RoleChange {
  readonly role: string
  readonly from: Standing
  readonly to: Standing
  /** The fields that differ when both plans plan it, or both skip it; else none. */
  readonly fields: readonly FieldChange[]
}

export interface PlanDiff {
  /** The terms of the two plans where they differ: a cause to know of, not itself a difference of outcome. */
  readonly policy: readonly FieldChange[]
  /** In the first plan's order, then what only the second has. */
  readonly roles: readonly RoleChange[]
  /** Roster ids compared, planned and skipped. */
  readonly compared: number
}

/** `plan` without its explanations; cheap, since it asks nothing of the nodes. */
export function planOutline(plan: LabPlan): PlanOutline {
  return {
    policy: policyToJson(plan.scenario.policy),
    roles: plan.roles.map(({ role, imported, manifest, decision, outcome }) => ({
      role,
      spec: specToJson(imported.spec),
      repo: imported.repo,
      status: imported.status,
      manifest: manifest && manifestToJson(manifest),
      decision: decisionToJson(decision),
      outcome: outcomeOutline({ outcome }),
    })),
    skipped: plan.skipped.map(skippedToJson),
  }
}

function outcomeOutline(role: Pick<RolePlan, 'outcome'>): OutcomeOutline {
  const { kind, node_id, bytes, instead_of, reason } = outcomeToJson(role)
  return { kind, node_id, bytes, instead_of, reason }
}

/** What became different from plan `a` to plan `b`, role by role and field by field. */
export function diffPlans(a: PlanOutline, b: PlanOutline): PlanDiff {
  const pairs = pairStandings(a, b)
  return {
    policy: changedFields({ ...a.policy }, { ...b.policy }),
    roles: pairs.flatMap((pair) => {
      const fields = standingFields(pair.from, pair.to)
      return pair.from.kind === pair.to.kind && fields.length === 0 ? [] : [{ ...pair, fields }]
    }),
    compared: pairs.length,
  }
}

type StandingPair = Pick<RoleChange, 'role' | 'from' | 'to'>

const ABSENT: Standing = { kind: 'absent' }

/**
 * A roster may have an id more than once. What both plans plan is paired in order, then what both skip, then
 * what one plans and the other skips.
 */
function pairStandings(a: PlanOutline, b: PlanOutline): StandingPair[] {
  const before = standingsById(a)
  const after = standingsById(b)
  return [...new Set([...before.keys(), ...after.keys()])].flatMap((role) => {
    const from = before.get(role) ?? NONE
    const to = after.get(role) ?? NONE
    const planned = Math.min(from.planned.length, to.planned.length)
    const skipped = Math.min(from.skipped.length, to.skipped.length)
    const pairs: StandingPair[] = [
      ...zip(role, from.planned.slice(0, planned), to.planned.slice(0, planned)),
      ...zip(role, from.skipped.slice(0, skipped), to.skipped.slice(0, skipped)),
      ...zip(
        role,
        [...from.planned.slice(planned), ...from.skipped.slice(skipped)],
        [...to.planned.slice(planned), ...to.skipped.slice(skipped)],
      ),
    ]
    return pairs
  })
}

interface IdStandings {
  readonly planned: Standing[]
  readonly skipped: Standing[]
}

const NONE: IdStandings = { planned: [], skipped: [] }

function standingsById(plan: PlanOutline): Map<string, IdStandings> {
  const byId = new Map<string, IdStandings>()
  const of = (id: string): IdStandings => {
    const standings = byId.get(id) ?? { planned: [], skipped: [] }
    byId.set(id, standings)
    return standings
  }
  for (const role of plan.roles) of(role.role).planned.push({ kind: 'planned', role })
  for (const { id, reason } of plan.skipped) of(id).skipped.push({ kind: 'skipped', reason })
  return byId
}

function zip(role: string, from: readonly Standing[], to: readonly Standing[]): StandingPair[] {
  const length = Math.max(from.length, to.length)
  return Array.from({ length }, (_, i) => ({ role, from: from[i] ?? ABSENT, to: to[i] ?? ABSENT }))
}

function standingFields(from: Standing, to: Standing): FieldChange[] {
  if (from.kind === 'planned' && to.kind === 'planned') {
    return [
      ...outcomeChanges(from.role, to.role),
      ...changedFields(roleFields(from.role), roleFields(to.role)),
    ]
  }
  if (from.kind === 'skipped' && to.kind === 'skipped') {
    return changedFields({ skipped: from.reason }, { skipped: to.reason })
  }
  return []
}

type Fields = Readonly<Record<string, JsonInput>>

/**
 * What became of the role: by outcome; by decision where only what it would be on its own differs, and for plan files
 * without outcomes.
 */
function outcomeChanges(from: RoleOutline, to: RoleOutline): FieldChange[] {
  const own = changedFields(decisionFields(from.decision), decisionFields(to.decision))
  if (from.outcome === null || to.outcome === null) return own
  const changes = changedFields(
    outcomeFields(from.outcome, from.decision),
    outcomeFields(to.outcome, to.decision),
  )
  if (changes.length > 0) return [...changes, ...reasonChange(from.outcome, to.outcome, changes)]
  return own.map((change) => ({ ...change, field: `alone.${change.field}` }))
}

/** Why it cannot run or runs elsewhere, where that is new: the figures of a reason alone are no change. */
function reasonChange(
  from: OutcomeOutline,
  to: OutcomeOutline,
  changes: readonly FieldChange[],
): FieldChange[] {
  if (from.kind === to.kind || changes.some(({ field }) => field === 'reason')) return []
  return changedFields({ reason: from.reason }, { reason: to.reason })
}

/**
 * Shards and sources are those of the decision, where it is what happens; so is the reason. What the other roles hold
 * on a node is no difference of the role's own.
 */
function outcomeFields({ kind, node_id, bytes }: OutcomeOutline, decision: DecisionJson): Fields {
  const happens = decision.kind === 'fetch_then_place' && decision.target === node_id
  return {
    outcome: kind,
    node: node_id,
    bytes,
    ...(happens ? { missing_shards: decision.missing_shards, sources: decision.sources } : {}),
    ...(kind === 'cannot_run' && decision.kind === 'unplaceable' ? { reason: decision.message } : {}),
  }
}

/** A role's model first, then its spec: the order in which a person asks. */
function roleFields(role: RoleOutline): Fields {
  return {
    package_id: role.manifest?.package_id ?? null,
    repo: role.repo,
    status: role.status,
    ...flatten(role.spec, 'spec'),
  }
}

/**
 * The decision by what a person compares, so that a place and a fetch to the same node share their `node`.
 */
function decisionFields(decision: DecisionJson): Fields {
  switch (decision.kind) {
    case 'place_at_holder':
      return { decision: decision.kind, node: decision.node_id, bytes: 0n }
    case 'fetch_then_place':
      return {
        decision: decision.kind,
        node: decision.target,
        bytes: decision.bytes,
        missing_shards: decision.missing_shards,
        sources: decision.sources,
      }
    case 'unplaceable':
      return { decision: decision.kind, node: null, bytes: 0n, reason: decision.message }
    case 'no_manifest':
      return { decision: decision.kind, node: null, bytes: 0n }
  }
}

function flatten(value: JsonInput | undefined, path: string): Fields {
  if (value === undefined) return {}
  if (!isMapping(value)) return { [path]: value }
  return Object.assign(
    {},
    ...Object.entries(value).map(([key, member]) => flatten(member, `${path}.${key}`)),
  ) as Fields
}

function isMapping(value: JsonInput): value is { readonly [key: string]: JsonInput | undefined } {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function changedFields(from: Fields, to: Fields): FieldChange[] {
  const names = new Set([...Object.keys(from), ...Object.keys(to)])
  return [...names].flatMap((field) => {
    const change = { field, from: from[field] ?? null, to: to[field] ?? null }
    return sameValue(change.from, change.to) ? [] : [change]
  })
}

/** A field's value is a scalar or a list of scalars; 1 and 1n are the same number to a reader of JSON. */
function sameValue(a: JsonInput, b: JsonInput): boolean {
  if (Array.isArray(a) && Array.isArray(b)) {
    return a.length === b.length && a.every((item, i) => item === b[i])
  }
  if (isInteger(a) && isInteger(b)) return BigInt(a) === BigInt(b)
  return a === b
}

function isInteger(value: JsonInput): value is number | bigint {
  return typeof value === 'bigint' || (typeof value === 'number' && Number.isInteger(value))
}
