import { plural } from '../listed.ts'
import type { Problem, Severity } from '../problem.ts'

/** Problems of one kind, or one alone. */
export interface ProblemGroup {
  readonly severity: Severity
  readonly code: string
  readonly problems: readonly [Problem, ...Problem[]]
  /** What they all are, counted; null where they are so few that each stands for itself. */
  readonly headline: string | null
}

/** So many of one kind are one row. */
const LEAST = 4

const ORDER: Readonly<Record<Severity, number>> = { error: 0, warning: 1, info: 2 }

/** How a kind is said of many, where its own message names only one. */
const OF_MANY: Readonly<Record<string, (count: number) => string>> = {
  'ram-below-manifest': (count) => `${plural(count, 'role')}: \`ram_gb\` is below the shards’ size`,
  'exclude-one-sided': (count) =>
    `${plural(count, 'exclude')} ${count === 1 ? 'is' : 'are'} written in one direction; each counts both ways`,
  'facts-stale': (count) =>
    `${plural(count, 'node')} were last checked too long ago; what they hold may have changed`,
}

/** `problems` with those of one kind together, the worst first, and else in their order. */
export function groupProblems(problems: readonly Problem[]): readonly ProblemGroup[] {
  const kinds = new Map<string, [Problem, ...Problem[]]>()
  for (const problem of problems) {
    const kind = `${problem.severity} ${problem.code}`
    const known = kinds.get(kind)
    if (known === undefined) kinds.set(kind, [problem])
    else known.push(problem)
  }
  return [...kinds.values()]
    .flatMap((kind): ProblemGroup[] => {
      const [{ severity, code }] = kind
      if (kind.length >= LEAST) return [{ severity, code, problems: kind, headline: headlineOf(kind) }]
      return kind.map((problem) => ({ severity, code, problems: [problem], headline: null }))
    })
    .toSorted((a, b) => ORDER[a.severity] - ORDER[b.severity])
}

function headlineOf(kind: readonly [Problem, ...Problem[]]): string {
  const [{ code, message }] = kind
  return OF_MANY[code]?.(kind.length) ?? `${plural(kind.length, 'problem')} of one kind, such as: ${message}`
}

/** The worst of all in one line; null when there is none. */
export function worstProblemText(problems: readonly Problem[]): string | null {
  const [worst] = groupProblems(problems)
  return worst === undefined ? null : (worst.headline ?? worst.problems[0].message)
}
