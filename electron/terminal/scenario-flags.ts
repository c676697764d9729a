import { DEFAULT_SCENARIO, type Scenario } from '../../shared/scenario/scenario.ts'

/** What the command line itself says of the scenario; each counts before a scenario file's word. */
export interface ScenarioFlags {
  readonly allowTransfer?: true
  /** Bytes. */
  readonly maxGib?: bigint
  /** Bytes. */
  readonly headroomGib?: bigint
  readonly vetoSharing?: true
  readonly forceNode?: ReadonlyMap<string, 'in' | 'out'>
  readonly requireFreshFacts?: true
  /** Unix seconds. */
  readonly now?: number
}

/** `base` with what the command line says; facts are judged by the clock unless one of the two names a time. */
export function underFlags(
  flags: ScenarioFlags,
  nowSecs: number,
  base: Scenario = DEFAULT_SCENARIO,
): Scenario {
  return {
    ...base,
    policy: {
      allowWeightTransfer: flags.allowTransfer ?? base.policy.allowWeightTransfer,
      maxBytes: flags.maxGib ?? base.policy.maxBytes,
      freeHeadroomBytes: flags.headroomGib ?? base.policy.freeHeadroomBytes,
    },
    sharingVeto: flags.vetoSharing ?? base.sharingVeto,
    requireFreshFacts: flags.requireFreshFacts ?? base.requireFreshFacts,
    nowSecs: flags.now ?? base.nowSecs ?? nowSecs,
    forcedNodes: new Map([...base.forcedNodes, ...(flags.forceNode ?? [])]),
  }
}
