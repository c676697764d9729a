import { admit, emptyLedger, type Budget, type Instance, type Ledger } from '../placement/ledger.ts'

/** Which servers may be resident together on one node. */
export interface ResidentSets {
  /** Names of instances, each set as large as the ledger lets it be. */
  readonly sets: readonly (readonly string[])[]
  /** Whether these are all such sets; otherwise each pair that may be together is in one, and others are left out. */
  readonly complete: boolean
  /** Instances that do not fit even by themselves. */
  readonly tooLarge: readonly string[]
}

/** Sets of one node that are written at most; beyond it a set a pair has to do. */
export const MAX_SETS = 128
/** Ledgers that are tried in search of all sets. */
const MAX_TRIES = 20_000

/**
 * Every largest set of instances that the ledger admits together: within `budget`, and none excluding another. `first` is
 * the set that is listed first when the ledger admits it. Where there are more than {@link MAX_SETS}, each pair that may be
 * resident together is in some set.
 */
export function residentSets(
  budget: Budget | null,
  instances: readonly Instance[],
  first: readonly string[] = [],
): ResidentSets {
  const ledger = emptyLedger(budget)
  const fitting = instances.filter((instance) => admit(ledger, instance).ok)
  const tooLarge = instances.filter((instance) => !fitting.includes(instance)).map(({ name }) => name)
  // The planned ones come first, so that a set that is grown greedily holds them.
  const ordered = [
    ...fitting.filter(({ name }) => first.includes(name)),
    ...fitting.filter(({ name }) => !first.includes(name)),
  ]
  const all = everySet(ledger, ordered)
  return all === null
    ? { sets: pairSets(ledger, ordered), complete: false, tooLarge }
    : { sets: all, complete: true, tooLarge }
}

/** All sets that nothing can be added to; null when there are too many to list. */
function everySet(empty: Ledger, instances: readonly Instance[]): readonly (readonly string[])[] | null {
  const sets: (readonly string[])[] = []
  let tries = 0
  const search = (ledger: Ledger, next: number, left: readonly Instance[]): boolean => {
    if (++tries > MAX_TRIES || sets.length > MAX_SETS) return false
    const instance = instances[next]
    if (instance === undefined) {
      if (ledger.instances.length > 0 && left.every((other) => !admit(ledger, other).ok))
        sets.push(namesOf(ledger))
      return true
    }
    const admission = admit(ledger, instance)
    if (!admission.ok) return search(ledger, next + 1, left)
    if (!search(admission.ledger, next + 1, left)) return false
    // Leaving out what fits beside all the others leads to no largest set.
    const rest = instances.slice(next + 1)
    return fitsWithAll(admission.ledger, rest) || search(ledger, next + 1, [...left, instance])
  }
  return search(empty, 0, []) && sets.length <= MAX_SETS ? sets : null
}

function fitsWithAll(ledger: Ledger, rest: readonly Instance[]): boolean {
  let grown = ledger
  for (const instance of rest) {
    const admission = admit(grown, instance)
    if (!admission.ok) return false
    grown = admission.ledger
  }
  return true
}

/** One set for the first ones, and one more for each pair that is in none yet. */
function pairSets(empty: Ledger, instances: readonly Instance[]): readonly (readonly string[])[] {
  const sets = [grow(empty, instances)]
  const together = (names: readonly string[]): boolean =>
    sets.some((set) => names.every((name) => set.includes(name)))
  instances.forEach((a, i) => {
    const alone = admit(empty, a)
    if (!alone.ok) return
    for (const b of instances.slice(i + 1)) {
      if (together([a.name, b.name])) continue
      const both = admit(alone.ledger, b)
      if (both.ok) sets.push(grow(both.ledger, instances))
    }
    if (!together([a.name])) sets.push(grow(alone.ledger, instances))
  })
  return sets
}

function grow(ledger: Ledger, instances: readonly Instance[]): readonly string[] {
  let grown = ledger
  for (const instance of instances) {
    const admission = admit(grown, instance)
    if (admission.ok) grown = admission.ledger
  }
  return namesOf(grown)
}

function namesOf({ instances }: Ledger): readonly string[] {
  return instances.map(({ name }) => name)
}
