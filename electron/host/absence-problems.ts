import type { Problem, Severity } from '../../shared/problem.ts'
import { LAB_PLACE_TRAITS, LAB_PLACES, type LabPlace } from '../../shared/lab/lab-places.ts'
import type { LabPaths } from './paths.ts'

interface Pair {
  readonly places: readonly [LabPlace, LabPlace]
  /** `other` is where the second place would be. */
  readonly message: (other: string) => string
}

/** Places of which one is enough: that both are empty is said once, of the first. */
const EITHER: readonly Pair[] = [
  {
    places: ['registry', 'manifests'],
    message: (other) =>
      `There is no model registry here, nor a folder of model manifests (${other}). Add one: no role has any.`,
  },
  {
    places: ['nodes', 'fleet'],
    message: (other) =>
      `There is no folder of node facts here, nor fleet notes (${other}). Add one: no node is known.`,
  },
]

/**
 * What it means that the places in `absent` are empty: each is said, and how bad it is depends on whether
 * another place could hold the same (docs/formats.md, "Where a lab keeps them").
 */
export function absenceProblems(paths: LabPaths, absent: ReadonlySet<LabPlace>): readonly Problem[] {
  const problems: Problem[] = []
  const say = (severity: Severity, place: LabPlace, message: string): void => {
    problems.push({ severity, code: 'file-missing', message, file: paths[place].shown, range: null })
  }
  const missingPairs = EITHER.filter(({ places }) => places.every((place) => absent.has(place)))
  for (const place of LAB_PLACES) {
    if (!absent.has(place)) continue
    const pair = missingPairs.find(({ places }) => places.includes(place))
    const means = LAB_PLACE_TRAITS[place].absent
    if (pair === undefined) {
      if (means !== null) say(means.severity, place, means.message)
    } else if (pair.places[0] === place) {
      say('warning', place, pair.message(paths[pair.places[1]].shown))
    }
  }
  return problems
}
