import { saturatingAdd } from '../bytes.ts'
import type { ModelShards } from '../model-manifest/types.ts'
import { compareCodePoints } from '../token.ts'
import { holdingsIn, indexHolding, type HoldingList, type IndexedHolding } from './holding.ts'
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

/** An eligible node as the target of a fetch. */
interface Target {
  /** Its place among the nodes. */
  readonly place: number
  readonly node: IndexedHolding
  /** Bytes it misses. */
  readonly bytes: bigint
}

/** What was weighed when targets were: under which policy, and which one won. */
interface Weighing {
  readonly policy: TransferPolicy
  readonly winner: Target | null
}

/**
 * A decision with everything that was considered. Considerations and notes are made when they are read: a lab of
 * ten thousand nodes is decided far more often than it is explained.
 */
export class LocalityPlan {
  readonly decision: LocalityDecision
  readonly #index: ShardIndex
  readonly #nodes: HoldingList
  readonly #weighing: Weighing | null

  constructor(decision: LocalityDecision, index: ShardIndex, nodes: HoldingList, weighing: Weighing | null) {
    this.decision = decision
    this.#index = index
    this.#nodes = nodes
    this.#weighing = weighing
  }

  /** Node ids in the decision's order: by code point, equal ids in the order given. */
  get nodeOrder(): readonly string[] {
    return holdingsIn(this.#nodes).map((node) => node.nodeId)
  }

  /** What was looked at, in order; the last one is the verdict. */
  get considerations(): Consideration[] {
    const { model, totalBytes } = this.#index
    const shards = model.shards.length
    return [
      { kind: 'model', name: model.name, shards, bytes: totalBytes },
      ...holdingsIn(this.#nodes).map(({ nodeId, eligible, complete, heldShards }): Consideration => {
        return { kind: 'node', nodeId, eligible, complete, heldShards, shards }
      }),
      ...this.#rejections(),
      { kind: 'verdict', decision: this.decision },
    ]
  }

  /** One line per consideration, equal to the reference's notes. */
  get notes(): string[] {
    return this.considerations.map(renderNote)
  }

  /** The targets that were better than the winner but cannot receive the shards, best first. */
  #rejections(): Consideration[] {
    if (this.#weighing === null) return []
    const { policy, winner } = this.#weighing
    const bestFirst = holdingsIn(this.#nodes)
      .map((node, place): Target => ({ place, node, bytes: this.#index.missingBytes(node.bits) }))
      .filter(({ node }) => node.eligible)
      .sort((a, b) => (a.bytes < b.bytes ? -1 : a.bytes > b.bytes ? 1 : 0))
    const better =
      winner === null
        ? bestFirst
        : bestFirst.slice(
            0,
            bestFirst.findIndex(({ place }) => place === winner.place),
          )
    return better.flatMap(({ node, bytes }): Consideration[] => {
      const unplaceable = whyNotTarget(bytes, node.freeBytes, policy)
      return unplaceable === null ? [] : [{ kind: 'rejected_target', nodeId: node.nodeId, unplaceable }]
    })
  }
}

/** Whether the manifest's own flag allows sharing (docs/reference.md D5). */
export function sharingFromManifest(model: ModelShards): Sharing {
  return model.redistributable ? 'allowed' : 'refused'
}

/** Chooses between running where the bytes are and fetching them (docs/reference.md D1 to D10). */
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
  return decideSorted(index, sortById(nodes), policy, sharing)
}

/**
 * {@link decideIndexed} over nodes that are known to be in the order of their ids: looking takes as long as deciding.
 */
export function decideSorted(
  index: ShardIndex,
  sorted: HoldingList,
  policy: TransferPolicy,
  sharing: Sharing,
): LocalityPlan {
  const end = (decision: LocalityDecision, weighing: Weighing | null = null): LocalityPlan =>
    new LocalityPlan(decision, index, sorted, weighing)
  const fail = (unplaceable: Unplaceable, weighing: Weighing | null = null): LocalityPlan =>
    end({ kind: 'unplaceable', unplaceable }, weighing)

  let someEligible = false
  const sources: string[] = []
  for (let place = 0; place < sorted.length; place++) {
    const node = sorted.at(place)
    if (node?.complete === true) {
      if (node.eligible) return end({ kind: 'place_at_holder', nodeId: node.nodeId })
      sources.push(node.nodeId)
    } else if (node?.eligible === true) someEligible = true
  }
  if (!someEligible) return fail({ reason: 'no_eligible_node' })
  if (sources.length === 0) return fail({ reason: 'no_holder' })
  if (!policy.allowWeightTransfer) return fail({ reason: 'transfer_disabled' })
  if (sharing !== 'allowed') return fail({ reason: 'not_redistributable' })

  const { winner, bestRejected } = weighTargets(index, sorted, policy)
  if (winner !== null) {
    const { bytes, shards } = index.missing(winner.node.bits)
    const target = winner.node.nodeId
    return end(
      { kind: 'fetch_then_place', target, sources, bytes, missingShards: shards },
      { policy, winner },
    )
  }
  const reason = bestRejected && whyNotTarget(bestRejected.bytes, bestRejected.node.freeBytes, policy)
  return fail(reason ?? { reason: 'no_eligible_node' }, { policy, winner })
}

/**
 * The best target that can receive the shards, and the best that cannot: fewest missing bytes, then node id. One pass
 * answers both, where the reference sorts all targets and tries them in turn.
 */
function weighTargets(
  index: ShardIndex,
  sorted: HoldingList,
  policy: TransferPolicy,
): { readonly winner: Target | null; readonly bestRejected: Target | null } {
  let winner: Target | null = null
  let bestRejected: Target | null = null
  for (let place = 0; place < sorted.length; place++) {
    const node = sorted.at(place)
    if (node === undefined || !node.eligible) continue
    const bytes = index.missingBytes(node.bits)
    if (winner !== null && bytes >= winner.bytes) continue
    if (whyNotTarget(bytes, node.freeBytes, policy) === null) winner = { place, node, bytes }
    else if (bestRejected === null || bytes < bestRejected.bytes) bestRejected = { place, node, bytes }
  }
  return { winner, bestRejected }
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

/** Nodes by id in code point order; callers that keep their nodes sorted pay one pass. */
function sortById(nodes: readonly IndexedHolding[]): readonly IndexedHolding[] {
  const isSorted = nodes.every((node, i) => {
    const previous = nodes[i - 1]
    return previous === undefined || compareCodePoints(previous.nodeId, node.nodeId) <= 0
  })
  return isSorted ? nodes : nodes.toSorted((a, b) => compareCodePoints(a.nodeId, b.nodeId))
}
