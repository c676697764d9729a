import { describe, expect, test } from 'vitest'
import { GB, U64_MAX } from '../../../../shared/bytes.ts'
import type { RoleDecision } from '../../../../shared/plan/types.ts'
import { decisionToJson, planJsonText, planToJson } from '../../../../shared/report/plan-json.ts'
import { able, entry, lab, model, node, planned, whole } from '../plan/make-lab.ts'

const A = model('model-a')
const OF = lab({
  entries: [entry('role-a'), entry('vlm', { backend: 'mlx_vlm' })],
  manifests: [A],
  nodes: [node('nas', [whole('model-a')]), node('pc', able())],
})

test('a plan is written whole, with the documented keys in their order', () => {
  const { roles, ...rest } = planToJson(planned(OF, { transfer: true, overlay: 'sticky: {ghost: true}\n' }))
  expect(rest).toEqual({
    policy: { allow_weight_transfer: true, max_bytes: null, free_headroom_bytes: 1073741824n },
    skipped: [{ id: 'vlm', reason: 'backend "mlx_vlm" has no inference adapter' }],
    problems: [
      {
        severity: 'warning',
        code: 'overlay-unknown-role',
        message: 'sticky names ghost, which is no role of the roster; it has no effect',
        file: 'overlay.yaml',
        line: 1,
        column: 10,
      },
    ],
    residency: [
      {
        node_id: 'nas',
        pool: null,
        budget_bytes: null,
        used_bytes: 0n,
        holders: [],
        port_clashes: [],
        incoming_bytes: 0n,
      },
      {
        node_id: 'pc',
        pool: 'unified-memory',
        budget_bytes: 32n * GB,
        used_bytes: 10n * GB,
        holders: [{ role: 'role-a', bytes: 10n * GB }],
        port_clashes: [],
        incoming_bytes: 10n * GB,
      },
    ],
  })
  expect(roles).toEqual([
    {
      role: 'role-a',
      spec: {
        role: 'role-a',
        model: 'model-a',
        runtime: 'infer.llamacpp',
        serve: { port: 8090 },
        memory: { weights_bytes: 10_000_000_000, kv_budget_bytes: 0 },
        latency_class: 'batch',
        sticky: true,
        api: 'openai-v1',
      },
      repo: 'repo/role-a',
      status: '',
      manifest: { package_id: 'model-a-id', name: 'model-a', shards: 2, bytes: 10n * GB },
      decision: {
        kind: 'fetch_then_place',
        target: 'pc',
        sources: ['nas'],
        bytes: 10n * GB,
        missing_shards: 2,
      },
      notes: [
        'model model-a (2 shards, 10000000000 bytes)',
        'node nas: eligible=false complete=true holds 2/2 shards',
        'node pc: eligible=true complete=false holds 0/2 shards',
        'fetch: pc gets 2 shard(s), 10000000000 bytes, from nas',
      ],
      nodes: [
        {
          node_id: 'nas',
          eligible: false,
          forced: null,
          failures: [
            {
              constraint: 'runtime',
              detail: 'runtime.infer.llamacpp is not installed on, or not reported by, this node',
            },
            {
              constraint: 'format',
              detail: 'format.gguf is not installed on, or not reported by, this node',
            },
            {
              constraint: 'memory',
              detail: 'needs 10.0 GB, the node reports no GPU or unified memory',
            },
          ],
          complete: true,
          held_shards: 2,
          missing_bytes: 0n,
          free_bytes: null,
        },
        {
          node_id: 'pc',
          eligible: true,
          forced: null,
          failures: [],
          complete: false,
          held_shards: 0,
          missing_bytes: 10n * GB,
          free_bytes: 100n * GB,
        },
      ],
      placement: { kind: 'placed', node_id: 'pc', at: 'decided', bytes: 10n * GB, tried: [] },
      outcome: {
        kind: 'after_fetching',
        node_id: 'pc',
        bytes: 10n * GB,
        instead_of: null,
        reason: null,
        alone: { kind: 'after_fetching', node_id: 'pc', bytes: 10n * GB },
      },
    },
  ])
})

test('a role without a manifest has neither it, nor notes, nor missing bytes', () => {
  const [role] = planToJson(planned(lab({ nodes: [node('pc', able())] }))).roles
  expect(role).toMatchObject({
    manifest: null,
    decision: { kind: 'no_manifest', model: 'model-a' },
    notes: [],
    nodes: [{ node_id: 'pc', missing_bytes: null }],
  })
})

describe('decisions are named as the reference’s answers are', () => {
  const cases: readonly [RoleDecision, object][] = [
    [
      { kind: 'place_at_holder', nodeId: 'n' },
      { kind: 'place_at_holder', node_id: 'n' },
    ],
    [
      { kind: 'unplaceable', unplaceable: { reason: 'no_holder' } },
      {
        kind: 'unplaceable',
        reason: 'no_holder',
        message: 'no node holds these weights; adopt them on a node first',
      },
    ],
    [
      { kind: 'unplaceable', unplaceable: { reason: 'over_ceiling', bytes: U64_MAX, max: 0n } },
      {
        kind: 'unplaceable',
        reason: 'over_ceiling',
        message: 'transfer of 18446744073709551615 bytes exceeds the 0 byte ceiling',
        bytes: U64_MAX,
        max: 0n,
      },
    ],
    [
      { kind: 'unplaceable', unplaceable: { reason: 'no_space', needed: 5n, free: null } },
      {
        kind: 'unplaceable',
        reason: 'no_space',
        message: 'target needs 5 bytes free and its free space is unknown',
        needed: 5n,
        free: null,
      },
    ],
    [
      { kind: 'no_manifest', model: null },
      { kind: 'no_manifest', model: null },
    ],
  ]
  test.each(cases)('%#', (decision, json) => {
    expect(decisionToJson(decision)).toEqual(json)
  })
})

test('byte counts are written as integers, exact up to 2^64-1', () => {
  const policy = { allowWeightTransfer: true, maxBytes: U64_MAX, freeHeadroomBytes: 2n ** 53n + 1n }
  const text = planJsonText(planned(OF, { policy }))
  expect(text).toContain('"max_bytes": 18446744073709551615,')
  expect(text).toContain('"free_headroom_bytes": 9007199254740993\n')
  expect(text.endsWith('}\n')).toBe(true)
  expect(() => JSON.parse(text) as unknown).not.toThrow()
})
