import { formatBytes, formatBytesApart, sumBytes } from '../bytes.ts'
import type { MemoryPool } from '../node/types.ts'
import type { CapabilityFinding, ConstraintFailure } from './types.ts'

/** The constraint's name for a person. */
export const CONSTRAINT_LABELS: Readonly<Record<ConstraintFailure['constraint'], string>> = {
  runtime: 'runtime',
  format: 'format',
  memory: 'memory',
  override: 'override',
  fresh_facts: 'fresh facts',
}

function describeFinding(capability: string, found: CapabilityFinding): string {
  switch (found) {
    case 'absent':
      return `${capability} is not installed on, or not reported by, this node`
    case 'busy_exclusive':
      return `${capability} is busy and exclusive`
    case 'reserved':
    case 'degraded':
      return `${capability} is ${found}`
  }
}

/** Seconds as a person says them, two units at most: `3 d 4 h`, `12 min`, `5 s`. */
export function formatDuration(seconds: number): string {
  const whole = Math.max(0, Math.floor(seconds))
  const units: readonly [size: number, name: string][] = [
    [86_400, 'd'],
    [3_600, 'h'],
    [60, 'min'],
    [1, 's'],
  ]
  const parts: string[] = []
  let rest = whole
  for (const [size, name] of units) {
    const count = Math.floor(rest / size)
    rest -= count * size
    if (count > 0) parts.push(`${count} ${name}`)
    if (parts.length === 2 || (parts.length === 1 && count === 0)) break
  }
  return parts.length === 0 ? '0 s' : parts.join(' ')
}

function overrideDetail(failure: Extract<ConstraintFailure, { constraint: 'override' }>): string {
  switch (failure.by) {
    case 'operator':
      return 'ruled out in this scenario'
    case 'declaration':
      return 'declared ineligible'
    case 'away':
      return 'treated as offline in this scenario'
    case 'pin':
      return `the role is pinned to ${failure.pinnedTo}`
  }
}

/**
 * The memory that roles may use of a pool: `16.0 GB free + 30.0 GB held by hermes itself`; `role` is the one that asks.
 */
export function freeText(
  { freeBytes, own }: Pick<MemoryPool, 'freeBytes' | 'own'>,
  role: string | null,
): string {
  const held = own ?? []
  const free = freeBytes - sumBytes(held.map(({ bytes }) => bytes))
  return [
    `${formatBytes(free)} free`,
    ...held.map((each) => {
      return `${formatBytes(each.bytes)} held by ${each.role}${each.role === role ? ' itself' : ''}`
    }),
  ].join(' + ')
}

/**
 * Why the free figure of a failed memory constraint may be too low: it was taken while something ran, the facts do not
 * say what, and it may be the role itself. Null where that cannot be.
 */
export function heldHint(failure: ConstraintFailure): string | null {
  if (failure.constraint !== 'memory' || failure.pool === null) return null
  const { freeBytes, totalBytes, own } = failure.pool
  if (own !== undefined || totalBytes <= freeBytes || failure.needed > totalBytes) return null
  return (
    `${formatBytes(totalBytes - freeBytes)} were in use when the facts were gathered, which may be this role itself: ` +
    'scan the node again to know what its servers hold'
  )
}

/** A failed constraint in words, with both operands. */
export function failureDetail(failure: ConstraintFailure): string {
  switch (failure.constraint) {
    case 'runtime':
      return failure.notFound === undefined
        ? describeFinding(failure.capability, failure.found)
        : `${failure.notFound.program} was not found on ${failure.notFound.nodeId}`
    case 'format':
      return failure.problem.kind === 'not_loadable'
        ? `the model is ${failure.format}, ${failure.problem.runtime} loads ${failure.problem.loads.join(' or ')}`
        : describeFinding(failure.problem.capability, failure.problem.found)
    case 'memory': {
      if (failure.pool === null) {
        return `needs ${formatBytes(failure.needed)}, the node reports no GPU or unified memory`
      }
      const [needed, free] = formatBytesApart(failure.needed, failure.pool.freeBytes)
      const own = (failure.pool.own ?? []).length > 0
      return `needs ${needed}, ${own ? freeText(failure.pool, null) : `${free} free`} in the ${failure.pool.name} pool`
    }
    case 'override':
      return overrideDetail(failure)
    case 'fresh_facts':
      return failure.expiredAt === null
        ? 'fresh facts are required and the node has none'
        : `facts expired ${formatDuration(failure.now - failure.expiredAt)} ago (at ${failure.expiredAt}, now ${failure.now})`
  }
}
