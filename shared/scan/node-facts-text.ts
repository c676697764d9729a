import { jsonText, type JsonInput } from '../json/json-text.ts'
import type { AttrValue, Capability } from '../node/types.ts'
import type { Advertised } from './holdings.ts'

/**
 * How long facts hold, in seconds: a day, in which free memory and disks change less than a plan cares about.
 */
const FACTS_TTL_SECS = 86_400

/** The facts of one node as its file has them. Times are unix seconds. */
export interface FactsHead {
  readonly nodeId: string
  readonly issuedAt: number
  /** The `seq` of the facts that these come after; null when there are none. */
  readonly previousSeq: number | null
}

/**
 * The text of a node facts file (docs/formats.md, "Node facts"). `seq` is above that of the facts before, and
 * otherwise the time: so facts that went to standard output, on a machine that keeps no file of them, still
 * come after each other.
 */
export function nodeFactsText(head: FactsHead, { capabilities, notes }: Advertised): string {
  const facts: JsonInput = {
    version: 1,
    node_id: head.nodeId,
    issued_at: head.issuedAt,
    ttl_secs: FACTS_TTL_SECS,
    seq: nextSeq(head),
    capabilities: capabilities.map(capabilityJson),
    notes: notes.map(({ probe, note }) => ({ probe, note })),
  }
  return `${jsonText(facts, 2)}\n`
}

function nextSeq({ issuedAt, previousSeq }: FactsHead): number {
  if (previousSeq === null) return issuedAt
  return Math.min(Math.max(previousSeq + 1, issuedAt), Number.MAX_SAFE_INTEGER)
}

function capabilityJson({ id, attrs, provenance, state, exclusive }: Capability): JsonInput {
  const entries = [...attrs].map(([name, value]): [string, AttrValue] => [name, value])
  return {
    id,
    attrs: entries.length === 0 ? undefined : Object.fromEntries(entries),
    provenance,
    state,
    exclusive,
  }
}

/**
 * A node id made of a machine's own name: what an id cannot hold becomes a dash. Null when nothing is left.
 */
export function nodeIdOf(hostName: string): string | null {
  const id = hostName
    .replace(/\.(?:local|lan|home|localdomain)$/i, '')
    .replace(/[^A-Za-z0-9\-_.:]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 128)
  return id === '' ? null : id
}
