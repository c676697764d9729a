import { saturatingAdd } from '../bytes.ts'
import { admit, emptyLedger, type Budget, type Instance, type Ledger } from './ledger.ts'
import { specMemoryBytes } from '../inference-spec.ts'
import type { RankedTarget } from '../locality/targets.ts'
import type { ImportedSpec } from '../roster/types.ts'
import type { Task } from '../task.ts'
import type {
  NodeResidency,
  Placement,
  PlacementObstacle,
  PortClash,
  RoleDecision,
  TriedNode,
} from '../plan/types.ts'
import { decidedBytes, decidedNode } from '../locality/decided.ts'

/** What placing asks of a role; a `RolePlan` has it all. */
export interface RoleToPlace {
  readonly role: string
  readonly imported: ImportedSpec
  readonly decision: RoleDecision
  /** What the node at that place of the nodes lacks of its model: files by hash, and their bytes. */
  missingShardsAt(node: number): readonly { readonly blake3: string; readonly size: bigint }[]
  targets(): Iterable<RankedTarget>
}

/** What placing asks of a node. */
export interface NodeToFill {
  readonly nodeId: string
  readonly budget: Budget | null
  /** Bytes free for fetched models; null when unknown. */
  readonly freeBytes: bigint | null
}

/** Which roles are not to run, and which were given their node by hand. */
export interface PlacingTerms {
  readonly offRoles: ReadonlySet<string>
  readonly pinned: ReadonlyMap<string, string>
}

export interface Placed {
  /** One a role, in the order of the roles given. */
  readonly placements: readonly Placement[]
  /** One a node, in the order of the nodes given. */
  readonly residency: readonly NodeResidency[]
}

/**
 * Puts each role on its decided node in roster order, as far as the ledgers let it; one that is refused tries its other
 * eligible nodes in the decision's order. Roles that the operator pinned come before all others: a place given by hand
 * is not lost to a role that only came there by itself. The decisions stay as they are. Stops after each role and each
 * node that was tried in vain: a role without room anywhere tries thousands.
 */
export function* placeRoles(
  roles: readonly RoleToPlace[],
  nodes: readonly NodeToFill[],
  terms: PlacingTerms,
): Task<Placed> {
  const pool = new NodePool(nodes)
  const names = instanceNames(roles)
  const order = roles.map((_, i) => i)
  const isPinned = (i: number): boolean => terms.pinned.has(roles[i]?.role ?? '')
  const placements = new Map<number, Placement>()
  for (const i of [...order.filter(isPinned), ...order.filter((i) => !isPinned(i))]) {
    const role = roles[i]
    if (role === undefined) continue
    const off = terms.offRoles.has(role.role)
    placements.set(i, off ? OFF : yield* placeRole(role, names[i] ?? role.role, pool))
    yield
  }
  return { placements: order.map((i) => placements.get(i) ?? OFF), residency: pool.residency() }
}

const OFF: Placement = { kind: 'off' }
const NOBODY_TRIED: readonly TriedNode[] = []

function* placeRole(role: RoleToPlace, name: string, pool: NodePool): Task<Placement> {
  const nodeId = decidedNode(role.decision)
  if (nodeId === null) return { kind: 'none', tried: NOBODY_TRIED }
  const instance = instanceOf(role, name)
  const bytes = decidedBytes(role.decision)
  const refused = pool.take(nodeId, role, instance, bytes)
  if (refused === null) return { kind: 'placed', nodeId, at: 'decided', bytes, tried: NOBODY_TRIED }
  const tried: TriedNode[] = [{ nodeId, obstacle: refused }]
  for (const target of role.targets()) {
    if (target.nodeId === nodeId) continue
    const obstacle: PlacementObstacle | null =
      target.obstacle === null
        ? pool.take(target.nodeId, role, instance, target.bytes)
        : { kind: 'transfer', unplaceable: target.obstacle }
    if (obstacle === null) {
      return { kind: 'placed', nodeId: target.nodeId, at: 'alternative', bytes: target.bytes, tried }
    }
    tried.push({ nodeId: target.nodeId, obstacle })
    yield
  }
  return { kind: 'none', tried }
}

/** A role as the ledger counts it. `name` is its instance's: the role's id unless the roster repeats it. */
export function instanceOf(
  { role, imported: { spec } }: Pick<RoleToPlace, 'role' | 'imported'>,
  name: string,
): Instance {
  return { name, role, bytes: specMemoryBytes(spec), excludes: spec.excludes }
}

/** The instance name of each role: its id, and `id#2` and so on for the further entries of one id. */
export function instanceNames(roles: readonly Pick<RoleToPlace, 'role'>[]): string[] {
  const seen = new Map<string, number>()
  return roles.map(({ role }) => {
    const count = (seen.get(role) ?? 0) + 1
    seen.set(role, count)
    return count === 1 ? role : `${role}#${count}`
  })
}

/** The instance name of role number `number` alone, see {@link instanceNames}. */
export function instanceName(roles: readonly Pick<RoleToPlace, 'role'>[], number: number): string {
  const id = roles[number]?.role ?? ''
  let count = 1
  for (let i = 0; i < number; i++) if (roles[i]?.role === id) count++
  return count === 1 ? id : `${id}#${count}`
}

/** The nodes while they fill. */
class NodePool {
  readonly #nodes: ReadonlyMap<string, NodeLedger>

  constructor(nodes: readonly NodeToFill[]) {
    this.#nodes = new Map(nodes.map((node, i) => [node.nodeId, new NodeLedger(node, i)]))
  }

  /** Lets the role in on that node, or says why not. */
  take(nodeId: string, role: RoleToPlace, instance: Instance, bytes: bigint): PlacementObstacle | null {
    return this.#nodes.get(nodeId)?.take(role, instance, bytes) ?? null
  }

  residency(): NodeResidency[] {
    return [...this.#nodes.values()].map((node) => node.residency())
  }
}

class NodeLedger {
  readonly #node: NodeToFill
  /** Its place among the nodes given. */
  readonly #place: number
  #ledger: Ledger
  readonly #rolesByPort = new Map<number, string[]>()
  /** What comes here, by hash: a file of two models, or of two roles that run one model, comes once. */
  readonly #incoming = new Map<string, bigint>()

  constructor(node: NodeToFill, place: number) {
    this.#node = node
    this.#place = place
    this.#ledger = emptyLedger(node.budget)
  }

  take(role: RoleToPlace, instance: Instance, bytes: bigint): PlacementObstacle | null {
    const admission = admit(this.#ledger, instance)
    if (!admission.ok) return { kind: 'co_residency', refusals: admission.refusals }
    this.#ledger = admission.ledger
    const { port } = role.imported.spec.serve
    if (port !== null) this.#rolesByPort.set(port, [...(this.#rolesByPort.get(port) ?? []), role.role])
    if (bytes > 0n)
      for (const { blake3, size } of role.missingShardsAt(this.#place)) this.#incoming.set(blake3, size)
    return null
  }

  residency(): NodeResidency {
    const portClashes = [...this.#rolesByPort].flatMap(([port, roles]): PortClash[] =>
      roles.length > 1 ? [{ port, roles }] : [],
    )
    return {
      nodeId: this.#node.nodeId,
      ledger: this.#ledger,
      portClashes: portClashes.sort((a, b) => a.port - b.port),
      incomingBytes: [...this.#incoming.values()].reduce(saturatingAdd, 0n),
      freeBytes: this.#node.freeBytes,
    }
  }
}
