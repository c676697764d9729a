import { z } from 'zod'
import { U64_MAX } from '../bytes.ts'
import { DEFAULT_POLICY } from '../locality/types.ts'
import type { Scenario } from './scenario.ts'

const BYTES = 'must be a byte count: a text of decimal digits, such as "4294967296", at most 2^64-1'

const bytes = z
  .string(BYTES)
  .regex(/^(0|[1-9]\d{0,19})$/, BYTES)
  .refine((text) => BigInt(text) <= U64_MAX, BYTES)

const nodeId = z
  .string('must be a node id')
  .min(1, 'must be a node id')
  .max(128, 'must be a node id of at most 128 characters')
const role = z
  .string('must be a role id')
  .min(1, 'must be a role id')
  .max(64, 'must be a role id of at most 64 characters')
const flag = z.boolean('must be true or false')
const bytesByNode = z.record(nodeId, bytes, 'must be an object from node ids to byte counts')

/**
 * A scenario as plain JSON: what crosses between the page and its host, and what a scenario file holds. Byte counts are
 * decimal strings, since they may pass 2^53. A key that is left out has the value of planning with nothing assumed.
 */
export const scenarioSchema = z.strictObject(
  {
    allow_weight_transfer: flag.default(DEFAULT_POLICY.allowWeightTransfer),
    max_bytes: bytes.nullable().default(null),
    free_headroom_bytes: bytes.default(DEFAULT_POLICY.freeHeadroomBytes.toString()),
    sharing_veto: flag.default(false),
    require_fresh_facts: flag.default(false),
    now_secs: z
      .int('must be whole unix seconds')
      .nonnegative('must be whole unix seconds from 0')
      .nullable()
      .default(null),
    forced_nodes: z
      .record(
        nodeId,
        z.enum(['in', 'out'], 'must be "in" or "out"'),
        'must be an object from node ids to "in" or "out"',
      )
      .default({}),
    free_space: bytesByNode.default({}),
    memory: bytesByNode.default({}),
    off_roles: z.array(role, 'must be a list of role ids').default([]),
    away_nodes: z.array(nodeId, 'must be a list of node ids').default([]),
    pinned: z.record(role, nodeId, 'must be an object from role ids to node ids').default({}),
    link_mbps: z
      .number('must be a number of megabits a second')
      .positive('must be more than 0')
      .max(1e9, 'must be at most 1000000000')
      .nullable()
      .default(null),
  },
  'must be an object',
)

export type ScenarioJson = z.output<typeof scenarioSchema>

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
    free_space: bytesToJson(scenario.freeSpace),
    memory: bytesToJson(scenario.memory),
    off_roles: [...scenario.offRoles],
    away_nodes: [...scenario.awayNodes],
    pinned: Object.fromEntries(scenario.pinned),
    link_mbps: scenario.linkMbps,
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
    freeSpace: bytesFromJson(json.free_space),
    memory: bytesFromJson(json.memory),
    offRoles: new Set(json.off_roles),
    awayNodes: new Set(json.away_nodes),
    pinned: new Map(Object.entries(json.pinned)),
    linkMbps: json.link_mbps,
  }
}

function bytesToJson(counts: ReadonlyMap<string, bigint>): Record<string, string> {
  return Object.fromEntries([...counts].map(([node, count]) => [node, count.toString()]))
}

function bytesFromJson(counts: Readonly<Record<string, string>>): Map<string, bigint> {
  return new Map(Object.entries(counts).map(([node, count]) => [node, BigInt(count)]))
}
