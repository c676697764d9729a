import { LATENCY_TRAITS, specMemoryBytes } from '../inference-spec.ts'
import { excludesRole, type Budget } from '../placement/ledger.ts'
import type { LabPlan, RolePlan } from '../plan/types.ts'

/** A node that a role could run on by itself, and what that takes. */
export interface Option {
  /** Number into the problem's nodes. */
  readonly node: number
  /** Bytes that would move; 0 when the node holds the whole model. */
  readonly bytes: bigint
}

/** A role to be given a node. */
interface SuggestedRole {
  /** Number into the plan's roles. */
  readonly role: number
  readonly name: string
  readonly interactive: boolean
  readonly sticky: boolean
  /** The node the plan runs it on without moving anything: where its KV cache may be warm. Number into the nodes. */
  readonly home: number | null
  readonly memoryBytes: bigint
  readonly port: number | null
  /** Which files it runs: roles of the same files (one model, or two tags of one blob) fetch them once a node. */
  readonly model: string
  /** In the decision's order. */
  readonly options: readonly Option[]
}

interface SuggestedNode {
  readonly nodeId: string
  readonly budget: Budget | null
  /** Bytes that may come, headroom kept; null when unknown (then nothing may come). */
  readonly room: bigint | null
}

/** An assignment problem: which role runs on which node. */
export interface AssignmentProblem {
  readonly roles: readonly SuggestedRole[]
  readonly nodes: readonly SuggestedNode[]
  /** Pairs of roles (numbers into `roles`, the lower first) that cannot be on one node. */
  readonly apart: readonly (readonly [number, number])[]
  /** Roles of the plan that are not part of it, and why. */
  readonly leftOut: readonly { readonly role: number; readonly reason: LeftOut }[]
}

/** `no_option`: no node could run it even by itself. `repeated_id`: a scenario names roles by id, and it has its twice. */
export type LeftOut = 'off' | 'no_option' | 'repeated_id'

/** The problem of giving every role of `plan` that runs a node, under the plan's own terms. */
export function problemOf(plan: LabPlan): AssignmentProblem {
  const nodeOf = new Map(plan.residency.map(({ nodeId }, i) => [nodeId, i]))
  const count = new Map<string, number>()
  for (const { role } of plan.roles) count.set(role, (count.get(role) ?? 0) + 1)
  const roles: SuggestedRole[] = []
  const leftOut: { role: number; reason: LeftOut }[] = []
  plan.roles.forEach((role, i) => {
    const leave = (reason: LeftOut): number => leftOut.push({ role: i, reason })
    if (role.placement.kind === 'off') return leave('off')
    if ((count.get(role.role) ?? 0) > 1) return leave('repeated_id')
    const suggested = suggestedRole(role, i, nodeOf, plan)
    return suggested.options.length === 0 ? leave('no_option') : roles.push(suggested)
  })
  return {
    roles,
    nodes: plan.residency.map(({ nodeId, ledger, freeBytes }) => ({
      nodeId,
      budget: ledger.budget,
      room: freeBytes === null ? null : atLeastZero(freeBytes - plan.scenario.policy.freeHeadroomBytes),
    })),
    apart: pairsApart(plan, roles),
    leftOut,
  }
}

function atLeastZero(bytes: bigint): bigint {
  return bytes < 0n ? 0n : bytes
}

function suggestedRole(
  role: RolePlan,
  number: number,
  nodeOf: ReadonlyMap<string, number>,
  plan: LabPlan,
): SuggestedRole {
  const { spec } = role.imported
  const memoryBytes = specMemoryBytes(spec)
  const options = [...role.targets()].flatMap(({ nodeId, bytes, obstacle }): Option[] => {
    const node = nodeOf.get(nodeId)
    const budget = node === undefined ? null : (plan.residency[node]?.ledger.budget ?? null)
    // A node that is forced in may be too small all the same.
    if (node === undefined || obstacle !== null || (budget !== null && memoryBytes > budget.bytes)) return []
    return [{ node, bytes }]
  })
  const here = role.outcome.nodeId
  const home =
    options.find(({ node, bytes }) => bytes === 0n && plan.residency[node]?.nodeId === here)?.node ?? null
  return {
    role: number,
    name: role.role,
    interactive: LATENCY_TRAITS[spec.latencyClass].hasBound,
    sticky: spec.sticky,
    home,
    memoryBytes,
    port: spec.serve.port,
    model: filesKey(role),
    options,
  }
}

/** The same text for manifests of the same files. */
function filesKey({ manifest }: RolePlan): string {
  return [...new Set(manifest?.body.shards.map(({ blake3 }) => blake3))].sort().join(' ')
}

function pairsApart(plan: LabPlan, roles: readonly SuggestedRole[]): (readonly [number, number])[] {
  const excludes = roles.map(({ role }) => plan.roles[role]?.imported.spec.excludes ?? [])
  return roles.flatMap((a, i) =>
    roles.slice(i + 1).flatMap((b, offset): (readonly [number, number])[] => {
      const j = i + 1 + offset
      const areApart = excludesRole(excludes[i] ?? [], b.name) || excludesRole(excludes[j] ?? [], a.name)
      return areApart ? [[i, j]] : []
    }),
  )
}
