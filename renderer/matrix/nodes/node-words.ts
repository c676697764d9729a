import { formatBytes, formatExactBytes } from '../../../shared/bytes.ts'
import { formatDuration, freeText } from '../../../shared/eligibility/describe.ts'
import { obstacleMessage } from '../../../shared/report/outcome-words.ts'
import type { NodeEntry } from './node-table.ts'

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

/** Names while they are few, else the first and how many more. */
function few(names: readonly string[]): string {
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
}

/** Who runs on the node. */
export function residentWords({ residency }: NodeEntry): string {
  const { instances } = residency.ledger
  return instances.length === 0 ? 'no roles here' : few(instances.map(({ name }) => name))
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
    const short =
      away.length === 1 ? `no place for ${away[0]?.role.role ?? ''}` : `no place for ${away.length} roles`
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
