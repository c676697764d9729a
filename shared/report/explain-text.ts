import { formatBytes, formatExactBytes, sumBytes } from '../bytes.ts'
import { specMemoryBytes } from '../inference-spec.ts'
import { hasBit, ShardIndex } from '../locality/shard-index.ts'
import type { ModelManifest, Shard, SignatureState } from '../model-manifest/types.ts'
import { CONSTRAINT_LABELS } from '../eligibility/describe.ts'
import type { LatencySource } from '../roster/types.ts'
import type { NodeVerdict, RolePlan } from '../plan/types.ts'
import { eligibleBecause, failureText, forcedWord } from './words.ts'

/**
 * A role or a node explained as labels and sentences, for each place that lays them out: the terminal, Markdown, the
 * page.
 */
export interface LabelledText {
  readonly label: string
  readonly text: string
}

const LATENCY_SOURCES: Readonly<Record<LatencySource, string>> = {
  overlay: 'from the overlay',
  roster_text: 'from the roster’s text',
  default: 'default',
}

/** What is known of a role before any node is looked at. What the roster leaves empty is left out. */
export function roleFacts(role: RolePlan): LabelledText[] {
  const { spec, repo, status, latencySource, stickyFromOverlay } = role.imported
  const memory = `${formatBytes(specMemoryBytes(spec))} (${formatExactBytes(specMemoryBytes(spec))})`
  const port = spec.serve.port === null ? 'no port' : `port ${spec.serve.port}`
  const facts: LabelledText[] = [
    { label: 'model', text: spec.model ?? 'none: rename it, only letters, digits and . _ + : -' },
    { label: 'manifest', text: role.manifest === null ? 'none' : manifestText(role.manifest) },
    { label: 'sharing', text: role.manifest === null ? '' : sharingText(role, role.manifest) },
    { label: 'runtime', text: `${spec.runtime}, ${port}` },
    { label: 'memory', text: memory },
    { label: 'latency', text: `${spec.latencyClass} (${LATENCY_SOURCES[latencySource]})` },
    {
      label: 'sticky',
      text: `${spec.sticky ? 'yes' : 'no'} (${stickyFromOverlay ? 'from the overlay' : 'default'})`,
    },
    { label: 'excludes', text: spec.excludes.join(', ') },
    { label: 'repo', text: repo },
    { label: 'status', text: status },
  ]
  return facts.filter(({ text }) => text !== '')
}

const SIGNATURES: Readonly<Record<SignatureState, string>> = {
  valid: 'signed',
  invalid: 'signature does not verify',
  unsigned: 'unsigned',
}

function manifestText({ body, packageId, signature }: ModelManifest): string {
  const shards = `${body.shards.length} ${body.shards.length === 1 ? 'shard' : 'shards'}`
  const bytes = formatBytes(sumBytes(body.shards.map((shard) => shard.size)))
  return `${body.format}, ${shards}, ${bytes}, ${SIGNATURES[signature]}, package ${packageId.slice(0, 12)}…`
}

function sharingText({ sharing }: RolePlan, { body }: ModelManifest): string {
  if (sharing === 'allowed') {
    return body.redistributable
      ? 'allowed: the manifest is marked redistributable'
      : 'allowed: the scenario takes the model to be redistributable'
  }
  return body.redistributable
    ? 'refused: copying weights is forbidden in this scenario'
    : 'refused: the manifest is not marked redistributable'
}

/** What the plan says of one node for one role. */
export interface NodeFindings {
  readonly nodeId: string
  readonly eligible: boolean
  /** `eligible`, `not eligible`, or that somebody put the node in or out. */
  readonly standing: string
  /** What it holds of the model, and what it lacks; null when there is no manifest to compare with. */
  readonly holding: string | null
  /** Room for a fetched model, such as `903.0 GB free for weights`. */
  readonly free: string
  /** Every constraint it fails, with both operands; also those that forcing it in overrules. */
  readonly failures: readonly LabelledText[]
  /** What lets it pass: the memory it has for what the role needs; null where a constraint fails. */
  readonly because: string | null
  /** The missing shards by path and size, and how many more there are; null when it misses none. */
  readonly missing: string | null
}

/** How many missing shards are named before the rest is counted. */
const NAMED_SHARDS = 3

/** {@link NodeFindings} of every node, in the decision's order. */
export function nodeFindings(role: RolePlan): NodeFindings[] {
  const index = role.manifest && new ShardIndex(role.manifest.body)
  return role.nodes.map((node) => ({
    nodeId: node.nodeId,
    eligible: node.eligible,
    standing: standingText(node),
    holding: index && holdingText(node, index),
    free: node.freeBytes === null ? 'free space unknown' : `${formatBytes(node.freeBytes)} free for weights`,
    failures: node.failures.map((failure) => ({
      label: CONSTRAINT_LABELS[failure.constraint],
      text: failureText(failure, role.role),
    })),
    because: node.failures.length === 0 ? eligibleBecause(role, node) : null,
    missing: index && missingText(node, index),
  }))
}

function standingText(verdict: NodeVerdict): string {
  const { eligible, forced, failures } = verdict
  switch (forced) {
    case 'in':
      return failures.length === 0 ? 'treated as eligible' : 'treated as eligible, despite the failures below'
    case 'out':
      return `not eligible (${forcedWord(verdict)})`
    case null:
      return eligible ? 'eligible' : 'not eligible'
  }
}

function holdingText(node: NodeVerdict, index: ShardIndex): string {
  if (node.complete) return 'holds the whole model'
  const total = index.model.shards.length
  const lacks = `misses ${formatBytes(node.missingBytes ?? index.totalBytes)}`
  if (node.presence?.detached) return `holds the whole model on storage that is away, ${lacks}`
  if (node.heldShards === 0) return `holds nothing, ${lacks}`
  return `holds ${node.heldShards} of ${total} ${total === 1 ? 'shard' : 'shards'}, ${lacks}`
}

function missingText(node: NodeVerdict, index: ShardIndex): string | null {
  const missing = index.model.shards.filter((_, i) => !holdsShard(node, index, i))
  // Naming one or two of a model that is not there at all says nothing that "holds nothing" has not.
  if (missing.length === 0 || missing.length === index.model.shards.length) return null
  const named = missing.slice(0, NAMED_SHARDS).map(shardText).join(', ')
  const more = missing.length - NAMED_SHARDS
  return more > 0 ? `${named} and ${more} more` : named
}

function holdsShard(node: NodeVerdict, index: ShardIndex, shard: number): boolean {
  return node.presence !== null && hasBit(node.presence.bits, index.slotOfShard(shard))
}

function shardText({ path, size }: Shard): string {
  return `${path} (${formatBytes(size)})`
}
