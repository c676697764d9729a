import type { ModelFormat } from '../inference-spec.ts'
import type { InputPlace } from '../compare/input-place.ts'

/**
 * One thing that a person could change, so that a role becomes placeable on a node. Plain data (byte counts are
 * `bigint`); `applyChange` makes the inputs it stands for.
 */
export type Change =
  | { readonly kind: 'switch_on'; readonly role: string }
  | { readonly kind: 'bring_back'; readonly node: string }
  | { readonly kind: 'unpin'; readonly role: string; readonly node: string }
  | { readonly kind: 'unforce'; readonly node: string }
  | { readonly kind: 'allow_transfer' }
  | { readonly kind: 'lower_headroom'; readonly bytes: bigint }
  | { readonly kind: 'raise_ceiling'; readonly bytes: bigint }
  | { readonly kind: 'lift_veto' }
  | { readonly kind: 'accept_stale' }
  | {
      readonly kind: 'free_storage'
      readonly node: string
      /** What must be free in all. */
      readonly bytes: bigint
      /** How much more than now that is; null when it is not known what is free now. */
      readonly more: bigint | null
    }
  | {
      readonly kind: 'free_memory'
      readonly node: string
      /** What must be free in the pool for roles in all. */
      readonly bytes: bigint
      /** How much more than now that is; null when the node reports no such pool. */
      readonly more: bigint | null
    }
  | {
      readonly kind: 'drop_exclude'
      /** The role that declares it. */
      readonly role: string
      /** The role it excludes; every spelling of it goes. */
      readonly excluded: string
      readonly place: InputPlace | null
    }
  | { readonly kind: 'switch_off'; readonly role: string; readonly node: string; readonly bytes: bigint }
  | {
      readonly kind: 'mount_drive'
      readonly node: string
      readonly model: string
      readonly packageId: string
    }
  | { readonly kind: 'mark_redistributable'; readonly model: string; readonly packageId: string }
  | {
      readonly kind: 'install'
      readonly node: string
      /** Capabilities that the node then has, such as `runtime.infer.llamacpp`. */
      readonly capabilities: readonly string[]
    }
  | { readonly kind: 'pin'; readonly role: string; readonly node: string }
  | {
      readonly kind: 'smaller_context'
      readonly role: string
      /** Tokens. */
      readonly context: number
      /** Tokens of context now. */
      readonly before: number
      /** What the role then takes in all, in bytes. */
      readonly bytes: bigint
    }
  | { readonly kind: 'force_in'; readonly node: string }
  | {
      readonly kind: 'adopt_model'
      readonly node: string
      readonly model: string
      /** What has to be brought there by hand. */
      readonly bytes: bigint
      /** The format the model is taken to have when it has no manifest yet; null when it has one. */
      readonly assumed: ModelFormat | null
    }

/**
 * Kinds of change from cheap to dear. First what can be done now: settings of this scenario, then what roles ask for.
 * Then what takes work on a machine: room, a drive, a program, a new signature. Last, going against a constraint and
 * copying the bytes by hand.
 */
const COSTS: Readonly<Record<Change['kind'], number>> = {
  switch_on: 0,
  bring_back: 1,
  unpin: 2,
  unforce: 3,
  allow_transfer: 10,
  lower_headroom: 11,
  raise_ceiling: 12,
  lift_veto: 13,
  accept_stale: 14,
  smaller_context: 20,
  pin: 22,
  drop_exclude: 24,
  switch_off: 30,
  free_storage: 40,
  free_memory: 45,
  mount_drive: 60,
  install: 65,
  mark_redistributable: 70,
  force_in: 160,
  adopt_model: 90,
}

/** What a change costs: its kind alone, so that costs of several changes add up. */
export function costOf(change: Change): number {
  return COSTS[change.kind]
}

/** Orders changes cheapest first; of one kind the one of fewer bytes. */
export function compareCosts(a: Change, b: Change): number {
  if (a.kind !== b.kind) return COSTS[a.kind] - COSTS[b.kind]
  const x = costBytes(a)
  const y = costBytes(b)
  return x < y ? -1 : x > y ? 1 : 0
}

function costBytes(change: Change): bigint {
  switch (change.kind) {
    case 'free_storage':
    case 'free_memory':
      return change.more ?? change.bytes
    case 'switch_off':
    case 'adopt_model':
      return change.bytes
    case 'switch_on':
    case 'bring_back':
    case 'unpin':
    case 'unforce':
    case 'allow_transfer':
    case 'lower_headroom':
    case 'raise_ceiling':
    case 'lift_veto':
    case 'accept_stale':
    case 'drop_exclude':
    case 'mount_drive':
    case 'mark_redistributable':
    case 'force_in':
    case 'install':
    case 'pin':
      return 0n
    case 'smaller_context':
      // The largest context that fits comes first.
      return -BigInt(change.context)
  }
}
