import { z } from 'zod'
import { U64_MAX } from '../bytes.ts'
import type { Scenario } from './types.ts'

const bytes = z
  .string()
  .regex(/^(0|[1-9]\d{0,19})$/, 'a byte count is a decimal integer')
  .refine((text) => BigInt(text) <= U64_MAX, 'a byte count is at most 2^64-1')

/** A scenario as plain JSON; byte counts are decimal strings, since they may pass 2^53. */
export const scenarioSchema = z.strictObject({
  allow_weight_transfer: z.boolean(),
  max_bytes: bytes.nullable(),
  free_headroom_bytes: bytes,
  sharing_veto: z.boolean(),
  require_fresh_facts: z.boolean(),
  now_secs: z.number().int().nonnegative().nullable(),
  forced_nodes: z.record(z.string().min(1).max(128), z.enum(['in', 'out'])),
})

export type ScenarioJson = z.infer<typeof scenarioSchema>

/** `scenario` as JSON; {@link scenarioFromJson} gives it back. */
export function scenarioToJson(scenario: Scenario): ScenarioJson {
  return {
    allow_weight_transfer: scenario.policy.allowWeightTransfer,
    max_bytes: scenario.policy.maxBytes?.toString() ?? null,
    free_headroom_bytes: scenario.policy.freeHeadroomBytes.toString(),
    sharing_veto: scenario.sharingVeto,
    require_fresh_facts: scenario.requireFreshFacts,
    now_secs: scenario.nowSecs,
    forced_nodes: Object.fromEntries(scenario.forcedNodes),
  }
}

/** The scenario that `json` (checked by {@link scenarioSchema}) stands for. */
export function scenarioFromJson(json: ScenarioJson): Scenario {
  return {
    policy: {
      allowWeightTransfer: json.allow_weight_transfer,
      maxBytes: json.max_bytes === null ? null : BigInt(json.max_bytes),
      freeHeadroomBytes: BigInt(json.free_headroom_bytes),
    },
    sharingVeto: json.sharing_veto,
    requireFreshFacts: json.require_fresh_facts,
    nowSecs: json.now_secs,
    forcedNodes: new Map(Object.entries(json.forced_nodes)),
  }
}
