import type { HostError, LabSnapshot } from '../../shared/host-api.ts'
import type { Lab } from '../../shared/lab/lab.ts'
import type { NamedScenario } from '../../shared/scenario/named-scenarios.ts'
import type { Problem } from '../../shared/problem.ts'

/** The lab on screen. */
interface OpenLab {
  readonly snapshot: LabSnapshot
  readonly lab: Lab
  /** Why the roster shown is an earlier one than the file's, else null. */
  readonly rosterStale: string | null
  /** Unix seconds when the lab was last read: what freshness is judged by. */
  readonly readAtSecs: number
  /** The scenarios that are kept beside it, by name. */
  readonly scenarios: readonly NamedScenario[]
}

export type LabState =
  | { readonly status: 'opening' }
  | { readonly status: 'failed'; readonly error: HostError }
  | ({ readonly status: 'open' } & OpenLab)

const CALLED_OFF: LabState = {
  status: 'failed',
  error: { code: 'stopped', message: 'Reading the lab was stopped.' },
}

/**
 * What is on screen after the operator called a reading off. `newest` is the host's last word as far as it is known: a
 * lab that the host has not left stays, marked stale when its files are other ones by now.
 */
export function labAfterStop(before: LabState, newest: LabSnapshot | null): LabState {
  if (before.status !== 'open') return CALLED_OFF
  if (newest === null || newest.revision === before.snapshot.revision) return before
  if (newest.lab.name !== before.snapshot.lab.name) return CALLED_OFF
  return { ...before, snapshot: { ...before.snapshot, stale: 'reading the newer files was stopped' } }
}

/**
 * What is on screen after `snapshot` was read as `lab`: a roster that became unreadable leaves the last good one, marked
 * stale.
 */
export function labAfterSnapshot(
  before: LabState,
  snapshot: LabSnapshot,
  lab: Lab,
  scenarios: readonly NamedScenario[],
  nowSecs: number,
): LabState {
  const sameLab = before.status === 'open' && before.snapshot.lab.name === snapshot.lab.name
  if (lab.roster === null && sameLab && before.lab.roster !== null) {
    const cause = lab.problems.find(
      (problem) => problem.severity === 'error' && isOfRoster(problem, snapshot),
    )
    return {
      status: 'open',
      snapshot,
      lab: { ...lab, roster: before.lab.roster },
      rosterStale: cause?.message ?? 'the roster cannot be read',
      readAtSecs: nowSecs,
      scenarios,
    }
  }
  return { status: 'open', snapshot, lab, rosterStale: null, readAtSecs: nowSecs, scenarios }
}

function isOfRoster(problem: Problem, snapshot: LabSnapshot): boolean {
  const roster = snapshot.lab.files.find((file) => file.kind === 'roster')
  return roster === undefined ? problem.code.startsWith('file-') : problem.file === roster.file
}
