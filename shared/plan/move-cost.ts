import { formatBytes, saturatingAdd, sumBytes } from '../bytes.ts'
import type { LabNode } from '../node/types.ts'
import { formatDuration } from '../eligibility/describe.ts'
import type { LabPlan, RolePlan } from './types.ts'

/** What running one role where it is placed costs. */
export interface RoleMove {
  /** Its plan: several entries of a roster can have one id. */
  readonly rolePlan: RolePlan
  readonly role: string
  /** Where the bytes go. */
  readonly target: string
  /** Bytes that move for it; a file that another role on the node moves already is not among them. */
  readonly bytes: bigint
  /** The role that moves all of the same files there; null when this one moves any. */
  readonly movedFor: string | null
  /** The complete holder with the fastest way to the target; null when no link rate is known. */
  readonly source: string | null
  /** At the slower end of that way; null when a rate is not known. */
  readonly seconds: number | null
}

/** What moving to a plan costs altogether. */
export interface MoveCost {
  /** Roles whose node lacks bytes of their model, in roster order. */
  readonly moves: readonly RoleMove[]
  /** Everything that moves, each file once a node. */
  readonly bytes: bigint
  /** One transfer after the other; null when a rate is not known. */
  readonly seconds: number | null
  /** All transfers at once: the node whose link is busy longest, and how long; null when a rate is not known. */
  readonly busiest: { readonly nodeId: string; readonly seconds: number } | null
  /** Sticky roles that start somewhere new, where no KV cache is warm for them. */
  readonly coldRoles: readonly string[]
}

/** Link rates in megabits (1e6) a second: a node's own, else the default. */
export function linkRates(
  nodes: readonly LabNode[],
  defaultMbps: number | null,
): (nodeId: string) => number | null {
  const own = new Map(nodes.map(({ nodeId, declared }) => [nodeId, declared?.linkMbps]))
  return (nodeId) => own.get(nodeId) ?? defaultMbps
}

/** Seconds that `bytes` take at `mbps` megabits (1e6) a second. */
export function transferSeconds(bytes: bigint, mbps: number): number {
  return (Number(bytes) * 8) / (mbps * 1e6)
}

/**
 * What it takes to run every role where `plan` places it, over the links of `nodes`. A sticky role is cold when bytes
 * must be fetched to its node first (it cannot have run there), or when `before` has it on another node.
 */
export function moveCost(plan: LabPlan, nodes: readonly LabNode[], before: LabPlan | null = null): MoveCost {
  const rateOf = linkRates(nodes, plan.scenario.linkMbps)
  const placeOfNode = new Map(plan.residency.map(({ nodeId }, i) => [nodeId, i]))
  const movedBy = new Map<string, string>()
  const moves = plan.roles.flatMap((role): RoleMove[] => {
    const { nodeId: target, bytes } = role.outcome
    if (target === null || bytes === 0n) return []
    const missing = role.missingShardsAt(placeOfNode.get(target) ?? -1)
    const own = missing.filter(({ blake3 }) => !movedBy.has(`${target} ${blake3}`))
    const movedFor = own.length > 0 ? null : (movedBy.get(`${target} ${missing[0]?.blake3 ?? ''}`) ?? null)
    for (const { blake3 } of own) movedBy.set(`${target} ${blake3}`, role.role)
    const counted = sumBytes(own.map(({ size }) => size))
    return [
      {
        rolePlan: role,
        role: role.role,
        target,
        bytes: counted,
        movedFor,
        ...fastestWay(role, target, counted, rateOf),
      },
    ]
  })
  return {
    moves,
    bytes: moves.reduce((sum, move) => saturatingAdd(sum, move.bytes), 0n),
    seconds: totalOf(moves.map(({ seconds }) => seconds)),
    busiest: busiestLink(moves, rateOf),
    coldRoles: plan.roles.filter((role) => isCold(role, before)).map(({ role }) => role),
  }
}

function fastestWay(
  role: RolePlan,
  target: string,
  bytes: bigint,
  rateOf: (nodeId: string) => number | null,
): Pick<RoleMove, 'source' | 'seconds'> {
  const into = rateOf(target)
  let best: { readonly nodeId: string; readonly mbps: number } | null = null
  for (const nodeId of role.holders) {
    const from = nodeId !== target ? rateOf(nodeId) : null
    if (from !== null && (best === null || from > best.mbps)) best = { nodeId, mbps: from }
  }
  if (into === null || best === null) return { source: null, seconds: null }
  return { source: best.nodeId, seconds: transferSeconds(bytes, Math.min(into, best.mbps)) }
}

function totalOf(seconds: readonly (number | null)[]): number | null {
  return seconds.reduce((sum: number | null, each) => (sum === null || each === null ? null : sum + each), 0)
}

/** A link carries both ways at once, so what comes in and what goes out are counted apart. */
function busiestLink(
  moves: readonly RoleMove[],
  rateOf: (nodeId: string) => number | null,
): MoveCost['busiest'] {
  const loads = new Map<string, { readonly nodeId: string; bytes: bigint }>()
  const load = (nodeId: string, way: 'in' | 'out', bytes: bigint): void => {
    const known = loads.get(`${way} ${nodeId}`) ?? { nodeId, bytes: 0n }
    loads.set(`${way} ${nodeId}`, { nodeId, bytes: saturatingAdd(known.bytes, bytes) })
  }
  for (const { target, source, bytes } of moves) {
    if (source === null) return null
    load(target, 'in', bytes)
    load(source, 'out', bytes)
  }
  let busiest: MoveCost['busiest'] = null
  for (const { nodeId, bytes } of loads.values()) {
    const mbps = rateOf(nodeId)
    if (mbps === null) return null
    const seconds = transferSeconds(bytes, mbps)
    if (busiest === null || seconds > busiest.seconds) busiest = { nodeId, seconds }
  }
  return busiest
}

function isCold(role: RolePlan, before: LabPlan | null): boolean {
  if (!role.imported.spec.sticky) return false
  const { nodeId: here, bytes } = role.outcome
  if (here === null) return false
  if (bytes > 0n) return true
  const there = before?.roles.find((other) => other.role === role.role)?.outcome.nodeId ?? null
  return there !== null && there !== here
}

/** One role's move in words: `4.3 GB to gpu-box, about 34 s from archive-nas`. */
export function roleMoveText({ bytes, target, movedFor, source, seconds }: RoleMove): string {
  if (movedFor !== null) return `moves with ${movedFor} to ${target}`
  const time = seconds === null || source === null ? '' : `, about ${atLeastASecond(seconds)} from ${source}`
  return `${formatBytes(bytes)} to ${target}${time}`
}

/** The whole cost in sentences, one a line; one saying that nothing moves when nothing does. */
export function moveCostLines({ moves, bytes, seconds, busiest, coldRoles }: MoveCost): string[] {
  const cold =
    coldRoles.length === 0
      ? []
      : [
          `Sticky, and cold where ${coldRoles.length === 1 ? 'it starts' : 'they start'}: ${coldRoles.join(', ')}.`,
        ]
  if (moves.length === 0) return ['Nothing moves.', ...cold]
  if (seconds === null || busiest === null)
    return [`${formatBytes(bytes)} would move; link rates are not known.`, ...cold]
  const together = `${atLeastASecond(busiest.seconds)} at once (the link of ${busiest.nodeId} takes longest)`
  return [
    `${formatBytes(bytes)} would move: about ${atLeastASecond(seconds)} one after the other, ${together}.`,
    ...cold,
  ]
}

function atLeastASecond(seconds: number): string {
  return formatDuration(Math.max(1, Math.round(seconds)))
}
