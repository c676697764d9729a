import { saturatingAdd } from '../bytes.ts'
import type { ModelShards } from '../model-manifest/types.ts'
import { compareCodePoints } from '../token.ts'
import { indexHolding, type IndexedHolding } from './holding.ts'
import { renderNote } from './notes.ts'
import { ShardIndex } from './shard-index.ts'
import type {
  Consideration,
  LocalityDecision,
  NodeHolding,
  Sharing,
  TransferPolicy,
  Unplaceable,
} from './types.ts'

interface Rejection {
  readonly nodeId: string
  readonly unplaceable: Unplaceable
}

/**
 * A decision with everything that was considered. Considerations and notes are made when they are read: a lab of
 * ten thousand nodes is decided far more often than it is explained.
 */
export class LocalityPlan {
  readonly decision: LocalityDecision
  readonly #index: ShardIndex
  readonly #nodes: readonly IndexedHolding[]
  readonly #rejections: readonly Rejection[]

  constructor(
    decision: LocalityDecision,
    index: ShardIndex,
    nodes: readonly IndexedHolding[],
    rejections: readonly Rejection[],
  ) {
    this.decision = decision
    this.#index = index
    this.#nodes = nodes
    this.#rejections = rejections
  }

  /** Node ids in the decision's order: by code point, equal ids in the order given. */
  get nodeOrder(): readonly string[] {
    return this.#nodes.map((node) => node.nodeId)
  }

  /** What was looked at, in order; the last one is the verdict. */
  get considerations(): Consideration[] {
    const { model, totalBytes } = this.#index
    const shards = model.shards.length
    return [
      { kind: 'model', name: model.name, shards, bytes: totalBytes },
      ...this.#nodes.map(
        ({ nodeId, eligible, complete, heldShards }): Consideration => {
          return { kind: 'node', nodeId, eligible, complete, heldShards, shards }
        },
      ),
      ...this.#rejections.map((rejection): Consideration => ({ kind: 'rejected_target', ...rejection })),
      { kind: 'verdict', decision: this.decision },
    ]
  }

  /** One line per consideration, equal to the reference's notes. */
  get notes(): string[] {
    return this.considerations.map(renderNote)
  }
}

/** Whether the manifest's own flag allows sharing (reference: locality.rs Sharing::from_manifest). */
export function sharingFromManifest(model: ModelShards): Sharing {
  return model.redistributable ? 'allowed' : 'refused'
}

/** Chooses between running where the bytes are and fetching them (reference: locality.rs decide). */
export function decide(
  model: ModelShards,
  nodes: readonly NodeHolding[],
  policy: TransferPolicy,
  sharing: Sharing,
): LocalityPlan {
  const index = new ShardIndex(model)
  return decideIndexed(
    index,
    nodes.map((node) => indexHolding(index, node)),
    policy,
    sharing,
  )
}

/** {@link decide} over holdings that were indexed before. */
export function decideIndexed(
  index: ShardIndex,
  nodes: readonly IndexedHolding[],
  policy: TransferPolicy,
  sharing: Sharing,
): LocalityPlan {
  const sorted = sortById(nodes)
  const end = (decision: LocalityDecision, rejections: readonly Rejection[] = []): LocalityPlan =>
    new LocalityPlan(decision, index, sorted, rejections)
  const fail = (unplaceable: Unplaceable, rejections: readonly Rejection[] = []): LocalityPlan =>
    end({ kind: 'unplaceable', unplaceable }, rejections)

  const holder = sorted.find((node) => node.eligible && node.complete)
  if (holder) return end({ kind: 'place_at_holder', nodeId: holder.nodeId })
  if (!sorted.some((node) => node.eligible)) return fail({ reason: 'no_eligible_node' })
  const sources = sorted.filter((node) => node.complete).map((node) => node.nodeId)
  if (sources.length === 0) return fail({ reason: 'no_holder' })
  if (!policy.allowWeightTransfer) return fail({ reason: 'transfer_disabled' })
  if (sharing !== 'allowed') return fail({ reason: 'not_redistributable' })

  const rejections: Rejection[] = []
  for (const { node, missing } of targetsBestFirst(index, sorted)) {
    const unplaceable = whyNotTarget(missing.bytes, node.freeBytes, policy)
    if (unplaceable === null) {
      const { bytes, shards } = missing
      return end(
        { kind: 'fetch_then_place', target: node.nodeId, sources, bytes, missingShards: shards },
        rejections,
      )
    }
    rejections.push({ nodeId: node.nodeId, unplaceable })
  }
  return fail(rejections[0]?.unplaceable ?? { reason: 'no_eligible_node' }, rejections)
}

/** Why a node that lacks `bytes` cannot receive them under `policy`, or null when it can. */
export function whyNotTarget(
  bytes: bigint,
  freeBytes: bigint | null,
  policy: TransferPolicy,
): Unplaceable | null {
  if (policy.maxBytes !== null && bytes > policy.maxBytes) {
    return { reason: 'over_ceiling', bytes, max: policy.maxBytes }
  }
  const needed = saturatingAdd(bytes, policy.freeHeadroomBytes)
  if (freeBytes !== null && freeBytes >= needed) return null
  return { reason: 'no_space', needed, free: freeBytes }
}

/** Eligible nodes by missing bytes, fewest first; nodes that miss the same keep their order by id. */
function targetsBestFirst(
  index: ShardIndex,
  sorted: readonly IndexedHolding[],
): { node: IndexedHolding; missing: { bytes: bigint; shards: number } }[] {
  const targets = sorted
    .filter((node) => node.eligible)
    .map((node) => ({ node, missing: index.missing(node.bits) }))
  return targets.sort((a, b) => (a.missing.bytes < b.missing.bytes ? -1 : a.missing.bytes > b.missing.bytes ? 1 : 0))
}

/** Nodes by id in code point order; callers that keep their nodes sorted pay one pass. */
function sortById(nodes: readonly IndexedHolding[]): readonly IndexedHolding[] {
  const isSorted = nodes.every((node, i) => {
    const previous = nodes[i - 1]
    return previous === undefined || compareCodePoints(previous.nodeId, node.nodeId) <= 0
  })
  return isSorted ? nodes : nodes.toSorted((a, b) => compareCodePoints(a.nodeId, b.nodeId))
}
