import type { ModelFormat, Runtime } from '../inference-spec.ts'
import { RUNTIME_TRAITS } from '../inference-spec.ts'
import { freeBytesFromCapabilities } from '../locality/holding.ts'
import { capabilityFinding, type Finding } from './capability-finding.ts'
import { factsExpiry } from '../node/node-facts.ts'
import { memoryPools } from '../node/memory-pools.ts'
import type { Capability, LabNode, MemoryPools } from '../node/types.ts'
import type { ConstraintFailure, Eligibility, Forced } from './types.ts'

/** What eligibility reads of a node, worked out once for all roles. */
export interface NodeProfile {
  readonly node: LabNode
  readonly capabilities: readonly Capability[]
  readonly pools: MemoryPools
  /** Bytes where a fetched model would land: as declared, else as probed; null when unknown. */
  readonly freeBytes: bigint | null
  /** Unix seconds at which the facts go stale; null when the node was declared, not probed. */
  readonly factsExpireAt: number | null
  /** How the capability `id` is found, remembered: many roles ask for the same few. */
  readonly finding: (id: string) => Finding
}

/** What a role asks of a node. */
export interface Need {
  readonly runtime: Runtime
  /** Null when the role has no manifest, so that no format can be asked for. */
  readonly format: ModelFormat | null
  /** Weights and KV cache together, in bytes. */
  readonly memoryBytes: bigint
  /** The only node the operator lets the role run on; null when any will do. */
  readonly pinnedTo: string | null
}

/** The terms under which nodes are judged. */
export interface EligibilityTerms {
  readonly forcedNodes: ReadonlyMap<string, 'in' | 'out'>
  /** Nodes to plan without. */
  readonly awayNodes: ReadonlySet<string>
  readonly requireFreshFacts: boolean
  /** Unix seconds; null leaves freshness unjudged. */
  readonly nowSecs: number | null
}

/** Prepares `node` for {@link eligibilityOf}. */
export function profileNode(node: LabNode): NodeProfile {
  const capabilities = node.facts?.capabilities ?? []
  const found = new Map<string, Finding>()
  return {
    node,
    capabilities,
    pools: memoryPools(capabilities),
    freeBytes: node.declared?.freeBytes ?? freeBytesFromCapabilities(capabilities),
    factsExpireAt: node.facts ? factsExpiry(node.facts) : null,
    finding: (id) => {
      const known = found.get(id)
      if (known !== undefined) return known
      const finding = capabilityFinding(capabilities, id)
      found.set(id, finding)
      return finding
    },
  }
}

interface Override {
  readonly forced: Forced
  readonly failure: ConstraintFailure | null
}

const FORCED_IN: Override = { forced: 'in', failure: null }
const NOT_FORCED: Override = { forced: null, failure: null }

function forcedOut(by: 'operator' | 'declaration' | 'away'): Override {
  return { forced: 'out', failure: { constraint: 'override', by } }
}

/** Precedence: away, pin, operator, declaration. */
function overrideOf({ nodeId, declared }: LabNode, { pinnedTo }: Need, terms: EligibilityTerms): Override {
  if (terms.awayNodes.has(nodeId)) return forcedOut('away')
  if (pinnedTo !== null && pinnedTo !== nodeId) {
    return { forced: 'out', failure: { constraint: 'override', by: 'pin', pinnedTo } }
  }
  // The operator's word on a node counts before its declaration's.
  const byOperator = terms.forcedNodes.get(nodeId)
  if (byOperator !== undefined) return byOperator === 'in' ? FORCED_IN : forcedOut('operator')
  switch (declared?.eligible ?? null) {
    case true:
      return FORCED_IN
    case false:
      return forcedOut('declaration')
    case null:
      return NOT_FORCED
  }
}

/** Notes of a probe are free text; only one about this runtime that says "not found" counts. */
function isNotedMissing({ facts }: LabNode, capability: string, program: string): boolean {
  return (facts?.notes ?? []).some(
    ({ probe, note }) =>
      note.includes('not found') &&
      (note.includes(program) || probe.includes(program) || probe === capability),
  )
}

function runtimeFailure(profile: NodeProfile, runtime: Runtime): ConstraintFailure | null {
  const { capability, program } = RUNTIME_TRAITS[runtime]
  const found = profile.finding(capability)
  if (found === 'usable') return null
  const failure: ConstraintFailure = { constraint: 'runtime', capability, found }
  if (found !== 'absent' || !isNotedMissing(profile.node, capability, program)) return failure
  return { ...failure, notFound: { program, nodeId: profile.node.nodeId } }
}

function formatFailure(
  profile: NodeProfile,
  runtime: Runtime,
  format: ModelFormat,
): ConstraintFailure | null {
  const { formats } = RUNTIME_TRAITS[runtime]
  if (!formats.includes(format)) {
    return { constraint: 'format', format, problem: { kind: 'not_loadable', runtime, loads: formats } }
  }
  const capability = `format.${format}`
  const found = profile.finding(capability)
  return found === 'usable'
    ? null
    : { constraint: 'format', format, problem: { kind: 'not_advertised', capability, found } }
}

function memoryFailure(profile: NodeProfile, needed: bigint): ConstraintFailure | null {
  const pool = profile.pools.roles
  return pool !== null && pool.freeBytes >= needed ? null : { constraint: 'memory', needed, pool }
}

function freshnessFailure(profile: NodeProfile, terms: EligibilityTerms): ConstraintFailure | null {
  if (!terms.requireFreshFacts || terms.nowSecs === null) return null
  const expiredAt = profile.factsExpireAt
  if (expiredAt !== null && terms.nowSecs <= expiredAt) return null
  return { constraint: 'fresh_facts', expiredAt, now: terms.nowSecs }
}

const NO_FAILURES: readonly ConstraintFailure[] = []

/**
 * Whether a node may run a role, with every constraint it fails, in the fixed order runtime, format, memory,
 * override, fresh facts. A node that is forced in is eligible despite its failures; the failures stay listed.
 */
export function eligibilityOf(profile: NodeProfile, need: Need, terms: EligibilityTerms): Eligibility {
  const { forced, failure: override } = overrideOf(profile.node, need, terms)
  let failures: ConstraintFailure[] | null = null
  for (const failure of [
    runtimeFailure(profile, need.runtime),
    need.format === null ? null : formatFailure(profile, need.runtime, need.format),
    memoryFailure(profile, need.memoryBytes),
    override,
    freshnessFailure(profile, terms),
  ]) {
    if (failure) (failures ??= []).push(failure)
  }
  return { eligible: forced === 'in' || failures === null, forced, failures: failures ?? NO_FAILURES }
}
