import { hasBit, ShardIndex } from '../locality/shard-index.ts'
import type { ModelManifest, Shard } from '../model-manifest/types.ts'
import { ownNode, type Outcome } from './outcome.ts'
import type { LabPlan, NodeVerdict, RolePlan } from './types.ts'

/**
 * What one node has to do with one shard. `source`: held, and the fetch would read it from here; `fetch`: the
 * target of the fetch, which lacks it; `detached`: on storage of the node that is away; `mismatch`: a file of
 * that name is there with other bytes, which a verification found; `missing`: none of these.
 */
export type ShardCell = 'held' | 'source' | 'fetch' | 'detached' | 'mismatch' | 'missing'

/** What one node has to do with running a role; null: it takes no part. */
export type NodePart = 'runs' | 'target' | 'source' | null

/** Where a role runs, and the bytes that must move there first. */
export type RunsAt = Pick<Outcome, 'nodeId' | 'bytes'>

function partOf({ nodeId, bytes }: RunsAt, verdict: NodeVerdict): NodePart {
  if (verdict.nodeId === nodeId) return bytes > 0n ? 'target' : 'runs'
  return bytes > 0n && verdict.complete ? 'source' : null
}

/**
 * One role's model as a table of nodes and shards. A cell is worked out when it is asked for, from the nodes'
 * bit sets: there are up to 255 times as many cells as nodes, and a screen shows a thousand of them.
 */
export class ShardMatrix {
  readonly manifest: ModelManifest
  readonly shards: readonly Shard[]
  readonly nodes: readonly NodeVerdict[]
  /** The largest shard, in bytes: what the others are drawn against. */
  readonly largest: bigint
  readonly totalBytes: bigint
  readonly #index: ShardIndex
  readonly #runs: RunsAt
  /** Where the shards are fetched to, and what is held there; null when nothing is fetched. */
  readonly #target: NodeVerdict | null

  constructor(manifest: ModelManifest, nodes: readonly NodeVerdict[], runs: RunsAt) {
    this.manifest = manifest
    this.shards = manifest.body.shards
    this.nodes = nodes
    this.#index = new ShardIndex(manifest.body)
    this.#runs = runs
    this.largest = this.shards.reduce((largest, { size }) => (size > largest ? size : largest), 0n)
    this.totalBytes = this.#index.totalBytes
    this.#target = runs.bytes > 0n ? (this.nodes.find(({ nodeId }) => nodeId === runs.nodeId) ?? null) : null
  }

  /** What node number `node` has to do with shard number `shard`, both from 0 in `nodes` and `shards`. */
  cell(node: number, shard: number): ShardCell {
    const verdict = this.nodes[node]
    const presence = verdict?.presence
    if (verdict === undefined || !presence) return 'missing'
    const slot = this.#index.slotOfShard(shard)
    const target = this.#target?.presence?.bits
    const fetched = target !== undefined && !hasBit(target, slot)
    if (hasBit(presence.bits, slot)) return fetched && this.part(node) === 'source' ? 'source' : 'held'
    if (fetched && verdict === this.#target) return 'fetch'
    if (presence.mismatched && hasBit(presence.mismatched, slot)) return 'mismatch'
    return presence.detached ? 'detached' : 'missing'
  }

  /** How many of `shards` the node has with other bytes than the manifest's. */
  mismatchedShards(node: number): number {
    const bits = this.nodes[node]?.presence?.mismatched
    if (bits === undefined) return 0
    return this.shards.filter((_, shard) => hasBit(bits, this.#index.slotOfShard(shard))).length
  }

  part(node: number): NodePart {
    const verdict = this.nodes[node]
    return verdict === undefined ? null : partOf(this.#runs, verdict)
  }

  /**
   * How many of `shards` the node holds: shards of one content count each, as they do in what would be
   * fetched.
   */
  heldShards(node: number): number {
    const bits = this.nodes[node]?.presence?.bits
    return bits === undefined ? 0 : this.shards.length - this.#index.missing(bits).shards
  }
}

/** A role as a table of nodes and shards; null when it has no manifest, so that its shards are not known. */
export function shardMatrix(
  manifest: ModelManifest | null,
  nodes: readonly NodeVerdict[],
  runs: RunsAt,
): ShardMatrix | null {
  return manifest === null ? null : new ShardMatrix(manifest, nodes, runs)
}

/**
 * What one node is to one role, the most important first: it `runs` there, would be fetched there (`target`), runs
 * there `instead` of on its own node (fetched first or not), was `turned_away` by the other roles on the node it would
 * run on by itself, is read from (`source`), `holds` the whole model without being chosen, has it on storage that is
 * away (`detached`), could run it (`eligible`), or not (`no`).
 */
export const LAB_CELLS = [
  'runs',
  'target',
  'instead',
  'turned_away',
  'source',
  'holds',
  'detached',
  'eligible',
  'no',
] as const
export type LabCell = (typeof LAB_CELLS)[number]

/**
 * The whole lab as a table of roles and nodes; cells are worked out when they are asked for, and then
 * remembered.
 */
export class LabMatrix {
  readonly roles: readonly RolePlan[]
  /** In the order of every role's `nodes`. */
  readonly nodeIds: readonly string[]
  /** One role's cells: 0 where none was asked for yet, else the place in {@link LAB_CELLS} plus one. */
  readonly #rows: (Uint8Array | undefined)[]

  /** `nodeIds`: the lab's nodes in code point order, as the plan decides them. */
  constructor(plan: LabPlan, nodeIds: readonly string[]) {
    this.roles = plan.roles
    this.nodeIds = nodeIds
    this.#rows = Array.from({ length: plan.roles.length }, () => undefined)
  }

  cell(role: number, node: number): LabCell {
    const plan = this.roles[role]
    if (plan === undefined) return 'no'
    const row = (this.#rows[role] ??= new Uint8Array(this.nodeIds.length))
    const known = LAB_CELLS[(row[node] ?? 0) - 1]
    if (known !== undefined) return known
    const cell = labCell(plan, node)
    row[node] = LAB_CELLS.indexOf(cell) + 1
    return cell
  }
}

function labCell(role: RolePlan, node: number): LabCell {
  const { outcome } = role
  const verdict = role.verdictAt(node)
  if (verdict === null) return 'no'
  const part = partOf(outcome, verdict)
  if (part === 'runs' || part === 'target') return outcome.kind === 'elsewhere' ? 'instead' : part
  if (ownNode(outcome)?.nodeId === verdict.nodeId) return 'turned_away'
  if (part === 'source') return part
  if (verdict.complete) return 'holds'
  if (verdict.presence?.detached) return 'detached'
  return verdict.eligible ? 'eligible' : 'no'
}
