import type { HostError, LabSnapshot } from '../../shared/host-api.ts'
import type { Lab, LabFiles } from '../../shared/lab.ts'
import type { Problem } from '../../shared/problem.ts'

/** The lab on screen. */
export interface OpenLab {
  readonly snapshot: LabSnapshot
  readonly lab: Lab
  /** Why the roster shown is an earlier one than the file's, else null. */
  readonly rosterStale: string | null
  /** Unix seconds when the lab was last read: what freshness is judged by. */
  readonly readAtSecs: number
}

export type LabState =
  /** `share` is how much of it has been read, 0 to 1; null while nothing is known. */
  | { readonly status: 'opening'; readonly share?: number | null }
  | { readonly status: 'failed'; readonly error: HostError }
  | ({ readonly status: 'open' } & OpenLab)

/** A reading that the operator called off before there was a lab to go back to. */
export const CALLED_OFF: LabState = {
  status: 'failed',
  error: { code: 'refused', message: 'Reading the lab was stopped.' },
}

/** What is on screen after `snapshot` arrived: a roster that became unreadable leaves the last good one, told stale. */
export function labAfterSnapshot(
  before: LabState,
  snapshot: LabSnapshot,
  readLab: (files: LabFiles) => Lab,
  nowSecs: number,
): LabState {
  const lab = readLab(snapshot.lab)
  const sameLab = before.status === 'open' && before.snapshot.lab.name === snapshot.lab.name
  if (lab.roster === null && sameLab && before.lab.roster !== null) {
    const cause = lab.problems.find((problem) => problem.severity === 'error' && isOfRoster(problem, snapshot))
    return {
      status: 'open',
      snapshot,
      lab: { ...lab, roster: before.lab.roster },
      rosterStale: cause?.message ?? 'the roster cannot be read',
      readAtSecs: nowSecs,
    }
  }
  return { status: 'open', snapshot, lab, rosterStale: null, readAtSecs: nowSecs }
}

function isOfRoster(problem: Problem, snapshot: LabSnapshot): boolean {
  const roster = snapshot.lab.files.find((file) => file.kind === 'roster')
  return roster === undefined ? problem.code.startsWith('file-') : problem.file === roster.file
}
