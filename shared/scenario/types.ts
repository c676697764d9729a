import type { CacheType } from '../memory/cache-type.ts'
import type { TransferPolicy } from '../locality/types.ts'

/**
 * What the operator assumes while planning; never written to the lab's files. Nodes and roles are named by id; a name
 * that the lab does not have has no effect, and the plan warns of it.
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
  /** Bytes free for a fetched model on a node, instead of what the node reports. */
  readonly freeSpace: ReadonlyMap<string, bigint>
  /** Bytes free in a node's pool for roles, instead of what the node reports. */
  readonly memory: ReadonlyMap<string, bigint>
  /** Roles that do not run: they are decided as usual, but placed nowhere and hold nothing. */
  readonly offRoles: ReadonlySet<string>
  /** Nodes to plan without: nothing runs there, nothing is fetched from there. */
  readonly awayNodes: ReadonlySet<string>
  /** Role → the only node it may run on. Pinned roles take their memory before the others. */
  readonly pinned: ReadonlyMap<string, string>
  /** Link rate of the nodes that report none, in megabits (1e6) a second; null when unknown. */
  readonly linkMbps: number | null
  /** Role → tokens of context its server is started with. */
  readonly roleContext: ReadonlyMap<string, number>
  /** Role → the type its server keeps K in. */
  readonly roleKeyType: ReadonlyMap<string, CacheType>
  /** Role → the type its server keeps V in. */
  readonly roleValueType: ReadonlyMap<string, CacheType>
  /** Role → requests its server answers at once. */
  readonly roleParallel: ReadonlyMap<string, number>
  /** Roles to plan with what their model takes by its files, instead of with `ram_gb`. */
  readonly computedMemory: ReadonlySet<string>
  /** Node → capabilities it is taken to have, such as `runtime.infer.llamacpp`, whatever it reports. */
  readonly installed: ReadonlyMap<string, ReadonlySet<string>>
  /** Node → models (by name) it is taken to hold and offer whole: a drive attached, or a copy made by hand. */
  readonly heldModels: ReadonlyMap<string, ReadonlySet<string>>
  /** Models (by name) whose weights are taken to be redistributable; a veto counts before this. */
  readonly redistributable: ReadonlySet<string>
  /** Whether exported specs of such roles have their KV budget; 0 otherwise, as the reference has it. */
  readonly exportKvBudget: boolean
}
