import { formatBytes, GIB } from '../bytes.ts'
import { refusalMessage } from '../placement/ledger.ts'
import { RUNTIME_TRAITS, specMemoryBytes } from '../inference-spec.ts'
import { plainReason, unplaceableMessage } from '../locality/unplaceable-words.ts'
import { formatTokens } from '../memory/memory-words.ts'
import { formatGib } from '../scenario/scenario.ts'
import type { RolePlan } from '../plan/types.ts'
import { failureDetail } from '../eligibility/describe.ts'
import type { Advice } from './advise.ts'
import type { Change } from './change.ts'
import { isHard, type Obstacle } from './standing.ts'

/** A change as something to do: `allow weight transfer`, `free 12.4 GB on gpu-box`. */
export function changeText(change: Change): string {
  switch (change.kind) {
    case 'switch_on':
      return `switch ${change.role} on`
    case 'bring_back':
      return `stop treating ${change.node} as offline`
    case 'unpin':
      return `unpin ${change.role} from ${change.node}`
    case 'unforce':
      return `stop ruling ${change.node} out`
    case 'allow_transfer':
      return 'allow weight transfer'
    case 'lower_headroom':
      return `lower the headroom to ${formatGib((((change.bytes * 1000n) / GIB) * GIB) / 1000n)}`
    case 'raise_ceiling':
      return `raise the ceiling to ${atLeast(change.bytes)}`
    case 'lift_veto':
      return 'stop forbidding the copying of weights'
    case 'accept_stale':
      return 'accept facts that are not fresh'
    case 'free_storage':
      return change.more === null
        ? `see that ${atLeast(change.bytes)} are free on ${change.node}, whose free space is unknown`
        : `free ${atLeast(change.more)} on ${change.node}`
    case 'free_memory':
      return change.more === null
        ? `see that ${atLeast(change.bytes)} of memory are free on ${change.node}, which reports none`
        : `free ${atLeast(change.more)} of memory on ${change.node}`
    case 'drop_exclude': {
      const { role, excluded, place } = change
      return `drop the exclude of ${excluded} by ${role}${place === null ? '' : ` (${place.file}:${place.line ?? 1})`}`
    }
    case 'switch_off':
      return `stop ${change.role}, which holds ${formatBytes(change.bytes)} on ${change.node}`
    case 'mount_drive':
      return `mount the drive of ${change.node} that holds ${change.model}`
    case 'mark_redistributable':
      return `sign the manifest of ${change.model} as redistributable (its package id changes: every holder adopts it again)`
    case 'install':
      return `install ${installedText(change.capabilities)} on ${change.node} (or assume that it is installed)`
    case 'pin':
      return `move ${change.role} to ${change.node}`
    case 'smaller_context':
      return `start ${change.role} with a context of ${formatTokens(change.context)} instead of ${formatTokens(change.before)} tokens (it then takes ${formatBytes(change.bytes)})`
    case 'force_in':
      return `treat ${change.node} as eligible despite failures`
    case 'adopt_model':
      return change.assumed === null
        ? `copy ${formatBytes(change.bytes)} of ${change.model} to ${change.node}, then scan that node`
        : `adopt ${change.model} on ${change.node} (taken to be ${formatBytes(change.bytes)} of ${change.assumed})`
  }
}

/** What is missing in words: the runtime's program where one is, else the formats. */
function installedText(capabilities: readonly string[]): string {
  const programs = Object.values(RUNTIME_TRAITS).flatMap(({ capability, program }) =>
    capabilities.includes(capability) ? [program] : [],
  )
  return programs.length > 0 ? programs.join(' and ') : `support for ${capabilities.join(' and ')}`
}

/** Bytes for a person, rounded up: freeing what is said is always enough. */
function atLeast(bytes: bigint): string {
  let size = 1n
  while (bytes >= size * 1000n) size *= 1000n
  const tenth = size < 10n ? 1n : size / 10n
  return formatBytes(((bytes + tenth - 1n) / tenth) * tenth)
}

/** What keeps `role` from a node, in a few words with both operands. */
function obstacleText(obstacle: Obstacle, role: RolePlan): string {
  switch (obstacle.kind) {
    case 'off':
      return 'it is switched off'
    case 'no_manifest':
      return obstacle.model === null
        ? 'no manifest can match its name; rename it: only letters, digits and . _ + : -'
        : `no manifest is named ${obstacle.model}`
    case 'constraint': {
      const { failure } = obstacle
      const needed = specMemoryBytes(role.imported.spec)
      if (failure.constraint === 'memory' && failure.pool !== null && needed > failure.pool.totalBytes) {
        return `${formatBytes(needed)} do not fit an empty ${formatBytes(failure.pool.totalBytes)} pool`
      }
      return failureDetail(failure)
    }
    case 'transfer':
      return unplaceableMessage(obstacle.unplaceable)
    case 'co_residency':
      return plainReason(refusalMessage(obstacle.refusal))
  }
}

/** The advice as lines: each change that would do, or `never` and why. */
export function adviceLines(advice: Advice, role: RolePlan): string[] {
  switch (advice.kind) {
    case 'placeable':
      return ['could run here as things are']
    case 'changes':
      return advice.changes.map(changeText)
    case 'never': {
      const hard = advice.obstacles.filter((obstacle) => isHard(obstacle, role))
      const textOf = (obstacles: readonly Obstacle[]): string =>
        obstacles.map((obstacle) => obstacleText(obstacle, role)).join('; ')
      if (hard.length > 0) return [`never: ${textOf(hard)}`]
      return [`no single change is enough: ${textOf(advice.obstacles)}`]
    }
  }
}
