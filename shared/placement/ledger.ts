import { formatGb, saturatingAdd } from '../bytes.ts'
import type { MemoryPool, OwnMemory } from '../node/types.ts'
import { compareCodePoints } from '../token.ts'

/** The memory that resident roles share on one node, as a refusal names it. */
type PoolName = 'unified-memory' | 'accelerator-memory' | 'host-memory'

/** What roles on one node may hold together. */
export interface Budget {
  readonly pool: PoolName
  readonly bytes: bigint
  /** What of it servers of roles held when the node was looked at; left out where that is not known. */
  readonly own?: readonly OwnMemory[]
}

/** A running server of a role, as the ledger counts it. */
export interface Instance {
  /** Unique on its node; instances are visited in the code point order of their names. */
  readonly name: string
  /** What excludes and refusals speak of; several instances may be of one role. */
  readonly role: string
  /** Weights and KV cache together, in bytes. */
  readonly bytes: bigint
  /** Roles it cannot be resident beside, as written: `role:planner` or `planner`. */
  readonly excludes: readonly string[]
}

/** Why an instance cannot be resident beside the others on its node. */
export type Refusal =
  | {
      readonly kind: 'excluded'
      readonly role: string
      /** The resident role it cannot sit beside. */
      readonly beside: string
      /** Which of the two declares it. */
      readonly declaredBy: string
    }
  | {
      readonly kind: 'over_budget'
      readonly role: string
      readonly needed: bigint
      readonly free: bigint
      readonly budget: Budget
      /** Who holds the rest, in the order of their names. */
      readonly holders: readonly Instance[]
    }

export type Admission =
  | { readonly ok: true; readonly ledger: Ledger }
  /** Every reason, in the order in which they are checked: excludes by the resident's name, then the budget. */
  | { readonly ok: false; readonly refusals: readonly [Refusal, ...Refusal[]] }

/** Who is resident on one node and what they hold. A value: admitting and releasing give new ledgers. */
export interface Ledger {
  /** Null when the node reports no memory for roles: then only excludes are checked. */
  readonly budget: Budget | null
  /** In the code point order of their names. */
  readonly instances: readonly Instance[]
  /** What they hold together, in bytes; saturates. */
  readonly usedBytes: bigint
}

/** A ledger without any role. */
export function emptyLedger(budget: Budget | null): Ledger {
  return { budget, instances: [], usedBytes: 0n }
}

/**
 * The budget of a node's pool for roles: what is **free** in it as probed, which is also what eligibility holds a
 * single role to, and what the roster's own servers held there. What other software holds has its share outside. Null without a
 * pool: a node whose memory is unknown is eligible only when somebody forces it in, and then nothing limits it.
 */
export function budgetOf(pool: MemoryPool | null): Budget | null {
  if (pool === null) return null
  const budget: Budget = { pool: `${pool.name}-memory`, bytes: pool.freeBytes }
  return pool.own === undefined || pool.own.length === 0 ? budget : { ...budget, own: pool.own }
}

/** Bytes of the budget that no role holds; null without a budget. */
export function freeInBudget({ budget, usedBytes }: Ledger): bigint | null {
  if (budget === null) return null
  return budget.bytes > usedBytes ? budget.bytes - usedBytes : 0n
}

/** Whether `excludes` name `role`, with or without the `role:` prefix. */
export function excludesRole(excludes: readonly string[], role: string): boolean {
  return excludes.some((entry) => entry === role || entry === `role:${role}`)
}

/**
 * Lets `instance` in, or says why it cannot be resident (docs/formats.md, "Co-residency"): no role there may exclude
 * it, nor it anybody there, and its bytes must fit what is left of the budget; exactly what is left fits. Admitting
 * an instance that is there already changes nothing.
 */
export function admit(ledger: Ledger, instance: Instance): Admission {
  if (ledger.instances.some(({ name }) => name === instance.name)) return { ok: true, ledger }
  const refusals = refusalsOf(ledger, instance)
  if (isNonEmpty(refusals)) return { ok: false, refusals }
  return {
    ok: true,
    ledger: {
      budget: ledger.budget,
      instances: inserted(ledger.instances, instance),
      usedBytes: saturatingAdd(ledger.usedBytes, instance.bytes),
    },
  }
}

/** The ledger without the instance of that name; the same ledger when there is none. */
export function release(ledger: Ledger, name: string): Ledger {
  const instances = ledger.instances.filter((instance) => instance.name !== name)
  if (instances.length === ledger.instances.length) return ledger
  const usedBytes = instances.reduce((sum, { bytes }) => saturatingAdd(sum, bytes), 0n)
  return { budget: ledger.budget, instances, usedBytes }
}

function refusalsOf(ledger: Ledger, instance: Instance): Refusal[] {
  const { role, excludes, bytes } = instance
  const refusals: Refusal[] = []
  for (const resident of ledger.instances) {
    const declaredBy = excludesRole(excludes, resident.role)
      ? role
      : excludesRole(resident.excludes, role)
        ? resident.role
        : null
    if (declaredBy !== null) refusals.push({ kind: 'excluded', role, beside: resident.role, declaredBy })
  }
  const free = freeInBudget(ledger)
  if (ledger.budget !== null && free !== null && bytes > free) {
    const { budget, instances: holders } = ledger
    refusals.push({ kind: 'over_budget', role, needed: bytes, free, budget, holders })
  }
  return refusals
}

function isNonEmpty<T>(items: readonly T[]): items is readonly [T, ...T[]] {
  return items.length > 0
}

function inserted(instances: readonly Instance[], instance: Instance): readonly Instance[] {
  const after = instances.findIndex(({ name }) => compareCodePoints(name, instance.name) > 0)
  return instances.toSpliced(after < 0 ? instances.length : after, 0, instance)
}

/** The reference's sentence for a refusal, to the letter (docs/formats.md, "Co-residency"). */
export function refusalMessage(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'excluded':
      return (
        `unplaceable: '${refusal.role}' cannot be resident beside '${refusal.beside}' ` +
        `('${refusal.declaredBy}' excludes it)`
      )
    case 'over_budget': {
      const { role, needed, free, budget, holders } = refusal
      const held = holders.map((holder) => `${holder.role} ${formatGb(holder.bytes)}`).join(', ')
      return (
        `unplaceable: '${role}' needs ${formatGb(needed)} but only ${formatGb(free)} of the ` +
        `${formatGb(budget.bytes)} ${budget.pool} budget is free (held by ${held === '' ? 'nothing' : held})`
      )
    }
  }
}
