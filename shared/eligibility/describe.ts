import { formatBytes, formatBytesApart } from '../bytes.ts'
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
      return `needs ${needed}, ${free} free in the ${failure.pool.name} pool`
    }
    case 'override':
      return overrideDetail(failure)
    case 'fresh_facts':
      return failure.expiredAt === null
        ? 'fresh facts are required and the node has none'
        : `facts expired ${formatDuration(failure.now - failure.expiredAt)} ago (at ${failure.expiredAt}, now ${failure.now})`
  }
}
