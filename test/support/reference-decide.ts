import { floatToU64, saturatingAdd } from '../../shared/bytes.ts'
import type {
  LocalityDecision,
  NodeHolding,
  Sharing,
  TransferPolicy,
  Unplaceable,
} from '../../shared/locality/types.ts'
import type { ModelShards } from '../../shared/model-manifest/types.ts'
import type { Capability } from '../../shared/node/types.ts'
import { compareCodePoints } from '../../shared/token.ts'

/**
 * The decision (docs/reference.md D1 to D10) written plainly, over strings, sets and bigints: the yardstick the
 * planner's own decision is measured against, for equality (properties) and for speed (benchmark). Keep it plain.
 */
export interface ReferencePlan {
  readonly decision: LocalityDecision
  readonly notes: readonly string[]
}

/** docs/reference.md N4. */
function display(u: Unplaceable): string {
  switch (u.reason) {
    case 'no_holder':
      return 'no node holds these weights; adopt them on a node first'
    case 'no_eligible_node':
      return 'no node passes the other placement constraints'
    case 'transfer_disabled':
      return 'weights are held elsewhere and allow_weight_transfer is off'
    case 'not_redistributable':
      return 'weights are held elsewhere and the manifest is not marked redistributable'
    case 'over_ceiling':
      return `transfer of ${u.bytes} bytes exceeds the ${u.max} byte ceiling`
    case 'no_space':
      if (u.free !== null) return `target needs ${u.needed} bytes free, has ${u.free}`
      return `target needs ${u.needed} bytes free and its free space is unknown`
  }
}

/** docs/reference.md H7. */
function missingBytes(node: NodeHolding, body: ModelShards): bigint {
  return body.shards
    .filter((s) => !node.shards.has(s.blake3))
    .map((s) => s.size)
    .reduce(saturatingAdd, 0n)
}

/** `decide`. */
export function referenceDecide(
  body: ModelShards,
  nodes: readonly NodeHolding[],
  policy: TransferPolicy,
  sharing: Sharing,
): ReferencePlan {
  const totalBytes = body.shards.map((s) => s.size).reduce(saturatingAdd, 0n)
  const notes = [`model ${body.name} (${body.shards.length} shards, ${totalBytes} bytes)`]
  const sorted = [...nodes].sort((a, b) => compareCodePoints(a.nodeId, b.nodeId))
  for (const n of sorted) {
    notes.push(
      `node ${n.nodeId}: eligible=${n.eligible} complete=${n.complete} ` +
        `holds ${n.shards.size}/${body.shards.length} shards`,
    )
  }
  const done = (decision: LocalityDecision, line: string): ReferencePlan => {
    notes.push(line)
    return { decision, notes }
  }
  const holder = sorted.find((n) => n.eligible && n.complete)
  if (holder) {
    return done(
      { kind: 'place_at_holder', nodeId: holder.nodeId },
      `relocate: ${holder.nodeId} already holds every shard, nothing is copied`,
    )
  }
  const sources = sorted.filter((n) => n.complete).map((n) => n.nodeId)
  const fail = (u: Unplaceable): ReferencePlan =>
    done({ kind: 'unplaceable', unplaceable: u }, `unplaceable: ${display(u)}`)
  const eligible = sorted.filter((n) => n.eligible)
  if (eligible.length === 0) return fail({ reason: 'no_eligible_node' })
  if (sources.length === 0) return fail({ reason: 'no_holder' })
  if (!policy.allowWeightTransfer) return fail({ reason: 'transfer_disabled' })
  if (sharing !== 'allowed') return fail({ reason: 'not_redistributable' })
  const targets = eligible.map((n) => ({ n, bytes: missingBytes(n, body) }))
  targets.sort((a, b) => {
    if (a.bytes !== b.bytes) return a.bytes < b.bytes ? -1 : 1
    return compareCodePoints(a.n.nodeId, b.n.nodeId)
  })
  let firstFailure: Unplaceable | null = null
  for (const { n, bytes } of targets) {
    const u = verdict(n, bytes, policy)
    if (u === null) {
      const missingShards = body.shards.filter((s) => !n.shards.has(s.blake3)).length
      return done(
        { kind: 'fetch_then_place', target: n.nodeId, sources, bytes, missingShards },
        `fetch: ${n.nodeId} gets ${missingShards} shard(s), ${bytes} bytes, from ${sources.join(',')}`,
      )
    }
    notes.push(`target ${n.nodeId} rejected: ${display(u)}`)
    firstFailure ??= u
  }
  return fail(firstFailure ?? { reason: 'no_eligible_node' })
}

/** The closure `verdict` of `decide`. */
function verdict(n: NodeHolding, bytes: bigint, policy: TransferPolicy): Unplaceable | null {
  if (policy.maxBytes !== null && bytes > policy.maxBytes) {
    return { reason: 'over_ceiling', bytes, max: policy.maxBytes }
  }
  const needed = saturatingAdd(bytes, policy.freeHeadroomBytes)
  if (n.freeBytes !== null && n.freeBytes >= needed) return null
  return { reason: 'no_space', needed, free: n.freeBytes }
}

/** docs/reference.md H1 to H6. */
export function referenceHolding(
  nodeId: string,
  packageId: string,
  body: ModelShards,
  caps: readonly Capability[],
  eligible: boolean,
): NodeHolding {
  const marker = `model:${packageId}`
  const wanted = new Set(body.shards.map((s) => s.blake3))
  const shards = new Set<string>()
  let complete = false
  for (const c of caps.filter((cap) => cap.id === 'model.present')) {
    const list = c.attrs.get('shards')
    if (!Array.isArray(list)) continue
    const items = list.filter((v) => typeof v === 'string')
    const hasMarker = items.includes(marker)
    if (hasMarker) {
      if (c.state === 'available' || c.state === 'busy') {
        complete = true
        for (const s of wanted) shards.add(s)
      }
    } else {
      for (const s of items) if (wanted.has(s)) shards.add(s)
    }
  }
  let freeBytes: bigint | null = null
  for (const c of caps) {
    if (!c.id.startsWith('store.tier.') || c.state !== 'available') continue
    const free = c.attrs.get('free')
    if (typeof free !== 'number' || !(free >= 0)) continue
    const bytes = floatToU64(free)
    if (freeBytes === null || bytes > freeBytes) freeBytes = bytes
  }
  return { nodeId, eligible, shards, complete, freeBytes }
}
