import { formatBytes, formatExactBytes } from '../bytes.ts'
import { specMemoryBytes } from '../inference-spec.ts'
import { failureDetail } from '../eligibility/describe.ts'
import type { Unplaceable } from '../locality/types.ts'
import { listed, plural } from '../listed.ts'
import type { NodeVerdict, RoleDecision, RolePlan } from '../plan/types.ts'

function unplaceableSentence(unplaceable: Unplaceable): string {
  switch (unplaceable.reason) {
    case 'no_holder':
      return 'Cannot be placed: no node holds the whole model, so there is nothing to fetch from.'
    case 'no_eligible_node':
      return 'Cannot be placed: no node passes the constraints.'
    case 'transfer_disabled':
      return 'Cannot be placed: the weights are on a node that cannot run it, and weight transfer is off.'
    case 'not_redistributable':
      return 'Cannot be placed: the weights are on a node that cannot run it, and they may not be handed on.'
    case 'over_ceiling':
      return (
        `Cannot be placed: ${formatBytes(unplaceable.bytes)} would have to move, ` +
        `over the ceiling of ${formatBytes(unplaceable.max)}.`
      )
    case 'no_space':
      return unplaceable.free === null
        ? `Cannot be placed: the best target needs ${formatBytes(unplaceable.needed)} free and its free space is unknown.`
        : `Cannot be placed: the best target needs ${formatBytes(unplaceable.needed)} free and has ${formatBytes(unplaceable.free)}.`
  }
}

/** The decision in one sentence for a person: what to do, or that nothing can be done and why. */
export function verdictHeadline(role: RolePlan): string {
  const { decision } = role
  switch (decision.kind) {
    case 'place_at_holder':
      return `Run on ${decision.nodeId}: it already holds the whole model, nothing is copied.`
    case 'fetch_then_place':
      return (
        `Fetch ${plural(decision.missingShards, 'shard')} (${formatBytes(decision.bytes)}) to ${decision.target} ` +
        `from ${listed(decision.sources)}, then run there.`
      )
    case 'unplaceable':
      return unplaceableSentence(decision.unplaceable)
    case 'no_manifest':
      return decision.model === null
        ? 'Cannot be placed: the roster’s name for it is not a plain token, so no manifest can be named by it.'
        : `Cannot be placed: no manifest is named ${decision.model}; adopt the model or add its manifest.`
  }
}

/** The exact figures behind the headline, or what to look at next; null when the headline says it all. */
export function verdictDetail(role: RolePlan): string | null {
  const { decision } = role
  switch (decision.kind) {
    case 'place_at_holder': {
      const free = role.nodes.find((node) => node.nodeId === decision.nodeId)
      return free?.forced === 'in' ? 'The node is forced in.' : null
    }
    case 'fetch_then_place':
      return (
        `${formatExactBytes(decision.bytes)} would move` +
        (decision.sources.length > 1 ? '; any of the sources can serve them.' : '.')
      )
    case 'unplaceable':
      return unplaceableDetail(role, decision.unplaceable)
    case 'no_manifest':
      return null
  }
}

function unplaceableDetail(role: RolePlan, unplaceable: Unplaceable): string | null {
  const holders = role.nodes.filter((node) => node.complete).map((node) => node.nodeId)
  switch (unplaceable.reason) {
    case 'transfer_disabled':
      return `${listed(holders)} ${holders.length === 1 ? 'holds' : 'hold'} the model. Allow weight transfer to fetch it.`
    case 'not_redistributable':
      return (
        `${listed(holders)} ${holders.length === 1 ? 'holds' : 'hold'} the model, ` +
        (role.manifest?.body.redistributable
          ? 'but sharing is vetoed.'
          : 'but its manifest is not marked redistributable.')
      )
    case 'no_eligible_node':
      return `${plural(role.nodes.length, 'node')} looked at; the constraints below say why each is out.`
    case 'no_holder':
      return 'Adopt the model on a node first.'
    case 'over_ceiling':
      return `${formatExactBytes(unplaceable.bytes)} against ${formatExactBytes(unplaceable.max)}.`
    case 'no_space':
      return unplaceable.free === null
        ? null
        : `${formatExactBytes(unplaceable.needed)} against ${formatExactBytes(unplaceable.free)}, headroom included.`
  }
}

/** {@link verdictHeadline} and {@link verdictDetail} as one text. */
export function verdictSentence(role: RolePlan): string {
  const detail = verdictDetail(role)
  return detail === null ? verdictHeadline(role) : `${verdictHeadline(role)} ${detail}`
}

/** Why an eligible node is eligible: the memory it has for what the role needs. */
export function eligibleBecause(role: RolePlan, verdict: NodeVerdict): string {
  const needed = formatBytes(specMemoryBytes(role.imported.spec))
  if (verdict.memory === null) return `needs ${needed}`
  return `needs ${needed}, ${formatBytes(verdict.memory.freeBytes)} free in the ${verdict.memory.name} pool`
}

/** The decision in a few words, for a column: `in place`, `fetch`, or why not. */
export function shortVerdict(decision: RoleDecision): string {
  switch (decision.kind) {
    case 'place_at_holder':
      return 'in place'
    case 'fetch_then_place':
      return 'fetch'
    case 'unplaceable':
      return SHORT_REASONS[decision.unplaceable.reason]
    case 'no_manifest':
      return 'no manifest'
  }
}

/** The decision as a list shows it under the role's name: `at mac-studio`, `fetch 4.3 GB → gpu-box`, or why not. */
export function roleLine(role: RolePlan): string {
  const { decision } = role
  switch (decision.kind) {
    case 'place_at_holder':
      return `at ${decision.nodeId}`
    case 'fetch_then_place':
      return `fetch ${formatBytes(decision.bytes)} → ${decision.target}`
    case 'unplaceable':
    case 'no_manifest':
      return shortVerdict(decision)
  }
}

/** Each reason for an unplaceable role, short enough for a badge. */
export const SHORT_REASONS: Readonly<Record<Unplaceable['reason'], string>> = {
  no_holder: 'no holder',
  no_eligible_node: 'no eligible node',
  transfer_disabled: 'transfer is off',
  not_redistributable: 'not redistributable',
  over_ceiling: 'over the ceiling',
  no_space: 'no space',
}

/** The reference's notes, to the letter; without a manifest one line of our own says so. */
export function roleNotes(role: RolePlan): string[] {
  return role.locality?.notes ?? []
}

/** One line about a node: why it is eligible or every constraint it fails. */
export function nodeSummary(verdict: NodeVerdict): string {
  const failures = verdict.failures.map(failureDetail)
  if (verdict.forced === 'in') {
    return failures.length === 0
      ? 'eligible (forced in)'
      : `eligible (forced in, although ${failures.join('; ')})`
  }
  return verdict.eligible ? 'eligible' : failures.join('; ')
}

/** In a word or two whose word overrules what the node passes and fails; null when nobody's does. */
export function forcedWord({ forced, failures }: Pick<NodeVerdict, 'forced' | 'failures'>): string | null {
  if (forced !== 'out') return forced === null ? null : 'forced in'
  const override = failures.find((failure) => failure.constraint === 'override')
  switch (override?.by) {
    case 'pin':
      return 'pinned elsewhere'
    case 'away':
      return 'away'
    case 'operator':
    case 'declaration':
    case undefined:
      return 'forced out'
  }
}
