import { formatBytes, formatExactBytes } from '../bytes.ts'
import { listed, plural } from '../listed.ts'
import {
  plainReason,
  UNPLACEABLE_SHORT,
  unplaceableDetail,
  unplaceableMessage,
  unplaceableText,
} from '../locality/unplaceable-words.ts'
import { refusalMessage } from '../placement/ledger.ts'
import { isDisplaced, type CannotRun, type NoNode } from '../plan/outcome.ts'
import type { PlacementObstacle, RoleDecision, RolePlan, TriedNode } from '../plan/types.ts'

/** Node names in a sentence before the rest is counted. */
const MOST_NAMES = 4

/** Where the role runs in one sentence for a person: what to do, or that nothing can be done and why. */
export function outcomeHeadline(role: RolePlan): string {
  const { outcome } = role
  switch (outcome.kind) {
    case 'in_place':
      return `Run on ${outcome.nodeId}: it already holds the whole model, nothing is copied.`
    case 'after_fetching':
      return `Fetch ${fetchText(role, outcome.bytes)} to ${outcome.nodeId} from ${sourcesText(role)}, then run there.`
    case 'elsewhere':
      return outcome.bytes === 0n
        ? `Run on ${outcome.nodeId} instead of ${outcome.insteadOf}: it also holds the whole model, nothing is copied.`
        : `Fetch ${formatBytes(outcome.bytes)} to ${outcome.nodeId} from ${sourcesText(role)}, ` +
            `then run there instead of on ${outcome.insteadOf}.`
    case 'cannot_run':
      return `Cannot run: ${cannotRunText(outcome.reason)}.`
    case 'switched_off':
      return 'Switched off in this scenario.'
  }
}

function fetchText({ outcome: { alone, nodeId } }: RolePlan, bytes: bigint): string {
  const shards = alone.kind === 'fetch_then_place' && alone.target === nodeId ? alone.missingShards : null
  return shards === null ? formatBytes(bytes) : `${plural(shards, 'shard')} (${formatBytes(bytes)})`
}

function sourcesText({ holders }: RolePlan): string {
  return listed(holders, { most: MOST_NAMES })
}

function cannotRunText(reason: CannotRun): string {
  switch (reason.kind) {
    case 'by_itself':
      return noNodeText(reason.decision)
    case 'beside_others': {
      const nodes = listed(
        reason.tried.map(({ nodeId }) => nodeId),
        { most: MOST_NAMES },
      )
      return `beside the other roles there is no place for it on ${nodes}`
    }
  }
}

function noNodeText(decision: NoNode): string {
  if (decision.kind === 'unplaceable') return unplaceableText(decision.unplaceable)
  return decision.model === null
    ? 'no manifest can have the roster’s name for it; rename it: only letters, digits and . _ + : -'
    : `no manifest is named ${decision.model}; adopt the model or add its manifest`
}

/** The exact figures behind the headline, or where to look; null when the headline says it all. */
export function outcomeDetail(role: RolePlan): string | null {
  const { outcome } = role
  switch (outcome.kind) {
    case 'in_place': {
      const own = role.nodes.find(({ nodeId }) => nodeId === outcome.nodeId)
      return own?.forced === 'in' ? 'The node is treated as eligible in this scenario.' : null
    }
    case 'after_fetching':
      return (
        `${formatExactBytes(outcome.bytes)} would move` +
        (role.holders.length > 1 ? '; any of the sources can serve them.' : '.')
      )
    case 'elsewhere': {
      const moved = outcome.bytes === 0n ? '' : `${formatExactBytes(outcome.bytes)} would move. `
      return `${moved}On ${outcome.insteadOf}: ${obstacleReason(outcome.reason)}.`
    }
    case 'cannot_run':
      return outcome.reason.kind === 'by_itself'
        ? noNodeDetail(role, outcome.reason.decision)
        : triedText(outcome.reason.tried)
    case 'switched_off':
      return null
  }
}

/** Nodes whose refusals are spelled out before the rest is counted. */
const MOST_REASONS = 4

function triedText(tried: readonly TriedNode[]): string {
  const shown = tried
    .slice(0, MOST_REASONS)
    .map(({ nodeId, obstacle }) => `on ${nodeId}: ${obstacleReason(obstacle)}`)
  const more = tried.length - shown.length
  const text = [...shown, ...(more > 0 ? [`and ${plural(more, 'further node')} the same way`] : [])].join(
    '; ',
  )
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`
}

function noNodeDetail(role: RolePlan, decision: NoNode): string | null {
  if (decision.kind === 'no_manifest') return null
  const pinnedTo = pinOutsideLab(role)
  if (pinnedTo !== null) return `It is pinned to ${pinnedTo}, which is not in the lab.`
  return unplaceableDetail(decision.unplaceable, {
    nodes: role.nodes.length,
    holding: `${listed(role.holders, { most: MOST_NAMES })} ${role.holders.length === 1 ? 'holds' : 'hold'} the model`,
    bar: role.sharing === 'allowed' ? null : sharingText(role),
  })
}

/** The node the scenario pins the role to when the lab has no such node; else null. */
function pinOutsideLab({ nodes }: RolePlan): string | null {
  for (const { failures } of nodes) {
    for (const failure of failures) {
      if (failure.constraint !== 'override' || failure.by !== 'pin') continue
      return nodes.some(({ nodeId }) => nodeId === failure.pinnedTo) ? null : failure.pinnedTo
    }
  }
  return null
}

/** Why the model may not be copied, which allowing transfer alone does not change. */
function sharingText(role: RolePlan): string {
  return role.manifest?.body.redistributable === true
    ? 'Copying weights is forbidden in this scenario.'
    : 'Its manifest is not marked redistributable, so it may not be copied even with weight transfer on.'
}

/** {@link outcomeHeadline} and {@link outcomeDetail} as one text. */
export function outcomeSentence(role: RolePlan): string {
  const detail = outcomeDetail(role)
  return detail === null ? outcomeHeadline(role) : `${outcomeHeadline(role)} ${detail}`
}

/** What the role would be as the only one, `On its own: …`; null where that is what becomes of it anyway. */
export function onItsOwnText({ outcome }: RolePlan): string | null {
  return isDisplaced(outcome) || outcome.kind === 'switched_off'
    ? `On its own: ${aloneText(outcome.alone)}.`
    : null
}

/** A decision as a clause: what a role would be by itself. */
function aloneText(decision: RoleDecision): string {
  switch (decision.kind) {
    case 'place_at_holder':
      return `run on ${decision.nodeId}, which holds the whole model; nothing is copied`
    case 'fetch_then_place':
      return `fetch ${formatBytes(decision.bytes)} to ${decision.target}, then run there`
    case 'unplaceable':
    case 'no_manifest':
      return `cannot run: ${noNodeText(decision)}`
  }
}

/** The outcome in a few words, for a column: `in place`, `fetch`, `elsewhere`, `off`, or why it cannot run. */
export function shortOutcome({ outcome }: Pick<RolePlan, 'outcome'>): string {
  switch (outcome.kind) {
    case 'in_place':
      return 'in place'
    case 'after_fetching':
      return 'fetch'
    case 'elsewhere':
      return outcome.bytes === 0n ? 'elsewhere' : 'fetch elsewhere'
    case 'cannot_run':
      return `cannot run: ${shortReason(outcome.reason)}`
    case 'switched_off':
      return 'switched off'
  }
}

/** Why a role cannot run, short enough for a list. */
export function shortReason(reason: CannotRun): string {
  switch (reason.kind) {
    case 'by_itself':
      return reason.decision.kind === 'no_manifest'
        ? 'no manifest'
        : UNPLACEABLE_SHORT[reason.decision.unplaceable.reason]
    case 'beside_others':
      return 'no place beside the others'
  }
}

/** The outcome as a list shows it under the role's name: `at mac-studio`, `fetch 4.3 GB → gpu-box`, or why not. */
export function outcomeLine({ outcome }: Pick<RolePlan, 'outcome'>): string {
  switch (outcome.kind) {
    case 'in_place':
      return `at ${outcome.nodeId}`
    case 'after_fetching':
      return `fetch ${formatBytes(outcome.bytes)} → ${outcome.nodeId}`
    case 'elsewhere':
      return outcome.bytes === 0n
        ? `at ${outcome.nodeId}, not ${outcome.insteadOf}`
        : `fetch ${formatBytes(outcome.bytes)} → ${outcome.nodeId}, not ${outcome.insteadOf}`
    case 'cannot_run':
      return shortReason(outcome.reason)
    case 'switched_off':
      return 'switched off'
  }
}

/** The reference's sentence for the first thing that keeps a role from a node. */
export function obstacleMessage(obstacle: PlacementObstacle): string {
  switch (obstacle.kind) {
    case 'co_residency':
      return refusalMessage(obstacle.refusals[0])
    case 'transfer':
      return `unplaceable: ${unplaceableMessage(obstacle.unplaceable)}`
  }
}

/** {@link obstacleMessage} without the word that all of them start with. */
export function obstacleReason(obstacle: PlacementObstacle): string {
  return plainReason(obstacleMessage(obstacle))
}

/** Why the role cannot run, as the reference says it, for other programs; null when it runs or is switched off. */
export function cannotRunReason({ outcome }: Pick<RolePlan, 'outcome'>): string | null {
  if (outcome.kind !== 'cannot_run') return null
  const { reason } = outcome
  if (reason.kind === 'beside_others') return obstacleMessage(reason.tried[0].obstacle)
  const { decision } = reason
  if (decision.kind === 'unplaceable') return `unplaceable: ${unplaceableMessage(decision.unplaceable)}`
  return decision.model === null
    ? 'no manifest can match its name; rename it: only letters, digits and . _ + : -'
    : `no manifest is named ${decision.model}`
}
