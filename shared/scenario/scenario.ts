import { formatBytes, GIB } from '../bytes.ts'
import { DEFAULT_POLICY, type TransferPolicy } from '../locality/types.ts'

/**
 * What the operator assumes while planning; never written to the lab's files. Nodes and roles are named by id; a name
 * the lab does not have has no effect, and is told.
 */
export interface Scenario {
  readonly policy: TransferPolicy
  /** The operator refuses sharing whatever the manifests say; sharing can be vetoed, never granted. */
  readonly sharingVeto: boolean
  /** Stale or missing facts rule a node out. */
  readonly requireFreshFacts: boolean
  /** Unix seconds to judge freshness by; null leaves freshness unjudged (the core has no clock). */
  readonly nowSecs: number | null
  readonly forcedNodes: ReadonlyMap<string, 'in' | 'out'>
  /** Bytes free for a fetched model on a node, instead of what the node tells. */
  readonly freeSpace: ReadonlyMap<string, bigint>
  /** Bytes free in a node's pool for roles, instead of what the node tells. */
  readonly memory: ReadonlyMap<string, bigint>
  /** Roles that do not run: they are decided as ever, but placed nowhere and hold nothing. */
  readonly offRoles: ReadonlySet<string>
  /** Nodes to plan without: nothing runs there, nothing is fetched from there. */
  readonly awayNodes: ReadonlySet<string>
  /** Role → the only node it may run on. Pinned roles take their memory before the others. */
  readonly pinned: ReadonlyMap<string, string>
  /** Link rate of the nodes that tell of none, in megabits (1e6) a second; null when unknown. */
  readonly linkMbps: number | null
}

/** What is planned when the operator says nothing: transfer off, no ceiling, 1 GiB headroom, nobody forced. */
export const DEFAULT_SCENARIO: Scenario = {
  policy: DEFAULT_POLICY,
  sharingVeto: false,
  requireFreshFacts: false,
  nowSecs: null,
  forcedNodes: new Map(),
  freeSpace: new Map(),
  memory: new Map(),
  offRoles: new Set(),
  awayNodes: new Set(),
  pinned: new Map(),
  linkMbps: null,
}

/** Bytes as the policy's controls show them: whole or tenth GiB, no trailing zeros. */
export function formatGib(bytes: bigint): string {
  const thousandths = (bytes * 1000n + GIB / 2n) / GIB
  const fraction = (thousandths % 1000n).toString().padStart(3, '0').replace(/0+$/, '')
  return `${thousandths / 1000n}${fraction === '' ? '' : `.${fraction}`} GiB`
}

/** How `scenario` differs from planning with nothing assumed, a few words each; empty when it does not. */
export function scenarioChanges(scenario: Scenario): string[] {
  const { policy } = scenario
  const changes: string[] = []
  if (policy.allowWeightTransfer !== DEFAULT_POLICY.allowWeightTransfer) changes.push('transfer on')
  if (policy.maxBytes !== null)
    changes.push(`ceiling ${formatGib(policy.maxBytes)} (${formatBytes(policy.maxBytes)})`)
  if (policy.freeHeadroomBytes !== DEFAULT_POLICY.freeHeadroomBytes) {
    changes.push(`headroom ${formatGib(policy.freeHeadroomBytes)}`)
  }
  if (scenario.sharingVeto) changes.push('sharing vetoed')
  if (scenario.requireFreshFacts) changes.push('fresh facts required')
  for (const [node, forced] of scenario.forcedNodes) changes.push(`${node} forced ${forced}`)
  return [...changes, ...assumptions(scenario)]
}

/** What `scenario` assumes of single nodes and roles beyond putting nodes in or out, a few words each. */
export function assumptions({
  freeSpace,
  memory,
  offRoles,
  awayNodes,
  pinned,
  linkMbps,
}: Scenario): string[] {
  return [
    ...[...awayNodes].map((node) => `${node} away`),
    ...[...freeSpace].map(([node, bytes]) => `${formatBytes(bytes)} free on ${node}`),
    ...[...memory].map(([node, bytes]) => `${formatBytes(bytes)} of memory free on ${node}`),
    ...[...offRoles].map((role) => `${role} off`),
    ...[...pinned].map(([role, node]) => `${role} pinned to ${node}`),
    ...(linkMbps === null ? [] : [`links of ${linkMbps} Mbit/s`]),
  ]
}
