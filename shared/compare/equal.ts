/**
 * Whether two plain values say the same: scalars, `bigint`, lists, maps, sets and objects of these. Order counts in
 * lists only. Lists of bytes count as lists.
 */
export function sameValue(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (typeof a !== 'object' || typeof b !== 'object' || a === null || b === null) return false
  if (a instanceof Map || b instanceof Map) {
    return (
      a instanceof Map &&
      b instanceof Map &&
      sameEntries(new Map<unknown, unknown>(a), new Map<unknown, unknown>(b))
    )
  }
  if (a instanceof Set || b instanceof Set) {
    return a instanceof Set && b instanceof Set && a.size === b.size && [...a].every((item) => b.has(item))
  }
  if (Array.isArray(a) || Array.isArray(b)) {
    if (!Array.isArray(a) || !Array.isArray(b) || a.length !== b.length) return false
    const others: readonly unknown[] = b
    return a.every((item, i) => sameValue(item, others[i]))
  }
  return sameEntries(new Map(Object.entries(a)), new Map(Object.entries(b)))
}

function sameEntries(a: ReadonlyMap<unknown, unknown>, b: ReadonlyMap<unknown, unknown>): boolean {
  if (a.size !== b.size) return false
  return [...a].every(([key, value]) => b.has(key) && sameValue(value, b.get(key)))
}
