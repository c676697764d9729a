import { z } from 'zod'
import { formatBytes, GIB } from '../bytes.ts'
import { DEFAULT_POLICY } from '../locality/types.ts'
import {
  byName,
  bytes,
  bytesByNode,
  bytesFromJson,
  bytesToJson,
  flag,
  names,
  namesByNode,
  namesFromJson,
  namesToJson,
  nodeId,
  role,
} from './json-values.ts'
import { CACHE_TYPES } from '../memory/cache-type.ts'
import { MAX_PARALLEL } from '../memory/setting.ts'
import { MAX_COUNT } from '../memory/shape.ts'
import { formatTokens } from '../memory/memory-words.ts'
import type { Scenario } from './types.ts'

/** A node or role that a scenario names, for the warning when the lab does not have it. */
export interface Mention {
  readonly role?: string
  readonly node?: string
  /** What the scenario does with it, after `the scenario …`. */
  readonly clause: string
}

/** All that must be known about one field of a {@link Scenario}. (Methods, so that a table of them has one type.) */
interface ScenarioField<Value, Shape extends z.core.$ZodShape> {
  /** Its keys in JSON. A key's default is its value when nothing is assumed. */
  readonly json: Shape
  toJson(value: Value): z.output<z.ZodObject<Shape>>
  fromJson(json: z.output<z.ZodObject<Shape>>): Value
  /** Whether a role is decided the same under both scenarios, as far as this field goes. */
  sameDecisions(a: Scenario, b: Scenario): boolean
  /** How it differs from assuming nothing, a few words each; empty when it does not. */
  words(value: Value): readonly string[]
  mentions(value: Value): readonly Mention[]
}

function field<Value, const Shape extends z.core.$ZodShape>(
  traits: ScenarioField<Value, Shape>,
): ScenarioField<Value, Shape> {
  return traits
}

const NO_MENTIONS = (): readonly Mention[] => []

/** For fields that decisions depend on. */
function decides(key: keyof Scenario): (a: Scenario, b: Scenario) => boolean {
  return (a, b) => a[key] === b[key]
}

/** For fields that concern what comes after the decision, such as the placement beside other roles. */
const DECIDES_NOTHING = (): boolean => true

const context = z
  .int('must be a whole number of tokens')
  .min(1, 'must be at least 1 token')
  .max(MAX_COUNT, 'must be at most 2147483648 tokens (2^31)')

const parallel = z
  .int(`must be a whole number, 1 to ${MAX_PARALLEL}`)
  .min(1, `must be a whole number, 1 to ${MAX_PARALLEL}`)
  .max(MAX_PARALLEL, `must be a whole number, 1 to ${MAX_PARALLEL}`)

const CACHE_TYPE_RULE = 'must be an object from role ids to types of K and V'
const cacheType = z.enum(CACHE_TYPES, `must be one of ${CACHE_TYPES.join(', ')}`)

function settingMentions(roles: Iterable<string>, what: string): readonly Mention[] {
  return [...roles].map((id) => ({ role: id, clause: `sets the ${what} of ${id}` }))
}

/** The fields of a scenario, in the order of their keys in JSON. A new field is added here and in {@link Scenario}. */
export const SCENARIO_FIELDS = {
  policy: field({
    json: {
      allow_weight_transfer: flag.default(DEFAULT_POLICY.allowWeightTransfer),
      max_bytes: bytes.nullable().default(null),
      free_headroom_bytes: bytes.default(DEFAULT_POLICY.freeHeadroomBytes.toString()),
    },
    toJson: (policy: Scenario['policy']) => ({
      allow_weight_transfer: policy.allowWeightTransfer,
      max_bytes: policy.maxBytes?.toString() ?? null,
      free_headroom_bytes: policy.freeHeadroomBytes.toString(),
    }),
    fromJson: (json) => ({
      allowWeightTransfer: json.allow_weight_transfer,
      maxBytes: json.max_bytes === null ? null : BigInt(json.max_bytes),
      freeHeadroomBytes: BigInt(json.free_headroom_bytes),
    }),
    sameDecisions: decides('policy'),
    words: ({ allowWeightTransfer, maxBytes, freeHeadroomBytes }) => [
      ...(allowWeightTransfer === DEFAULT_POLICY.allowWeightTransfer ? [] : ['transfer on']),
      ...(maxBytes === null ? [] : [`ceiling ${formatGib(maxBytes)} (${formatBytes(maxBytes)})`]),
      ...(freeHeadroomBytes === DEFAULT_POLICY.freeHeadroomBytes
        ? []
        : [`headroom ${formatGib(freeHeadroomBytes)}`]),
    ],
    mentions: NO_MENTIONS,
  }),
  sharingVeto: field({
    json: { sharing_veto: flag.default(false) },
    toJson: (sharing_veto: boolean) => ({ sharing_veto }),
    fromJson: (json) => json.sharing_veto,
    sameDecisions: decides('sharingVeto'),
    words: (vetoed) => (vetoed ? ['copying forbidden'] : []),
    mentions: NO_MENTIONS,
  }),
  requireFreshFacts: field({
    json: { require_fresh_facts: flag.default(false) },
    toJson: (require_fresh_facts: boolean) => ({ require_fresh_facts }),
    fromJson: (json) => json.require_fresh_facts,
    sameDecisions: decides('requireFreshFacts'),
    words: (required) => (required ? ['fresh facts required'] : []),
    mentions: NO_MENTIONS,
  }),
  nowSecs: field({
    json: {
      now_secs: z
        .int('must be whole unix seconds')
        .nonnegative('must be whole unix seconds from 0')
        .nullable()
        .default(null),
    },
    toJson: (now_secs: number | null) => ({ now_secs }),
    fromJson: (json) => json.now_secs,
    // When fresh facts are not required, the time only matters for warnings.
    sameDecisions: (a, b) => a.nowSecs === b.nowSecs || !a.requireFreshFacts,
    words: () => [],
    mentions: NO_MENTIONS,
  }),
  forcedNodes: field({
    json: {
      forced_nodes: byName(
        nodeId,
        z.enum(['in', 'out'], 'must be "in" or "out"'),
        'must be an object from node ids to "in" or "out"',
      ).default({}),
    },
    toJson: (forced: Scenario['forcedNodes']) => ({ forced_nodes: Object.fromEntries(forced) }),
    fromJson: (json) => new Map(Object.entries(json.forced_nodes)),
    sameDecisions: decides('forcedNodes'),
    words: (forced) =>
      [...forced].map(([node, way]) => (way === 'in' ? `${node} treated as eligible` : `${node} ruled out`)),
    mentions: (forced) =>
      [...forced].map(([node, way]) => ({
        node,
        clause: way === 'in' ? `treats ${node} as eligible` : `rules ${node} out`,
      })),
  }),
  freeSpace: field({
    json: { free_space: bytesByNode.default({}) },
    toJson: (space: Scenario['freeSpace']) => ({ free_space: bytesToJson(space) }),
    fromJson: (json) => bytesFromJson(json.free_space),
    sameDecisions: decides('freeSpace'),
    words: (space) => [...space].map(([node, free]) => `${formatBytes(free)} free on ${node}`),
    mentions: (space) =>
      [...space.keys()].map((node) => ({ node, clause: `assumes the free space of ${node}` })),
  }),
  memory: field({
    json: { memory: bytesByNode.default({}) },
    toJson: (memory: Scenario['memory']) => ({ memory: bytesToJson(memory) }),
    fromJson: (json) => bytesFromJson(json.memory),
    sameDecisions: decides('memory'),
    words: (memory) => [...memory].map(([node, free]) => `${formatBytes(free)} of memory free on ${node}`),
    mentions: (memory) =>
      [...memory.keys()].map((node) => ({ node, clause: `assumes the memory of ${node}` })),
  }),
  offRoles: field({
    json: { off_roles: z.array(role, 'must be a list of role ids').default([]) },
    toJson: (off: Scenario['offRoles']) => ({ off_roles: [...off] }),
    fromJson: (json) => new Set(json.off_roles),
    sameDecisions: DECIDES_NOTHING,
    words: (off) => [...off].map((id) => `${id} off`),
    mentions: (off) => [...off].map((id) => ({ role: id, clause: `switches ${id} off` })),
  }),
  awayNodes: field({
    json: { away_nodes: z.array(nodeId, 'must be a list of node ids').default([]) },
    toJson: (away: Scenario['awayNodes']) => ({ away_nodes: [...away] }),
    fromJson: (json) => new Set(json.away_nodes),
    sameDecisions: decides('awayNodes'),
    words: (away) => [...away].map((node) => `${node} treated as offline`),
    mentions: (away) => [...away].map((node) => ({ node, clause: `treats ${node} as offline` })),
  }),
  pinned: field({
    json: { pinned: byName(role, nodeId, 'must be an object from role ids to node ids').default({}) },
    toJson: (pinned: Scenario['pinned']) => ({ pinned: Object.fromEntries(pinned) }),
    fromJson: (json) => new Map(Object.entries(json.pinned)),
    // A role's own pin is part of what it needs, and is compared with that.
    sameDecisions: DECIDES_NOTHING,
    words: (pinned) => [...pinned].map(([id, node]) => `${id} pinned to ${node}`),
    mentions: (pinned) =>
      [...pinned].map(([id, node]) => ({ role: id, node, clause: `pins ${id} to ${node}` })),
  }),
  linkMbps: field({
    json: {
      link_mbps: z
        .number('must be a number of megabits a second')
        .positive('must be more than 0')
        .max(1e9, 'must be at most 1000000000')
        .nullable()
        .default(null),
    },
    toJson: (link_mbps: number | null) => ({ link_mbps }),
    fromJson: (json) => json.link_mbps,
    sameDecisions: DECIDES_NOTHING,
    words: (mbps) => (mbps === null ? [] : [`links of ${mbps} Mbit/s`]),
    mentions: NO_MENTIONS,
  }),
  // What a role takes is part of its need, and compared with that.
  roleContext: field({
    json: { role_context: byName(role, context, 'must be an object from role ids to tokens').default({}) },
    toJson: (contexts: Scenario['roleContext']) => ({ role_context: Object.fromEntries(contexts) }),
    fromJson: (json) => new Map(Object.entries(json.role_context)),
    sameDecisions: DECIDES_NOTHING,
    words: (contexts) => [...contexts].map(([id, tokens]) => `${id} with ${formatTokens(tokens)} tokens`),
    mentions: (contexts) => settingMentions(contexts.keys(), 'context'),
  }),
  roleKeyType: field({
    json: { role_key_type: byName(role, cacheType, CACHE_TYPE_RULE).default({}) },
    toJson: (types: Scenario['roleKeyType']) => ({ role_key_type: Object.fromEntries(types) }),
    fromJson: (json) => new Map(Object.entries(json.role_key_type)),
    sameDecisions: DECIDES_NOTHING,
    words: (types) => [...types].map(([id, type]) => `${id} with K in ${type}`),
    mentions: (types) => settingMentions(types.keys(), 'type of K'),
  }),
  roleValueType: field({
    json: { role_value_type: byName(role, cacheType, CACHE_TYPE_RULE).default({}) },
    toJson: (types: Scenario['roleValueType']) => ({ role_value_type: Object.fromEntries(types) }),
    fromJson: (json) => new Map(Object.entries(json.role_value_type)),
    sameDecisions: DECIDES_NOTHING,
    words: (types) => [...types].map(([id, type]) => `${id} with V in ${type}`),
    mentions: (types) => settingMentions(types.keys(), 'type of V'),
  }),
  roleParallel: field({
    json: {
      role_parallel: byName(role, parallel, 'must be an object from role ids to numbers').default({}),
    },
    toJson: (counts: Scenario['roleParallel']) => ({ role_parallel: Object.fromEntries(counts) }),
    fromJson: (json) => new Map(Object.entries(json.role_parallel)),
    sameDecisions: DECIDES_NOTHING,
    words: (counts) => [...counts].map(([id, count]) => `${id} answering ${count} at once`),
    mentions: (counts) => settingMentions(counts.keys(), 'requests at once'),
  }),
  computedMemory: field({
    json: { computed_memory: z.array(role, 'must be a list of role ids').default([]) },
    toJson: (roles: Scenario['computedMemory']) => ({ computed_memory: [...roles] }),
    fromJson: (json) => new Set(json.computed_memory),
    sameDecisions: DECIDES_NOTHING,
    words: (roles) => [...roles].map((id) => `${id} with computed memory`),
    mentions: (roles) => settingMentions(roles, 'memory'),
  }),
  installed: field({
    json: { installed: namesByNode.default({}) },
    toJson: (installed: Scenario['installed']) => ({ installed: namesToJson(installed) }),
    fromJson: (json) => namesFromJson(json.installed),
    sameDecisions: decides('installed'),
    words: (installed) =>
      [...installed].map(([node, capabilities]) => `${[...capabilities].join(', ')} on ${node}`),
    mentions: (installed) =>
      [...installed.keys()].map((node) => ({ node, clause: `assumes what is installed on ${node}` })),
  }),
  heldModels: field({
    json: { held_models: namesByNode.default({}) },
    toJson: (held: Scenario['heldModels']) => ({ held_models: namesToJson(held) }),
    fromJson: (json) => namesFromJson(json.held_models),
    sameDecisions: decides('heldModels'),
    words: (held) => [...held].map(([node, models]) => `${[...models].join(', ')} held by ${node}`),
    mentions: (held) =>
      [...held.keys()].map((node) => ({ node, clause: `assumes the models that ${node} holds` })),
  }),
  redistributable: field({
    json: { redistributable: names.default([]) },
    toJson: (models: Scenario['redistributable']) => ({ redistributable: [...models] }),
    fromJson: (json) => new Set(json.redistributable),
    sameDecisions: decides('redistributable'),
    words: (models) => [...models].map((model) => `${model} redistributable`),
    mentions: NO_MENTIONS,
  }),
  exportKvBudget: field({
    json: { export_kv_budget: flag.default(false) },
    toJson: (export_kv_budget: boolean) => ({ export_kv_budget }),
    fromJson: (json) => json.export_kv_budget,
    sameDecisions: DECIDES_NOTHING,
    words: (exported) => (exported ? ['KV budget exported'] : []),
    mentions: NO_MENTIONS,
  }),
} satisfies { [K in keyof Scenario]: ScenarioField<Scenario[K], z.core.$ZodShape> }

/** `scenario` field by field: what is known of the field, and its value. */
export function fieldsOf(scenario: Scenario) {
  const fields: Readonly<Record<keyof Scenario, ScenarioField<unknown, z.core.$ZodShape>>> = SCENARIO_FIELDS
  return SCENARIO_KEYS.map((key) => ({ field: fields[key], value: scenario[key] }))
}

const SCENARIO_KEYS = Object.keys(SCENARIO_FIELDS) as readonly (keyof Scenario)[]

/** Bytes as the policy's controls show them: in GiB, rounded to thousandths, no trailing zeros. */
export function formatGib(bytes: bigint): string {
  const thousandths = (bytes * 1000n + GIB / 2n) / GIB
  const fraction = (thousandths % 1000n).toString().padStart(3, '0').replace(/0+$/, '')
  return `${thousandths / 1000n}${fraction === '' ? '' : `.${fraction}`} GiB`
}
