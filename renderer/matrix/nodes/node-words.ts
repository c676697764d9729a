import { formatBytes, formatExactBytes } from '../../../shared/bytes.ts'
import { formatDuration } from '../../../shared/placement/describe.ts'
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
    : { text: 'fresh', stale: false, full: `facts of ${age} ago; they hold for another ${formatDuration(-late)}` }
}

/** The roles placed on a node, named while they are few. */
export function placedWords({ placed }: NodeEntry): string {
  const names = placed.roles.map(({ role }) => role)
  if (names.length === 0) return 'nobody placed here'
  return names.length <= 3 ? names.join(', ') : `${names.slice(0, 2).join(', ')} and ${names.length - 2} more`
}

/** What the memory of a node comes to, in a line. */
export function loadWords({ load, placed }: NodeEntry): string {
  if (load === null) return 'tells of no memory for roles'
  return placed.roles.length === 0
    ? `${formatBytes(load.free)} free of ${formatBytes(load.total)}`
    : `${formatBytes(load.placed)} of ${formatBytes(load.free)} free`
}

/** By how much a node is over-full, in exact figures too; null when all that is placed on it fits. */
export function overWords({ load, placed }: NodeEntry): { readonly short: string; readonly full: string } | null {
  if (placed.roles.length === 0) return null
  if (load === null) {
    return { short: 'no memory', full: `${formatExactBytes(placed.memoryBytes)} asked for, and no memory is told of` }
  }
  if (load.over === 0n) return null
  return {
    short: `over by ${formatBytes(load.over)}`,
    full: `together they ask for ${formatExactBytes(load.placed)}, ${formatExactBytes(load.over)} more than is free`,
  }
}
