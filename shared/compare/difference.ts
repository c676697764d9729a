import type { ManifestDifference } from './manifest-differences.ts'
import type { NodeDifference } from './node-differences.ts'
import type { OverlayDifference } from './overlay-differences.ts'
import type { RosterDifference } from './roster-differences.ts'
import type { ScenarioDifference } from './scenario-differences.ts'

/** One thing that two sets of inputs have differently: the smallest that is replayed by itself. */
export type Difference =
  OverlayDifference | ScenarioDifference | NodeDifference | ManifestDifference | RosterDifference
