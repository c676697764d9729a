import { formatBytes, formatExactBytes } from '../../../shared/bytes.ts'
import { formatDuration, freeText } from '../../../shared/eligibility/describe.ts'
import { specMemoryBytes } from '../../../shared/inference-spec.ts'
import { listed } from '../../../shared/listed.ts'
import { obstacleMessage } from '../../../shared/report/outcome-words.ts'
import type { NodeEntry, Resident } from './node-table.ts'

/** How old a node's facts are, and whether they still hold. */
export interface FactsAge {
  readonly text: string
  readonly stale: boolean
  readonly full: string
}

/** `nowSecs`: unix seconds. */
export function factsAge({ profile }: NodeEntry, nowSecs: number): FactsAge {
  const { facts } = profile.node
  if (facts === null || profile.factsExpireAt === null) {
    return { text: 'declared', stale: false, full: 'declared by a person, not probed' }
  }
  const age = formatDuration(nowSecs - facts.issuedAt)
  const late = nowSecs - profile.factsExpireAt
  return late > 0
    ? { text: 'stale', stale: true, full: `facts of ${age} ago; they held until ${formatDuration(late)} ago` }
    : {
        text: 'fresh',
        stale: false,
        full: `facts of ${age} ago; they hold for another ${formatDuration(-late)}`,
      }
}

/** A role's memory on a node with its parts: `hermes 27.5 GB: weights 18.1 GB, KV cache 8.6 GB, other 805.3 MB`. */
export function residentText({ name, bytes, parts }: Resident): string {
  const all = roleWithBytes(name, bytes)
  if (parts === null) return all
  const { weights, kv, other } = parts
  return `${all}: weights ${formatBytes(weights)}, KV cache ${formatBytes(kv)}, other ${formatBytes(other)}`
}

/** A role and what it takes, as the names of a picture show it: `hermes 27.5 GB`. */
function roleWithBytes(name: string, bytes: bigint): string {
  return `${name} ${formatBytes(bytes)}`
}

/** Who runs on the node, each with its memory. */
export function residentWords({ residency }: NodeEntry): string {
  const { instances } = residency.ledger
  return instances.length === 0
    ? 'no roles here'
    : instances.map(({ name, bytes }) => roleWithBytes(name, bytes)).join(' · ')
}

/** Whose weights are fetched to the node, each with its bytes; null when none are. */
export function arrivingWords({ arriving }: NodeEntry): string | null {
  return arriving.length === 0
    ? null
    : arriving.map(({ role, bytes }) => roleWithBytes(role, bytes)).join(' · ')
}

/** The node's memory for roles in a line. */
export function loadWords({ load, residency }: NodeEntry): string {
  if (load === null) return 'no usable memory reported'
  const budget = residency.ledger.budget
  const held =
    budget?.own === undefined ? '' : ` (${freeText({ freeBytes: budget.bytes, own: budget.own }, null)})`
  return load.used === 0n
    ? `${formatBytes(load.budget)} free of ${formatBytes(load.total)}${held}`
    : `${formatBytes(load.used)} used of ${formatBytes(load.budget)}${held}`
}

/** What is amiss on a node, in a few words and in full. */
export interface NodeTrouble {
  readonly kind: 'turned_away' | 'port_clash'
  readonly short: string
  readonly full: string
}

export function nodeTroubles({ away, residency }: NodeEntry): readonly NodeTrouble[] {
  const troubles: NodeTrouble[] = []
  if (away.length > 0) {
    const short = `no room for ${listed(
      away.map(({ role }) => roleWithBytes(role.role, specMemoryBytes(role.imported.spec))),
      { most: 3 },
    )}`
    const full = away.map(({ obstacle }) => obstacleMessage(obstacle)).join('; ')
    troubles.push({ kind: 'turned_away', short, full })
  }
  for (const { port, roles } of residency.portClashes) {
    const full = `${roles.join(' and ')} serve on port ${port}; give all but one of them another`
    troubles.push({ kind: 'port_clash', short: `port ${port} twice`, full })
  }
  return troubles
}

/** What is fetched to the node: how much, and whether there is room; null when nothing comes. */
export function incomingWords({ residency }: NodeEntry): string | null {
  const { incomingBytes, freeBytes } = residency
  if (incomingBytes === 0n) return null
  const room = freeBytes === null ? 'free space unknown' : `${formatExactBytes(freeBytes)} free`
  return `${formatExactBytes(incomingBytes)} would be fetched here, ${room}`
}
