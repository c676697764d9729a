const MAX_NAMES = 3

/**
 * The `names` that someone who typed `name` may have meant, nearest first: few edits away, or one within the
 * other.
 */
export function nearNames(name: string, names: readonly string[]): string[] {
  const typed = name.toLowerCase()
  const allowed = Math.max(1, Math.floor(typed.length / 3))
  return [...new Set(names)]
    .map((candidate) => ({ candidate, distance: distanceTo(typed, candidate.toLowerCase(), allowed) }))
    .filter(({ distance }) => distance <= allowed)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, MAX_NAMES)
    .map(({ candidate }) => candidate)
}

function distanceTo(typed: string, candidate: string, allowed: number): number {
  const edits = editDistance(typed, candidate)
  const isPart =
    typed.length >= 3 && (candidate.includes(typed) || (candidate.length >= 3 && typed.includes(candidate)))
  return isPart ? Math.min(edits, allowed) : edits
}

/** How many characters must be put in, taken out or replaced to make `b` of `a` (Levenshtein). */
function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const next = [i]
    for (let j = 1; j <= b.length; j++) {
      const replaced = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      next.push(Math.min(replaced, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    row = next
  }
  return row[b.length] ?? 0
}
