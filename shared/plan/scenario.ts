import { DEFAULT_POLICY } from '../locality/types.ts'
import type { Scenario } from './types.ts'

/** What is planned when the operator says nothing: transfer off, no ceiling, 1 GiB headroom, nobody forced. */
export const DEFAULT_SCENARIO: Scenario = {
  policy: DEFAULT_POLICY,
  sharingVeto: false,
  requireFreshFacts: false,
  nowSecs: null,
  forcedNodes: new Map(),
}
